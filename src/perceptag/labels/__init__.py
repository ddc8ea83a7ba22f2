"""Labels, their schemes, and a model's set of them."""
