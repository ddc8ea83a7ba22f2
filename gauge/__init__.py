"""The gauge: what must stay as it is while everything else changes."""
