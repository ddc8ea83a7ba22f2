"""The operating system: files, memory, signals, plots, tables."""
