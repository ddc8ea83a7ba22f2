"""The kinds of model: everything that belongs to one kind is in one folder."""
