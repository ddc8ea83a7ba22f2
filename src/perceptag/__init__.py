"""perceptag: sequence labelling with perceptrons."""

__version__ = "0.1.0"
