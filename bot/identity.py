"""Ids and names as types of their own, so that the type checker tells them apart.

An id is a number from Discord (a snowflake) or, for matches, offers, invitations, tournaments and
puzzles, from the database. Members choose their names, which may hold any text; `Escaped` is a name
that is safe in a message.
"""

import re
import unicodedata
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NewType, TypeAlias

MatchId = NewType("MatchId", int)
OfferId = NewType("OfferId", int)
InvitationId = NewType("InvitationId", int)
TournamentId = NewType("TournamentId", int)
MemberId = NewType("MemberId", int)
ServerId = NewType("ServerId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
RoleId = NewType("RoleId", int)
PuzzleId = NewType("PuzzleId", int)

Escaped = NewType("Escaped", str)


def is_former(member_id: int) -> bool:
    """Return whether this number stands for a member whose data was erased."""
    return member_id < 0


def sent_at(message_id: MessageId) -> int:
    """Return when a message was sent, in Unix seconds; Discord counts from the year 2015."""
    return ((message_id >> 22) + 1_420_070_400_000) // 1000


class Context(StrEnum):
    """The kind of conversation in a place."""

    SERVER = "server"  # the bot is a member of the server
    BOT_DM = "bot_dm"  # a member's direct messages with the bot
    PRIVATE = "private"  # the direct messages of two members, or of a group
    GUEST = "guest"  # a server on which the bot is no member, but some members have installed it


# Where the bot can post, change and remove messages by itself. Elsewhere it isn't a member of the
# channel, and can only answer interactions.
POSTING = frozenset({Context.SERVER, Context.BOT_DM})


@dataclass(frozen=True)
class Place:
    """Where a match is played: a channel or thread of a server, or elsewhere.

    `server_id` is the server to which its settings, ratings and data belong, None elsewhere.
    `locale` is the language that people there read, as Discord says. `guest_of` is the server of a
    GUEST place: nothing there is rated, or erased with a server.
    """

    server_id: ServerId | None
    channel_id: ChannelId
    locale: str | None = field(default=None, compare=False)  # None: not known
    context: Context = Context.SERVER
    guest_of: ServerId | None = None

    @property
    def posts(self) -> bool:
        """Whether the bot can post, change and remove messages by itself."""
        return self.context in POSTING

    @property
    def has_channels(self) -> bool:
        """Whether there are other channels and threads to play in."""
        return self.context in (Context.SERVER, Context.GUEST)

    @property
    def queue_id(self) -> int:
        """The id in the fair queue, in which all ids have a fair share of the processes."""
        return self.server_id or self.guest_of or self.channel_id


SeenAmong: TypeAlias = Callable[[Iterable[ChannelId]], Awaitable[Collection[ChannelId]]]
"""Returns the channels that everybody who sees an answer is known to see, too, of those given."""


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


# discord.py's escape_markdown doesn't escape links, timestamps, or links split between two names.
_SPECIAL = re.compile(r"[\\*_~|`<>\[\]#:]|^-")
# The mentions of discord.py's escape_mentions: everyone, here, members and roles.
_MENTION = re.compile(r"@(?=everyone|here|[!&]?[0-9]{17,20})")
_ZERO_WIDTH_SPACE = "\u200b"
# Line breaks, and the characters that change the direction of all text after them.
_BREAK = re.compile(r"\s+")
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = {"R", "AL"}  # Unicode's classes of letters (UAX #9)

# Letters and a symbol that draw nothing: the fillers of Hangul, and Braille without a dot.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# Unicode's categories of control, space and mark: a mark alone has nothing to stand on.
_UNSEEN = ("C", "Z", "M")

# Names have at most 32 characters, but the text of an option may have 6,000, and a message takes
# no more than 2,000.
MOST_ECHOED = 100


def escape(text: str) -> Escaped:
    """Return a member's words, which can't format, link, mention or change the text's direction.

    It is one line of at most `MOST_ECHOED` characters before escaping, with an ellipsis if it was
    longer.
    """
    return _escaped(text if len(text) <= MOST_ECHOED else f"{text[: MOST_ECHOED - 1]}…")


def plain(text: str) -> str:
    """Return a member's words, on one line, for text that Discord doesn't format."""
    return _BREAK.sub(" ", _DIRECTION.sub("", text))


@lru_cache(maxsize=1024)
def _escaped(text: str) -> Escaped:
    line = plain(text)
    safe = _MENTION.sub(f"@{_ZERO_WIDTH_SPACE}", _SPECIAL.sub(r"\\\g<0>", line))
    # Otherwise numbers after a name in Arabic or Hebrew would be shown before it.
    turned = not _RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, line))
    return Escaped(isolated(safe) if turned else safe)


def is_visible(text: str) -> bool:
    """Return whether a text shows anything, and isn't just spaces, fillers and marks."""
    return any(
        not unicodedata.category(character).startswith(_UNSEEN) and character not in _BLANK
        for character in text
    )


def isolated(text: str) -> str:
    """Return `text` with the direction of its first letter, without effect on text around it."""
    return f"\u2068{text}\u2069"  # First Strong Isolate, Pop Directional Isolate (UAX #9)
