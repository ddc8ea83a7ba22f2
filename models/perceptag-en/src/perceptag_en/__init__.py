"""English models for perceptag. There is no code here: `perceptag.load("en")` reads en.model in this folder."""
