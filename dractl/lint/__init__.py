"""Documents to findings."""
