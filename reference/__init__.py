"""The algorithms of the papers in slow, readable Python. Read them first; tests compare the fast code with them."""
