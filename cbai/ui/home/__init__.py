"""Home: one picture that makes the point, and what happens if the survey is wrong."""
