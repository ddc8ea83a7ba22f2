"""Learners: one file for each, named as its paper names it. Each is a function that runs one pass."""
