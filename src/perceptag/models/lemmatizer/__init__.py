"""Lemmatizers: a dictionary of words seen in training, and edit scripts for the others."""
