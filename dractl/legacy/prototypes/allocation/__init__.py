"""Devices for the claims of prototypes."""
