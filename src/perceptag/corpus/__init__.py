"""Sentences as users give them, and as the core takes them."""
