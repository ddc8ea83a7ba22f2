"""Calibrate margins to probabilities."""
