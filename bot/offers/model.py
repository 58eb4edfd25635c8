"""Offers as values: who has to agree, and the presses on the questions that ask them."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from bot.gateway.components import Ply, Press
from bot.identity import MatchId, MemberId, MessageId, OfferId
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
    """An offer, and the question that asks for it: a message with buttons.

    It stands while the match is at `ply`; None says that it has ended. `wanting` are the seats that
    want it, the asker's first. `question` is None while the message isn't known.
    """

    id: OfferId
    kind: OfferKind
    ply: int | None
    wanting: tuple[int, ...]
    question: MessageId | None

    @property
    def asker(self) -> int:
        """The seat that has made it."""
        return self.wanting[0]


@dataclass(frozen=True)
class Asked:
    """An offer in a match to which others still have to agree."""

    stored: StoredMatch
    offer: Offer


@dataclass(frozen=True)
class Agreed:
    """What was `made` of the match `before`, without the `offer` if nobody had to agree."""

    before: StoredMatch
    kind: OfferKind
    offer: Offer | None
    made: StoredMatch


Seat = Annotated[int, "[0-9]"]


class Answer(StrEnum):
    """The answer to an offer."""

    AGREE = "agree"
    DECLINE = "decline"


class Consent(Press, tag="o"):
    """Answer the offer of seat `asker` at `ply`."""

    match: MatchId
    ply: Ply
    kind: OfferKind
    asker: Seat
    answer: Answer


class ReallyResign(Press, tag="s"):
    """Confirm a resignation."""

    match: MatchId
