"""The workbench: a page with every build of a run in it, on which prices and bans can be moved."""
