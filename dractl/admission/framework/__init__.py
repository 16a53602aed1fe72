"""What every rule is made of: rows, context, verdicts, and the checks generated from field tables."""
