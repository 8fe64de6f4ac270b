"""Dungeoneers: one hero with six attributes and gear against a list of foes."""
