"""The page Paper: the stored run, and the same run repeated on this machine."""
