"""Names of reductions."""
