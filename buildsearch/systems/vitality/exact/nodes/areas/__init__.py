"""Areas that roll, against several enemies: fields are the HP of each class in any order."""
