"""From the verdict to findings, one file a kind of accusation."""
