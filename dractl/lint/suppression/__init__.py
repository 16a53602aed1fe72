"""Findings that a user knows already: silenced by a comment at their place, or listed in a baseline."""
