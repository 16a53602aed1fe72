"""Kubernetes releases as Go modules: which ones, what they need, and how programs are built of them."""
