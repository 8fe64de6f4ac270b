"""`buildsearch balance` of a search for loadouts: over what was valued."""
