"""The scheduler plugins, one a module, named as in Kubernetes."""
