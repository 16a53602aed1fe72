"""Rules for parts that several kinds have: metadata, selectors, tolerations, taints, configuration."""
