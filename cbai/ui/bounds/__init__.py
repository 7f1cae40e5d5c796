"""The page Bounds: streams that miss their mean, and its sentences."""
