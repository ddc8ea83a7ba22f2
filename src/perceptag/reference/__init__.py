"""The algorithms of the papers in slow, readable Python: read them first. Tests compare the native code with them."""
