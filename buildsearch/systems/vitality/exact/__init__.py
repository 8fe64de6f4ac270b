"""The exact engine: no dice are rolled, every probability is followed.

`forward` is the general one, turn by turn over the joint state. It reads the same compiled numbers as the
fight kernel, so it is tested against brute force and the reference, not only against the kernel.
"""
