"""Expectation files: their cases, expected and actual results."""
