"""What commands take where nothing is said."""

DEFAULT_RULES = "vitality-v2"
