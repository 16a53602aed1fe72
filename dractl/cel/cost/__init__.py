"""The cost estimate of an expression."""
