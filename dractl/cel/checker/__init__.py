"""The static type check."""
