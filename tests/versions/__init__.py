"""Tests of dractl.versions."""
