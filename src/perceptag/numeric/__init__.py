"""Numerical methods, independent of labels and models."""
