"""Taggers that are normalised at every token."""
