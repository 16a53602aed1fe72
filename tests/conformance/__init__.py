"""Runs rows and cases that carry the verdicts of the real Kubernetes code, and says which differ."""
