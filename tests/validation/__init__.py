"""Tests of dractl.validation."""
