"""Runs independent calls on a thread pool, on processes of this machine or on the actors of Ray."""
