"""Defaults that the command line shows before it imports the rest."""

LONGEST = 250  # tokens of a sentence; a longer one is probably several
SHORTEST = 5  # tokens of a sentence that should not occur twice
EQUAL_IN_DOCUMENTS = 5  # tokens of a sentence that joins two documents; shorter ones recur in many
