"""The use cases: validate, simulate, convert, select."""
