"""What a visitor has set: the setup, their own problem and algorithm, pins, and the link."""
