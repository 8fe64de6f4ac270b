"""One solver for one and several enemies that knows no rule: fields, nodes of a turn, gates, eight lanes."""
