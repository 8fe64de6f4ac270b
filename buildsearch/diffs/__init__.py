"""What changes when rules change: the edits, what they do to builds, and which edit is to blame."""
