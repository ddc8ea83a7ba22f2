"""From column values to numbers, and from sentences to features."""
