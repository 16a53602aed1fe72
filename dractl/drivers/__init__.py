"""Checks for the author of a driver: the slices, classes and claims in a folder."""
