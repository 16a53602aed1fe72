"""Tests of dractl.source."""
