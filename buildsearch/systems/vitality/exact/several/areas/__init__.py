"""Areas that roll, against several enemies: fields are what HP the enemies of each class have, in any order."""
