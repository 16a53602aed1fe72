"""Tests of dractl.cluster."""
