"""Fixes: which changes of a document remove a finding, and the edits of its text that make them."""
