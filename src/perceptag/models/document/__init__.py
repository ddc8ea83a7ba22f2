"""Local weights and features of the whole document."""
