"""Run independent tasks on threads, processes or Ray."""
