"""Steps of a fight without chance, and the chances of its rolls."""
