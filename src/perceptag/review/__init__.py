"""Labels that deserve a second look: suspected errors, misspelt names, inconsistencies, faults of the scheme.

Pure functions over sentences that have a column of labels. They read no files and print nothing.
"""
