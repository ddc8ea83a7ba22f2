"""Files and streams tagged by a pipeline: what is read, what is replaced, what is written."""
