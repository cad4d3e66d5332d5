"""Functions of torch that are written in Python."""
