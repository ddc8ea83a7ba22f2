"""Tokenisers: models that label the characters of running text."""
