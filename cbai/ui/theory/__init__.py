"""The page Theory: its sentences."""
