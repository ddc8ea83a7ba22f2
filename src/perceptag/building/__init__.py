"""A pipeline for a language, built from a treebank in one go."""
