"""Encode column values as type ids, and sentences as feature rows."""
