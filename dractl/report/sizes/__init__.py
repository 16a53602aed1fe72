"""A size for people and as metrics."""
