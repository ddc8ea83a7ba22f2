"""Training runs that are compared."""
