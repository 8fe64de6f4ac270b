"""The readable engine: plays one fight at a time, as the text says it, and tells what happens.

It shares no rule code with `kernel/`: the two are written apart and tested against each other.
"""
