"""The DRA state of a running cluster, read through the user's own kubectl."""
