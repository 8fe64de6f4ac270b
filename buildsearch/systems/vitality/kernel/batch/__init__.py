"""Fights of many builds at once, given as rows of bits: the same plans and fights as one by one."""
