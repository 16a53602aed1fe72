"""Expectation files: the cases in them, what is expected, and what comes."""
