"""The page Compare: setups side by side."""
