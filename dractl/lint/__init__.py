"""Findings beyond the API server: explained decode errors, checks across objects, lints of CEL."""
