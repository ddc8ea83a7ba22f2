"""The project file: sentences, their labels, and every change of them, in one SQLite file."""
