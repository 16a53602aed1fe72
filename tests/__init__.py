"""The tests of dractl, and the suites that hold it to Kubernetes' own verdicts."""
