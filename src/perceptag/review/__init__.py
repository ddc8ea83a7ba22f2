"""Labels that deserve a second look: suspected errors, misspelt names, inconsistencies, faults of the scheme."""
