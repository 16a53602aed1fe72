"""What differs between two inputs: findings, objects, placements, selected devices, running claims."""
