"""Changes that need the other players' consent: a draw, an undo, a rematch and the like.

An offer stands for the ply at which it was made. A member who asks for something that another seat
has offered agrees to it, so two offers that cross become one agreement.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from cachetools import LRUCache

from bot.identity import ChannelId, MatchId, MemberId, MessageId, Place, is_former
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService, check_not_archived, may_count, seat_or_refuse
from bot.matches.start import MatchStarter
from bot.offers.model import NEW_MATCH, WHILE_PLAYING, Agreed, Asked, Consent, Offer, asked, to_ask
from bot.offers.store import OfferStore
from bot.refusals import Refusal
from core.errors import GameError, HasLeft, MatchOver
from core.match import Match
from core.players import Member, Player

# The most draws that were offered in vain to remember: more than are offered in a few minutes.
_REMEMBERED = 10_000


class OfferService:
    """Offers between the players of a match.

    `check_pace` raises Refusal for a member who has asked in vain too often lately.
    """

    def __init__(
        self,
        store: OfferStore,
        matches: MatchService,
        starter: MatchStarter,
        check_pace: Callable[[MemberId], None],
    ):
        self._store = store
        self._matches = matches
        self._starter = starter
        self._check_pace = check_pace
        # The offers of which questions are on their way to Discord, or are being answered.
        self._under_way: list[tuple[MatchId, OfferKind]] = []
        # How many moves a seat had made when its last draw was declined or taken back.
        self._drawless: LRUCache[tuple[MatchId, int], int] = LRUCache(_REMEMBERED)

    @contextmanager
    def under_way(self, match_id: MatchId, kind: OfferKind) -> Iterator[None]:
        """Leave the questions for `kind` to the caller within this context.

        Meanwhile an offer of that kind counts as seen although no question is known yet, and none
        of its questions counts as void.
        """
        self._under_way.append((match_id, kind))
        try:
            yield
        finally:
            self._under_way.remove((match_id, kind))

    async def make(
        self, stored: StoredMatch, kind: OfferKind, member_id: MemberId, place: Place
    ) -> Asked | Agreed:
        """Offer or agree, and carry out what all agree on.

        `place` is that of the match as Discord tells it now. Raises Refusal for an offer that isn't
        possible now.
        """
        match = stored.match
        seat, offer = await self.possible(stored, kind, member_id)
        if match.outcome:
            # Only the last match of a series can be resumed or played again.
            await self._matches.check_last(stored)
        mine = {s for s, player in enumerate(match.players) if player == Member(member_id)}
        others = asked(match, kind) - mine
        if not others:
            made = await self._carry_out(stored, kind, seat, place)
            return Agreed(stored, kind, offer, made)
        missing = others.difference(offer.wanting if offer else ())
        # Asking again isn't refused if all others agree by now, because one of them has left.
        if missing and offer and seat in offer.wanting:
            self._check_unseen(stored, offer)
        elif offer is None:
            self._check_new(stored, kind, seat, member_id)
        offer = await self._store.offer(stored.id, kind, seat, match.ply)
        if not others.issubset(offer.wanting):
            return Asked(stored, offer)
        made = await self._carry_out(stored, kind, offer.asker, place)
        return Agreed(stored, kind, offer, made)

    async def possible(
        self, stored: StoredMatch, kind: OfferKind, member_id: MemberId
    ) -> tuple[int, Offer | None]:
        """Return the seat of a member who wants `kind`, and the offer that stands.

        Raises Refusal if the match can't have `kind`.
        """
        seat = seat_or_refuse(stored, member_id)
        check_not_archived(stored)
        offer = await self.standing(stored, kind)
        _check_or_refuse(stored, kind, seat, offer.asker if offer else seat)
        return seat, offer

    async def to_rematch(self, channel_id: ChannelId, member_id: MemberId) -> StoredMatch:
        """Return the match that a member wants to play again, by a command in a channel.

        It is the last match of the channel. But if others hold the channel, or the member's own
        match does while they are asked for a rematch, it is their last finished match there.
        Raises Refusal if the channel has no match.
        """
        latest = await self._matches.latest(channel_id, "refusal.nothing_to_rematch")
        plays = Member(member_id) in latest.match.players
        if plays and latest.match.outcome:
            return latest
        own = await self._matches.last_finished(channel_id, member_id)
        if own is None:
            return latest
        asked_for = not plays or await self.standing(own, OfferKind.REMATCH) is not None
        return own if asked_for else latest

    async def wanting_rematch(self, stored: StoredMatch, member_id: MemberId) -> set[int]:
        """Return the seats that want a rematch if a member does, too; raise Refusal."""
        seat, offer = await self.possible(stored, OfferKind.REMATCH, member_id)
        await self._matches.check_not_rematched(stored)
        return {seat, *(offer.wanting if offer else ())}

    async def rematch_in(self, stored: StoredMatch, member_id: MemberId, thread: Place) -> Agreed:
        """Begin a rematch that all want in a thread, although another match holds the channel.

        Raises Refusal.
        """
        offer = await self.standing(stored, OfferKind.REMATCH)
        wanting = await self.wanting_rematch(stored, member_id)
        if to_ask(stored.match, OfferKind.REMATCH, wanting):
            raise Refusal("refusal.offer_gone", stored)
        made = await self._starter.rematch(replace(stored, place=thread))
        return Agreed(stored, OfferKind.REMATCH, offer, made)

    def _check_new(
        self, stored: StoredMatch, kind: OfferKind, seat: int, member_id: MemberId
    ) -> None:
        """Raise Refusal if a member has to wait before asking the others for `kind`."""
        moves = _moves_of(stored.match, seat)
        if kind is OfferKind.DRAW and self._drawless.get((stored.id, seat)) == moves:
            raise Refusal("refusal.draw_again", stored)
        self._check_pace(member_id)

    def _check_unseen(self, stored: StoredMatch, offer: Offer) -> None:
        """Raise Refusal unless a kill came before the question, so that nobody has seen it."""
        if offer.question is not None or (stored.id, offer.kind) in self._under_way:
            raise Refusal("refusal.offer_stands", stored)

    async def agree(
        self, stored: StoredMatch, press: Consent, member_id: MemberId, place: Place
    ) -> Asked | Agreed:
        """Agree to an offer, as `make` does; raise Refusal."""
        # Checked first, so that a stranger's press doesn't close the question of a void offer.
        seat = seat_or_refuse(stored, member_id)
        offer = await self._answered_or_refuse(stored, press)
        if seat == offer.asker:
            raise Refusal("refusal.own_offer", stored)
        return await self.make(stored, offer.kind, member_id, place)

    async def decline(self, stored: StoredMatch, press: Consent) -> Offer:
        """End an offer, the member's own or another's, and return it; raise Refusal."""
        offer = await self._answered_or_refuse(stored, press)
        await self._store.end(offer.id)
        if offer.kind is OfferKind.DRAW:
            moves = _moves_of(stored.match, offer.asker)
            self._drawless[stored.id, offer.asker] = moves
        return offer

    async def end(self, stored: StoredMatch, kind: OfferKind) -> None:
        """End the offer of `kind` that stands in a match, if there is one."""
        if (offer := await self.standing(stored, kind)) is not None:
            await self._store.end(offer.id)

    async def take_back(self, asked: Asked, member_id: MemberId) -> None:
        """Forget a member's offer, or their agreement to it; raise Refusal for a stranger."""
        await self._store.take_back(asked.offer.id, seat_or_refuse(asked.stored, member_id))

    async def standing(self, stored: StoredMatch, kind: OfferKind) -> Offer | None:
        """Return the offer of `kind` that stands in a match."""
        for offer in await self._store.offers(stored.id):
            if offer.kind is kind and offer.ply == stored.match.ply:
                return offer
        return None

    async def answered(self, stored: StoredMatch, press: Consent) -> Offer | None:
        """Return the offer that a press answers; None if it doesn't stand."""
        offer = await self.standing(stored, press.kind)
        if offer is None or (offer.ply, offer.asker) != (press.ply, press.asker):
            return None
        return offer

    async def _answered_or_refuse(self, stored: StoredMatch, press: Consent) -> Offer:
        """Return the offer that a press answers; raise Refusal if it doesn't stand."""
        if press.asker >= stored.match.game.seats:
            raise Refusal("refusal.unknown_button", stored)
        if (offer := await self.answered(stored, press)) is None:
            # After a restart or a rematch, the channel's board is that of another match.
            current = await self._matches.latest(stored.place.channel_id)
            raise Refusal("refusal.offer_gone", current)
        return offer

    async def void(self, stored: StoredMatch) -> dict[MessageId, Offer]:
        """Return the questions of a match that are to lose their buttons, with the void offers."""
        # Read before the offers are: an answer stays under way until its result is written.
        answered = {kind for match_id, kind in self._under_way if match_id == stored.id}
        return {
            offer.question: offer
            for offer in await self._store.offers(stored.id)
            if offer.question is not None
            and offer.kind not in answered
            and not self.is_open(stored, offer)
        }

    def is_open(self, stored: StoredMatch, offer: Offer) -> bool:
        """Return whether an offer stands, and a match can still have it.

        It can't once the data of a player is erased, or the series has gone on. If another match
        holds the channel, the offer waits until that is over.
        """
        if offer.ply != stored.match.ply:
            return False
        try:
            _check(stored, offer.kind, offer.asker, stored.match.players[offer.asker])
        except (GameError, Refusal):
            return False
        return not stored.played_again

    async def _carry_out(
        self, stored: StoredMatch, kind: OfferKind, asker: int, place: Place
    ) -> StoredMatch:
        if kind is OfferKind.DRAW:
            return await self._matches.change(stored, Match.agree_draw)
        if kind is OfferKind.UNDO:
            player = stored.match.players[asker]
            return await self._matches.change(stored, lambda match: match.undo(player))
        if kind is OfferKind.UNRATED:
            return await self._matches.play_on_unrated(stored)
        if place.has_channels:
            # The language may have changed since, or the bot may have been added to the server.
            stored = replace(stored, place=place)
        if kind is OfferKind.RESTART:
            return await self._starter.restart(stored)
        return await self._starter.rematch(stored)


def _moves_of(match: Match, seat: int) -> int:
    """Return how many moves a seat has made."""
    return sum(position.to_move == seat for position in match.positions[: match.ply])


# The offers that a match of a tournament can't have, with the reason: all but a draw.
_NOT_IN_TOURNAMENTS = {
    OfferKind.UNDO: "refusal.tournament.match.undo",
    OfferKind.REMATCH: "refusal.tournament.match.again",
    OfferKind.RESTART: "refusal.tournament.match.again",
    OfferKind.UNRATED: "refusal.tournament.match.unrated",
}


def _check_or_refuse(stored: StoredMatch, kind: OfferKind, seat: int, asker: int) -> None:
    """Raise Refusal if `kind`, asked by the seat `asker`, isn't possible for this `seat`."""
    try:
        _check(stored, kind, seat, stored.match.players[asker])
    except GameError as error:
        raise Refusal(error, stored) from error


def _check(stored: StoredMatch, kind: OfferKind, seat: int, asker: Player) -> None:
    """Raise Refusal or GameError if `kind`, asked by `asker`, isn't possible in this match.

    `seat` is the seat that asks or agrees now.
    """
    match = stored.match
    if stored.tournament_id is not None and kind in _NOT_IN_TOURNAMENTS:
        raise Refusal(_NOT_IN_TOURNAMENTS[kind], stored)
    if kind is OfferKind.REMATCH and not match.outcome:
        raise Refusal("refusal.not_over", stored)
    sitting = (match.players[asked_seat] for asked_seat in asked(match, kind))
    if any(isinstance(player, Member) and is_former(player.id) for player in sitting):
        raise Refusal("refusal.former_player", stored)
    if kind not in NEW_MATCH and seat not in match.staying:
        raise MatchOver if match.outcome else HasLeft
    if kind in WHILE_PLAYING and match.outcome:
        raise MatchOver
    if kind is OfferKind.UNDO:
        _check_undo(stored, asker)
    if kind is OfferKind.DRAW and not match.rated:
        raise Refusal("refusal.computer_plays_on", stored)
    if kind is OfferKind.UNRATED and not may_count(stored):
        raise Refusal("refusal.unrated_already", stored)


def _check_undo(stored: StoredMatch, asker: Player) -> None:
    outcome = stored.match.outcome
    if stored.entry.changes:
        raise Refusal("refusal.result_stands", stored)
    if outcome and not outcome.has_result:
        raise Refusal(f"refusal.{outcome.termination}", stored)
    stored.match.undo(asker)
