"""API versions as tables: decode, default, convert, encode."""
