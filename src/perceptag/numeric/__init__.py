"""Numerical methods that know nothing of labels."""
