"""The page Bounds: streams that miss their true mean, and the page's sentences."""
