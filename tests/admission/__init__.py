"""Tests of dractl.admission."""
