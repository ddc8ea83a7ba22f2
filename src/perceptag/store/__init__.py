"""Model files: format, integrity checks, loading."""
