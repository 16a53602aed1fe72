"""The loop that runs scheduler and controllers until the cluster settles."""
