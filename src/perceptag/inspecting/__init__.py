"""Tools for data before and after training: checks, figures, parts, learning curves, differences, errors.

Functions take sentences, which `perceptag.text.read` reads, and return what the command line shows.
"""
