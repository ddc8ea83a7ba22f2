"""Several models as one: from running text to tokens and their labels, in one file."""
