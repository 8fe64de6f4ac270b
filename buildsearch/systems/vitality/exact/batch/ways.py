"""How a mean was found: by recursion over HP, forward in time, not here."""

BY_VALUE, BY_WALK, LEFT = range(3)
