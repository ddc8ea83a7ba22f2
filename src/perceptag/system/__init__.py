"""The operating system: files, memory, signals, charts on disk."""
