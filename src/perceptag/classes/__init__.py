"""Word classes: counting and clustering plain text."""
