"""Scenario files: their format, and how they are played."""
