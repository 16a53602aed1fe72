"""Known findings: silenced by a comment at their place, or listed in a baseline."""
