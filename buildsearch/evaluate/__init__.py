"""What all games share in scoring: seeds, parallel map, statistics."""
