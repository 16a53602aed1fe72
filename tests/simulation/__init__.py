"""Tests of dractl.simulation."""
