"""What users write down about a simulation: scenarios to be played, and what is to come of them."""
