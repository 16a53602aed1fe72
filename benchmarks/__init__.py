"""What dractl costs, beside the programs that people use for the same: ``python -m benchmarks``."""
