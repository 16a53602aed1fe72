"""What helps a waiting pod: the conflict in what it asks for, ways out of it, and the proof of each."""
