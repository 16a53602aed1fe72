"""From device plugins and older APIs to current DRA: which manifests change and how, and what is lost."""
