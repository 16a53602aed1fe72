"""Upgrades for people: plans, and known faults of releases."""
