"""Bitboards: sets of squares as numbers, bit i standing for square i."""


def split(bits: int) -> list[int]:
    """Return each bit of `bits` by itself, lowest first."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest)
        bits ^= lowest
    return found
