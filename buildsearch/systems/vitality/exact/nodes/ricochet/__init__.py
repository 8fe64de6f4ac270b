"""Ricochet among several enemies: fields are the HP of the first three who live, in order."""
