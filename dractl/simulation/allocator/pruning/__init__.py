"""Shortcuts for long searches that leave the result as it is."""
