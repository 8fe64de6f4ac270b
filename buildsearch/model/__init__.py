"""The vocabulary that everything shares: frozen, and without input or output."""
