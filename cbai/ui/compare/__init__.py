"""The page Compare: pinned setups side by side."""
