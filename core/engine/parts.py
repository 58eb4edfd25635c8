"""What the sets that an attacker can still own weigh: by what each of them lacks."""

from typing import NamedTuple

from core.engine.geometry import split

ONE = 1 << 20
"""The weight of a set that lacks nothing; each square that it lacks halves it."""


class Part(NamedTuple):
    """What a set that lacks some squares weighs, in units of 1/ONE.

    `bits` are those squares one by one, `within` all of them but one.
    """

    weight: int
    bits: tuple[int, ...]
    within: tuple[int, ...]


class Parts(dict[int, Part]):
    """Each part that was asked for, by the squares that the set lacks."""

    def __missing__(self, lacking: int) -> Part:
        bits = tuple(split(lacking))
        part = Part(ONE >> len(bits), bits, tuple(lacking ^ bit for bit in bits))
        self[lacking] = part
        return part

    def minimal(self, lacking: list[int]) -> list[int]:
        """Return `lacking` without those that hold another of them and one square more."""
        there = set(lacking)
        return [mask for mask in there if there.isdisjoint(self[mask].within)]


def weighed(parts: list[Part]) -> dict[int, int]:
    """Return for each square the weight of the sets that lack it."""
    weights: dict[int, int] = {}
    for weight, bits, _ in parts:
        for bit in bits:
            if bit in weights:
                weights[bit] += weight
            else:
                weights[bit] = weight
    return weights


def unpaired(lacking: list[int]) -> list[int]:
    """Return `lacking` without those that hold two squares that are in no other."""
    while True:
        once = twice = 0
        for mask in lacking:
            twice |= once & mask
            once |= mask
        single = once & ~twice
        if not single:
            return lacking
        kept = [mask for mask in lacking if not (p := mask & single) & (p - 1)]
        if len(kept) == len(lacking):
            return lacking
        lacking = kept
