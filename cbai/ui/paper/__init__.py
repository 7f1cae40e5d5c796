"""The page Paper: its stored run, and the same run here and now."""
