"""What needs the others' consent: a draw, taking back a move, a rematch.

An offer stands for the ply at which it was made. Asking for what another seat has offered is
agreeing to it, so two requests that cross merge into one.
"""

from bot.matches.checks import check_seated, check_there
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import Matches
from bot.matches.start import Beginnings
from bot.offers.store import OfferStore
from bot.refusals import Refusal
from core.errors import GameError, HasLeft, MatchOver
from core.match import Match
from core.players import Member, Player


class Offers:
    """Offers between the players of a match."""

    def __init__(self, store: OfferStore, matches: Matches, beginnings: Beginnings):
        self._store = store
        self._matches = matches
        self._beginnings = beginnings

    async def make(
        self, stored: StoredMatch, kind: OfferKind, member_id: int
    ) -> StoredMatch | None:
        """Offer or agree; return the match that came of it, None while others have to agree.

        Raises Refusal where the offer makes no sense.
        """
        match = stored.match
        seat = check_seated(stored, Member(member_id))
        check_there(stored)
        standing = await self.wanting(stored, kind)
        asker = next(iter(standing), seat)
        try:
            _check(stored, kind, seat, match.players[asker])
        except GameError as error:
            raise Refusal(error, stored) from error
        if match.outcome:
            # Nothing comes after a match that is played on or again: it is the channel's last.
            await self._matches.check_last(stored)
        mine = {s for s, player in enumerate(match.players) if player == Member(member_id)}
        others = asked(match, kind) - mine
        if not others:
            return await self._carry_out(stored, kind, seat)
        # Nobody may be missing any more: somebody has left since.
        if seat in standing and not others.issubset(standing):
            raise Refusal("refusal.offer_stands", stored)
        offering = await self._store.offer(stored.id, kind, seat, match.ply)
        if not others.issubset(offering):
            return None
        # The match changes, and with it go all offers: after an undo their ply may come again.
        await self._store.withdraw(stored.id)
        return await self._carry_out(stored, kind, offering[0])

    async def agree(
        self, stored: StoredMatch, kind: OfferKind, ply: int, asker: int, member_id: int
    ) -> StoredMatch | None:
        """Agree to what seat `asker` offered at `ply`; return as `make` does, raise Refusal."""
        await self._check_stands(stored, kind, ply, asker, member_id)
        return await self.make(stored, kind, member_id)

    async def decline(
        self, stored: StoredMatch, kind: OfferKind, ply: int, asker: int, member_id: int
    ) -> None:
        """Put an end to an offer; raise Refusal."""
        await self._check_stands(stored, kind, ply, asker, member_id)
        await self._store.withdraw(stored.id, kind)

    async def wanting(self, stored: StoredMatch, kind: OfferKind) -> tuple[int, ...]:
        """Return the seats that want `kind`, whoever asked first of all."""
        return await self._store.offered(stored.id, kind, stored.match.ply)

    async def _check_stands(
        self, stored: StoredMatch, kind: OfferKind, ply: int, asker: int, member_id: int
    ) -> None:
        seat = check_seated(stored, Member(member_id))
        if seat == asker:
            raise Refusal("refusal.own_offer", stored)
        standing = await self._store.offered(stored.id, kind, ply)
        if ply != stored.match.ply or standing[:1] != (asker,):
            raise Refusal("refusal.offer_gone", stored)

    async def _carry_out(self, stored: StoredMatch, kind: OfferKind, asker: int) -> StoredMatch:
        if kind is OfferKind.DRAW:
            return await self._matches.agree_draw(stored)
        if kind is OfferKind.UNDO:
            return await self._matches.undo(stored, stored.match.players[asker])
        return await self._beginnings.rematch(stored)


def asked(match: Match, kind: OfferKind) -> frozenset[int]:
    """Return the seats of the members who have to agree, whoever asks.

    Those who left have no say any more, but in a new match they would sit again.
    """
    seats = range(match.game.seats) if kind is OfferKind.REMATCH else match.staying
    return frozenset(seat for seat in seats if isinstance(match.players[seat], Member))


def _check(stored: StoredMatch, kind: OfferKind, seat: int, asker: Player) -> None:
    """Raise Refusal or GameError where `kind`, asked by `asker`, makes no sense in this match.

    `seat` is whoever asks or agrees now.
    """
    match = stored.match
    if kind is not OfferKind.REMATCH and seat not in match.staying:
        raise HasLeft
    if kind is OfferKind.DRAW:
        if match.outcome:
            raise MatchOver
        if not match.rated:
            raise Refusal("refusal.computer_plays_on", stored)
    elif kind is OfferKind.UNDO:
        if stored.changes:
            raise Refusal("refusal.result_stands", stored)
        if match.outcome and not match.outcome.counts:
            raise Refusal("refusal.called_off", stored)
        match.undo(asker)
    elif not match.outcome:
        raise Refusal("refusal.not_over", stored)
