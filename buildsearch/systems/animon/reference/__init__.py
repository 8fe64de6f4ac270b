"""One fight at a time, as the rules read: the witness of every other engine."""
