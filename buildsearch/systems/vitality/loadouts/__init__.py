"""Several attacks of one character: chosen, scored, what was left out."""
