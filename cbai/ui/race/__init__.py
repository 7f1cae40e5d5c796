"""The pages that play one trial: the animation, and why an arm was ruled out."""
