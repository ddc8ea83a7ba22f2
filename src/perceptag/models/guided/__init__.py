"""Models for bidirectional search."""
