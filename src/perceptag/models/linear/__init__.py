"""Weights of local features over a lattice."""
