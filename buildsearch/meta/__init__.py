"""Who beats whom: builds against builds, and what is left to play when everybody has answered everybody."""
