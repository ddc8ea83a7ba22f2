"""Begin and inside filters with phrase scorers."""
