"""Ids and names as types of their own, so that the type checker tells them apart.

An id is a number that Discord gives (a snowflake) or, for matches and invitations, the database.
A name is chosen by its member and may hold any text; `Escaped` is a name that is safe in a message.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NewType

MatchId = NewType("MatchId", int)
InvitationId = NewType("InvitationId", int)
MemberId = NewType("MemberId", int)
ServerId = NewType("ServerId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)

Escaped = NewType("Escaped", str)


def is_former(member_id: int) -> bool:
    """Return whether this number stands for a member whose data was erased."""
    return member_id < 0


@dataclass(frozen=True)
class Place:
    """A channel, or a thread, of a server; Discord says that people there read `locale`."""

    server_id: ServerId
    channel_id: ChannelId
    locale: str | None = field(default=None, compare=False)  # None: not known


@dataclass(frozen=True)
class Posted:
    """A message, and where it was posted."""

    place: Place
    id: MessageId


@dataclass(frozen=True)
class Person:
    """A member, with the name that they had when last seen."""

    id: MemberId
    name: str


# discord.py's escape_markdown leaves links, timestamps, and links split between two names.
_SPECIAL = re.compile(r"[\\*_~|`<>\[\]#:]|^-")
# The mentions of discord.py's escape_mentions: everyone, here, members and roles.
_MENTION = re.compile(r"@(?=everyone|here|[!&]?[0-9]{17,20})")
_ZERO_WIDTH_SPACE = "\u200b"
# Line breaks, and the characters that change the direction of all text after them.
_BREAK = re.compile(r"\s+")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")

# Names have at most 32 characters, but the text of an option may have 6,000, and a message takes
# no more than 2,000.
MOST_ECHOED = 100


def escape(text: str) -> Escaped:
    """Return what somebody has written without the power to format, link, mention or turn lines.

    It is one line of at most `MOST_ECHOED` characters before escaping, with an ellipsis if it was
    longer.
    """
    return _escaped(text if len(text) <= MOST_ECHOED else f"{text[: MOST_ECHOED - 1]}…")


@lru_cache(maxsize=1024)
def _escaped(text: str) -> Escaped:
    line = _BREAK.sub(" ", _DIRECTION.sub("", text))
    return Escaped(_MENTION.sub(f"@{_ZERO_WIDTH_SPACE}", _SPECIAL.sub(r"\\\g<0>", line)))
