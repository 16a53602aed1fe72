"""APIs before v1alpha3, found by name in ``dractl.extensions`` and imported by nobody."""
