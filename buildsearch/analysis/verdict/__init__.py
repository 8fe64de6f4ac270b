"""What an optimising player can do with the rules, and what that says about them."""
