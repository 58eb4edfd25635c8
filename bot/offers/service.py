"""Changes that need the other players' consent: a draw, an undo, a rematch and the like.

An offer stands for the ply at which it was made. A member who asks for something that another seat
has offered agrees to it, so two offers that cross become one agreement.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from cachetools import LRUCache

from bot.identity import MatchId, MemberId, MessageId, Place, is_former
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService, check_not_archived, may_count, seat_or_refuse
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.offers.model import NEW_MATCH, WHILE_PLAYING, Offer, Offered, Question, asked
from bot.offers.store import OfferStore
from bot.refusals import Refusal
from core.errors import GameError, HasLeft, MatchOver
from core.match import Match
from core.players import Member, Player

# The most answered questions to remember: more than are on their way to Discord at any time.
_REMEMBERED = 1000
# Questions that nobody answers stay open for years. Those that a kill has left are among the
# newest.
_MOST_READ = 1000


class OfferService:
    """Offers between the players of a match."""

    def __init__(
        self,
        store: OfferStore,
        match_store: MatchStore,
        matches: MatchService,
        starter: MatchStarter,
    ):
        self._store = store
        self._match_store = match_store
        self._matches = matches
        self._starter = starter
        # The offers of which questions are on their way to Discord, or are being answered.
        self._under_way: list[tuple[MatchId, OfferKind]] = []
        # The last questions that have lost their buttons, perhaps before the bot knew their ids.
        self._answered: LRUCache[MessageId, bool] = LRUCache(_REMEMBERED)

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
    ) -> Offered:
        """Offer or agree; return the offer, with the match that it has made once all agree.

        `place` is that of the match as Discord tells it now. Raises Refusal for an offer that isn't
        possible now.
        """
        match = stored.match
        seat = seat_or_refuse(stored, member_id)
        check_not_archived(stored)
        standing = await self.wanting(stored, kind)
        asker = next(iter(standing), seat)
        try:
            _check(stored, kind, seat, match.players[asker])
        except GameError as error:
            raise Refusal(error, stored) from error
        if match.outcome:
            # Only the last match of a series can be resumed or played again.
            await self._matches.check_last(stored)
        mine = {s for s, player in enumerate(match.players) if player == Member(member_id)}
        others = asked(match, kind) - mine
        # Asking again isn't refused if all others agree by now, because one of them has left.
        if seat in standing and not others.issubset(standing) and await self._seen(stored, kind):
            raise Refusal("refusal.offer_stands", stored)
        wanting: Sequence[int] = [seat]
        if others:
            wanting = await self._store.offer(stored.id, kind, seat, match.ply)
        if not others.issubset(wanting):
            return await self.offered(stored, kind, wanting)
        made = await self._carry_out(stored, kind, wanting[0], place)
        return await self.offered(stored, kind, wanting, made)

    async def agree(
        self, stored: StoredMatch, offer: Offer, member_id: MemberId, place: Place
    ) -> Offered:
        """Agree to an offer; return it as `make` does; raise Refusal."""
        # Checked first, so that a stranger's press doesn't close the question of a void offer.
        seat = seat_or_refuse(stored, member_id)
        await self._check_stands(stored, offer)
        if seat == offer.asker:
            raise Refusal("refusal.own_offer", stored)
        return await self.make(stored, offer.kind, member_id, place)

    async def decline(self, stored: StoredMatch, offer: Offer) -> None:
        """End an offer, the member's own or another's; raise Refusal."""
        await self._check_stands(stored, offer)
        await self._store.decline(stored.id, offer.kind)

    async def take_back(self, stored: StoredMatch, kind: OfferKind, member_id: MemberId) -> None:
        """Forget a member's offer of `kind`, or their agreement; raise Refusal for a stranger."""
        seat = seat_or_refuse(stored, member_id)
        await self._store.take_back(stored.id, kind, seat, stored.match.ply)

    async def wanting(self, stored: StoredMatch, kind: OfferKind) -> tuple[int, ...]:
        """Return the seats that want `kind`; the one that has asked comes first."""
        return await self._store.offered(stored.id, kind, stored.match.ply)

    async def offered(
        self,
        stored: StoredMatch,
        kind: OfferKind,
        wanting: Sequence[int],
        made: StoredMatch | None = None,
    ) -> Offered:
        """Return an offer of the seats `wanting`, with its questions and the match `made` by it."""
        return Offered(stored, kind, made, wanting, await self.question_ids(stored, kind))

    async def _check_stands(self, stored: StoredMatch, offer: Offer) -> None:
        """Raise Refusal unless an offer stands."""
        if offer.asker >= stored.match.game.seats:
            raise Refusal("refusal.unknown_button", stored)
        if not await self.stands(stored, offer):
            # After a restart or a rematch, the channel's board is that of another match.
            current = await self._matches.latest(stored.place.channel_id)
            raise Refusal("refusal.offer_gone", current)

    async def stands(self, stored: StoredMatch, offer: Offer) -> bool:
        """Return whether an offer stands in a match."""
        standing = await self._store.offered(stored.id, offer.kind, offer.ply)
        return offer.ply == stored.match.ply and standing[:1] == (offer.asker,)

    async def question_ids(self, stored: StoredMatch, kind: OfferKind) -> list[MessageId]:
        """Return the messages that ask for `kind`."""
        if not stored.asking:
            return []
        return [q.message_id for q in await self._store.questions(stored.id) if q.kind is kind]

    async def _seen(self, stored: StoredMatch, kind: OfferKind) -> bool:
        """Return False if nobody has seen an offer, because a kill came before its question."""
        if (stored.id, kind) in self._under_way:
            return True
        # Not `asking`: a question may have arrived since the match was read.
        return any(one.kind is kind for one in await self._store.questions(stored.id))

    async def questioned(self) -> Sequence[MatchId]:
        """Return the matches here whose questions to look at after a start, the newest first."""
        return await self._store.questioned(_MOST_READ)

    async def note_question(
        self, match_id: MatchId, question: Question, before: Collection[MessageId]
    ) -> None:
        """Note a question that has arrived, in place of those `before`, unless it was answered."""
        await self._store.note_question(match_id, question, before)
        if question.message_id in self._answered:  # perhaps while this was written
            await self._store.forget_questions(match_id, [question.message_id])

    async def void_questions(self, stored: StoredMatch) -> list[Question]:
        """Return the questions of a match whose offers are void, to lose their buttons."""
        # Read before the questions are: an answer stays under way until its result is written.
        answered = {kind for match_id, kind in self._under_way if match_id == stored.id}
        return [
            question
            for question in await self._store.questions(stored.id)
            if question.kind not in answered
            and not await self.is_open(
                stored, Offer(question.kind, stored.match.ply, question.seat)
            )
        ]

    async def note_buttons_gone(
        self, match_id: MatchId, message_ids: Collection[MessageId]
    ) -> None:
        """Note that questions have lost their buttons, or never will."""
        if message_ids:
            self._answered.update(dict.fromkeys(message_ids, True))
            await self._store.forget_questions(match_id, message_ids)

    async def is_open(self, stored: StoredMatch, offer: Offer) -> bool:
        """Return whether an offer stands, and a match can still have it.

        It can't once the data of a player is erased, or the series has gone on. If another match
        holds the channel, the offer waits until that is over.
        """
        if not await self.stands(stored, offer):
            return False
        try:
            _check(stored, offer.kind, offer.asker, stored.match.players[offer.asker])
        except (GameError, Refusal):
            return False
        over = stored.match.outcome is not None
        return not over or await self._match_store.played_again(stored) is None

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


# The offers that a match of a tournament can't have, with the reason: all but a draw.
_NOT_IN_TOURNAMENTS = {
    OfferKind.UNDO: "refusal.tournament.match.undo",
    OfferKind.REMATCH: "refusal.tournament.match.again",
    OfferKind.RESTART: "refusal.tournament.match.again",
    OfferKind.UNRATED: "refusal.tournament.match.unrated",
}


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
