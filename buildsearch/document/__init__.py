"""What a command says, as data, and how it is shown."""
