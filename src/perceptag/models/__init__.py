"""The kinds of model, one folder for each; and what they share: model files, margins, calibration, word classes."""
