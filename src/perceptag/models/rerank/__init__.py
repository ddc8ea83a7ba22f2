"""A second model that chooses from the n best of a first."""
