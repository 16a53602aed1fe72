"""Rules about the objects of prototypes."""
