"""The kinds of model, one folder for each."""
