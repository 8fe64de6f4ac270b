"""How a mean was found: by recursion over HP, forward in time, not here, by counting attacks."""

BY_VALUE, BY_WALK, LEFT, BY_COUNTS = range(4)
