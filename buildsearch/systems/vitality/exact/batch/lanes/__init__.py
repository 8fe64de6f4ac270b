"""Eight profiles behind one process at a time: every number is a vector of the machine."""
