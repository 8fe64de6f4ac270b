"""The fast engine: attacks compiled to outcome tables, fights played from them by one numba function.

It shares no rule code with `reference/`: the two are written apart and tested against each other.
"""
