"""Word classes: counting, clustering, class files, and the classes in a model."""
