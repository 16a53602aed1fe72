"""One scheduling cycle: filters, scores, reservation, prebind."""
