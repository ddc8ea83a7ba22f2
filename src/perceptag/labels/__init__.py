"""Labels: schemes, spans, and the label set of a model."""
