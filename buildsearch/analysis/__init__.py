"""What the scores of a whole space say about the rules. Knows options, builds and metrics, no game."""
