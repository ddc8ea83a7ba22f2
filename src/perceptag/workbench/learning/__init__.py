"""How a project learns: the model of the labels so far, what it is worth, and which sentence to label next."""
