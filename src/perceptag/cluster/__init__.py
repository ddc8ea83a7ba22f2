"""Work in many calls: threads, processes or a cluster carry them out; files in parts; what is done is kept."""
