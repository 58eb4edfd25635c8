"""Offers as values: who has to agree, the questions that ask them, and the presses on those."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from bot.gateway.components import Ply, Press
from bot.identity import MatchId, MemberId, MessageId
from bot.matches.model import OfferKind, StoredMatch
from core.match import Match
from core.players import Member

NEW_MATCH = frozenset({OfferKind.REMATCH, OfferKind.RESTART})
"""The offers of a new match, in which everybody sits again."""

WHILE_PLAYING = frozenset({OfferKind.DRAW, OfferKind.UNRATED, OfferKind.RESTART})
"""The offers that are possible only while a match is being played."""


def asked(match: Match, kind: OfferKind) -> frozenset[int]:
    """Return the seats of the members who have to agree, the asker's included.

    Members who have left the match have no say, except in a new match, where they would sit again.
    """
    seats = range(match.game.seats) if kind in NEW_MATCH else match.staying
    return frozenset(seat for seat in seats if isinstance(match.players[seat], Member))


def to_ask(match: Match, kind: OfferKind, wanting: Collection[int]) -> list[MemberId]:
    """Return the members who still have to agree if the seats `wanting` want `kind`."""
    players = [match.players[seat] for seat in sorted(asked(match, kind) - {*wanting})]
    return [MemberId(player.id) for player in players if isinstance(player, Member)]


@dataclass(frozen=True)
class Offer:
    """An offer that the seat `asker` has made at a ply."""

    kind: OfferKind
    ply: int
    asker: int


@dataclass(frozen=True)
class Question:
    """A message that asks players to agree to an offer of `seat`."""

    message_id: MessageId
    kind: OfferKind
    seat: int


@dataclass(frozen=True)
class Offered:
    """An offer of `kind` in a match, and the match `made` by it: None while others have to agree.

    `wanting` are the seats that want it. `questions` are messages that have asked for it.
    """

    stored: StoredMatch
    kind: OfferKind
    made: StoredMatch | None
    wanting: Sequence[int]
    questions: Sequence[MessageId]


Seat = Annotated[int, "[0-9]"]


class Answer(StrEnum):
    """The answer to an offer."""

    AGREE = "agree"
    DECLINE = "decline"


@dataclass(frozen=True)
class Consent(Press, tag="o"):
    """Answer the offer of seat `asker` at `ply`."""

    match: MatchId
    ply: Ply
    kind: OfferKind
    asker: Seat
    answer: Answer

    @property
    def offer(self) -> Offer:
        """The offer that is answered."""
        return Offer(self.kind, self.ply, self.asker)


@dataclass(frozen=True)
class ReallyResign(Press, tag="s"):
    """Confirm a resignation."""

    match: MatchId
