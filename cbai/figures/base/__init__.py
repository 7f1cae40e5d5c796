"""What all figures share: layout, style, words, space for labels."""
