"""A document on its way into the store: decoded, defaulted, gated, checked."""
