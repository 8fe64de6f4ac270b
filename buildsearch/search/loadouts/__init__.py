"""Several builds taken together: the search for the best of them, and races of those that must fight."""
