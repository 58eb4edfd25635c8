"""Ids and names as types of their own, so that the type checker tells them apart.

An id is a number that Discord gives (a snowflake) or, for matches and invitations, the database.
A name is chosen by its member and may hold any text; `Escaped` is a name that is safe in a message.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NewType

MatchId = NewType("MatchId", int)
InvitationId = NewType("InvitationId", int)
MemberId = NewType("MemberId", int)
ServerId = NewType("ServerId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)

Escaped = NewType("Escaped", str)


@dataclass(frozen=True)
class Place:
    """A channel, or a thread, of a server."""

    server_id: ServerId
    channel_id: ChannelId


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


@lru_cache(maxsize=1024)
def escape(name: str) -> Escaped:
    """Return `name` without the power to format, link or mention."""
    return Escaped(_MENTION.sub(f"@{_ZERO_WIDTH_SPACE}", _SPECIAL.sub(r"\\\g<0>", name)))
