"""The inputs of a search: demand, features, quirks, usage."""
