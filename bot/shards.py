"""The shards that a process serves: Discord spreads a large bot's servers over many connections.

https://discord.com/developers/docs/events/gateway#sharding
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self, TypeAlias

from bot.identity import ServerId

Hears: TypeAlias = Callable[[ServerId], bool]
"""Returns whether presses on a server arrive; 0 stands for all places outside of servers."""

# A snowflake's lowest bits don't count: Discord assigns shards by the creation time of servers.
SERVER_BITS = 22

_NOTATION = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?/(\d{1,6})", re.ASCII)


@dataclass(frozen=True)
class Shards:
    """The shards from `first` to `last`, of `count` that the bot has in all its processes."""

    first: int
    last: int
    count: int

    ALL: ClassVar["Shards"]

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.last < self.count:
            told = f"{self.first}-{self.last} are no shards of {self.count}"
            raise ValueError(f"{told}, which are numbered from 0")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the shards written as `0-7/32`, or as `3/8` for a single one; else ValueError."""
        found = _NOTATION.fullmatch(text.strip())
        if found is None:
            raise ValueError("names no shards, such as 0-7/32")
        first, last, count = found.groups()
        return cls(int(first), int(last or first), int(count))

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"

    @property
    def ids(self) -> list[int]:
        """The numbers of these shards."""
        return list(range(self.first, self.last + 1))

    @property
    def are_all(self) -> bool:
        """Whether these are all shards, so that one process serves every server."""
        return len(self.ids) == self.count

    @property
    def part(self) -> float:
        """The part of all shards that this process serves, from 0 to 1."""
        return len(self.ids) / self.count

    @property
    def leads(self) -> bool:
        """Whether this process does the work for all servers; it also gets direct messages."""
        return self.first == 0

    def serve(self, server_id: ServerId) -> bool:
        """Return whether a server's events reach one of these shards."""
        return self.first <= (server_id >> SERVER_BITS) % self.count <= self.last


Shards.ALL = Shards(0, 0, 1)
