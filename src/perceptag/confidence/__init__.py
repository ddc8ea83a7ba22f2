"""From margins to the probability that a label is right."""
