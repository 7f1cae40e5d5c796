"""The page Algorithm lab: the workbench, and whether a theorem covers the algorithm built."""
