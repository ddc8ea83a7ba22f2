"""Classes of words learned from plain text: counting, clustering, and the file of the result."""
