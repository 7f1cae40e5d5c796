"""The page Story: its frame and its seven steps."""
