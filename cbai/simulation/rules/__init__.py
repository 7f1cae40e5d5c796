"""What an algorithm is: its choices, the table of all, names, and which theorem covers it."""
