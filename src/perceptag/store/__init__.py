"""What is saved, and the file it is saved in."""
