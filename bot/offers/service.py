"""Changes that need the other players' consent: a draw, an undo, a rematch.

An offer stands for the ply at which it was made. A member who asks for something that another seat
has offered agrees to it, so two offers that cross become one agreement.
"""

from bot.identity import MemberId, is_former
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService, check_not_archived, check_seated
from bot.matches.start import MatchStarter
from bot.offers.store import OfferStore
from bot.refusals import Refusal
from core.errors import GameError, HasLeft, MatchOver
from core.match import Match
from core.players import Member, Player


class OfferService:
    """Offers between the players of a match."""

    def __init__(self, store: OfferStore, matches: MatchService, starter: MatchStarter):
        self._store = store
        self._matches = matches
        self._starter = starter

    async def make(
        self, stored: StoredMatch, kind: OfferKind, member_id: MemberId
    ) -> StoredMatch | None:
        """Offer or agree; return the changed or the next match, None while others have to agree.

        Raises Refusal for an offer that isn't possible now.
        """
        match = stored.match
        seat = check_seated(stored, member_id)
        check_not_archived(stored)
        standing = await self.wanting(stored, kind)
        asker = next(iter(standing), seat)
        try:
            _check(stored, kind, seat, match.players[asker])
        except GameError as error:
            raise Refusal(error, stored) from error
        if match.outcome:
            # Only the channel's last match can be played on or again.
            await self._matches.check_last(stored)
        mine = {s for s, player in enumerate(match.players) if player == Member(member_id)}
        others = asked(match, kind) - mine
        if not others:
            return await self._carry_out(stored, kind, seat)
        # If the member who had to agree has left, asking again carries the offer out.
        if seat in standing and not others.issubset(standing):
            raise Refusal("refusal.offer_stands", stored)
        offering = await self._store.offer(stored.id, kind, seat, match.ply)
        if not others.issubset(offering):
            return None
        # A change of the match ends all offers: after an undo their ply may come again.
        await self._store.withdraw(stored.id)
        return await self._carry_out(stored, kind, offering[0])

    async def agree(
        self, stored: StoredMatch, kind: OfferKind, ply: int, asker: int, member_id: MemberId
    ) -> StoredMatch | None:
        """Agree to the offer of seat `asker` at `ply`; return as `make` does, raise Refusal."""
        await self._check_stands(stored, kind, ply, asker, member_id)
        return await self.make(stored, kind, member_id)

    async def decline(
        self, stored: StoredMatch, kind: OfferKind, ply: int, asker: int, member_id: MemberId
    ) -> None:
        """End an offer; raise Refusal."""
        await self._check_stands(stored, kind, ply, asker, member_id)
        await self._store.withdraw(stored.id, kind)

    async def wanting(self, stored: StoredMatch, kind: OfferKind) -> tuple[int, ...]:
        """Return the seats that want `kind`, the one that asked first."""
        return await self._store.offered(stored.id, kind, stored.match.ply)

    async def _check_stands(
        self, stored: StoredMatch, kind: OfferKind, ply: int, asker: int, member_id: MemberId
    ) -> None:
        seat = check_seated(stored, member_id)
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
        return await self._starter.rematch(stored)


def asked(match: Match, kind: OfferKind) -> frozenset[int]:
    """Return the seats of the members who have to agree, the asker's included.

    Members who have left have no say any more, but in a new match they would sit again.
    """
    seats = range(match.game.seats) if kind is OfferKind.REMATCH else match.staying
    return frozenset(seat for seat in seats if isinstance(match.players[seat], Member))


def _check(stored: StoredMatch, kind: OfferKind, seat: int, asker: Player) -> None:
    """Raise Refusal or GameError if `kind`, asked by `asker`, isn't possible in this match.

    `seat` is the one that asks or agrees now.
    """
    match = stored.match
    sitting = (match.players[asked_seat] for asked_seat in asked(match, kind))
    if any(isinstance(player, Member) and is_former(player.id) for player in sitting):
        raise Refusal("refusal.former_player", stored)
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
            raise Refusal(f"refusal.{match.outcome.termination}", stored)
        match.undo(asker)
    elif not match.outcome:
        raise Refusal("refusal.not_over", stored)
