"""Look at data and models: checks, doubtful labels, statistics, splits, learning curves, differences, errors.

Functions take sentences, which `perceptag.text.read` reads, and return what the command line shows.
"""
