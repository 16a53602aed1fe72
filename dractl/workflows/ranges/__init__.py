"""One input before several Kubernetes minors: results side by side, equal ones once."""
