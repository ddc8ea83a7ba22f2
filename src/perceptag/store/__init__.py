"""Models as data, and the files they are saved in."""
