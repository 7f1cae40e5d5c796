"""The page Samples: lower bounds in words, files to keep, the report."""
