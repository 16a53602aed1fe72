"""Tests of the reading that go-yaml v2 would give."""
