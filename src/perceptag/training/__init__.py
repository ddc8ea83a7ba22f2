"""Passes, dev scores, the best pass, checkpoints."""
