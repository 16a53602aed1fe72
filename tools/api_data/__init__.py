"""The data in ``dractl/api/data``, generated from the published modules of a Kubernetes release."""
