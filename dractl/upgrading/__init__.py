"""What a change of the Kubernetes release asks for: verdicts, placements, gates and known faults compared."""
