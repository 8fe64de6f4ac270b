"""From a request to an answer: what commands, notebooks, tests and workers share. Nothing here prints."""
