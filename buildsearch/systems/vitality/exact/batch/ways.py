"""How a mean was found: by recursion over HP, turn by turn up to the limit, not here."""

BY_VALUE, BY_WALK, LEFT = range(3)
