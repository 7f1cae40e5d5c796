"""Home's picture: a race paused where one arm has ruled out another."""
