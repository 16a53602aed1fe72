"""Fixes: which changes of a document mend a finding, and the edits of its text that make them."""
