"""Rules for the DRA parts of a Pod."""
