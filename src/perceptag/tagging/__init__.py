"""Tag a file or a stream with a pipeline."""
