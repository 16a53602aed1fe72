"""Explanations of decode errors."""
