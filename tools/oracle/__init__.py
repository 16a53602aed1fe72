"""The oracle: a program per minor that answers with the code of the Kubernetes release itself."""
