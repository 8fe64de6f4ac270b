"""Fights: who stands on which side, and the compact form."""
