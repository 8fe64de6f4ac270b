"""What to change in prices and bans so that a goal holds, and what that does: proved where it can be."""
