"""What a visitor has set: the setup, the user's own problem and algorithm, pins, and the link."""
