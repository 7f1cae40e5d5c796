"""The compiled loops that play a trial, the state they change, and their rules."""
