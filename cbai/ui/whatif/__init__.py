"""The page What if: sweeps, and what they cost in money and days."""
