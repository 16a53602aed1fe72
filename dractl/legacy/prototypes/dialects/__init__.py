"""The dialects of the prototypes: their fields, and documents read in them."""
