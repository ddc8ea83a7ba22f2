"""All settings of a model in one readable file."""
