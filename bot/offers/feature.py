"""The feature: offers to the other players, such as a draw or a restart, and resigning."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import TypeAlias

from bot.gateway.commands import CommandBuilder, Handler
from bot.gateway.feature import AnyCommand, Feature, Route, route
from bot.gateway.interactions import Interaction, asker_of, own_texts_of, place_of, pressed_message
from bot.gateway.limits import Kind, Limits
from bot.gateway.loops import Loop
from bot.gateway.permissions import check_may_begin
from bot.gateway.responses import ensure_public, response_of
from bot.identity import MatchId, MemberId, Place
from bot.matches.absence import Absence
from bot.matches.boards import Boards
from bot.matches.here import SettingsHere
from bot.matches.in_threads import MatchThreads, Planned
from bot.matches.model import OfferKind, Pressed, StoredMatch
from bot.matches.presses import AskOffer, AskResign, EndOwn, Rematch, RematchInThread, board_pressed
from bot.matches.service import ChannelBusy, MatchService, seat_or_refuse
from bot.matches.ways import Ways
from bot.offers.messages import OfferMessages
from bot.offers.model import (
    NEW_MATCH,
    WHILE_PLAYING,
    Agreed,
    Answer,
    Asked,
    Consent,
    ReallyResign,
    to_ask,
)
from bot.offers.resigning import Resigning, confirmation
from bot.offers.service import OfferService
from bot.offers.view import declined_view, ended_view, restart_view
from bot.refusals import Refusal
from core.players import Member

_EVERY_SECONDS = 5.0
# First come the boards that a kill has left: showing these closes their void questions, too.
_AFTER_SECONDS = 20.0
# From this many moves on, a restart is confirmed first. A match on 3×3 is always shorter.
_LONG = 10

ChallengeAgain: TypeAlias = Callable[[Interaction, StoredMatch], Awaitable[None]]
"""Challenges the other players to the same match in a new thread."""

Read: TypeAlias = Callable[[], Awaitable[Pressed]]
"""Returns a match as it is now, and whether the board that was pressed lags behind it."""


class Offers(Feature):
    """Agreements between players, and resignations.

    Where a rematch is to begin in a thread, `challenge` asks the others, unless all have agreed.
    """

    def __init__(
        self,
        matches: MatchService,
        offers: OfferService,
        messages: OfferMessages,
        boards: Boards,
        threads: MatchThreads,
        challenge: ChallengeAgain,
        absence: Absence,
        ways: Ways,
        here: SettingsHere,
        limits: Limits,
    ):
        self._matches = matches
        self._offers = offers
        self.messages = messages
        self._boards = boards
        self._threads = threads
        self._challenge = challenge
        self._absence = absence
        self._ways = ways
        self._here = here
        self._limits = limits
        self._resigning = Resigning(matches, boards)

    def commands(self, build: CommandBuilder) -> Sequence[AnyCommand]:
        """Return /draw, /undo, /rematch, /restart, /unrated and /resign."""
        kinds = [kind for kind in OfferKind if kind is not OfferKind.RESTART]
        confirm, decline = {"confirm": "option.confirm"}, {"decline": "option.decline"}
        return [
            *(build.command(kind.value, self._offering(kind), decline) for kind in kinds),
            build.command("restart", self.restart, confirm | decline),
            build.command("resign", self._resigning.resign, confirm, private=True),
        ]

    def routes(self) -> Sequence[Route]:
        """Return the presses below a board, and those on the questions that they lead to."""
        return [
            route(AskOffer, self.ask),
            route(AskResign, self._resigning.ask),
            route(EndOwn, self.end_own),
            route(ReallyResign, self._resigning.really),
            route(Consent, self.consent),
            route(Rematch, self.want_rematch),
            route(RematchInThread, self.rematch_in_thread),
        ]

    def loops(self) -> Sequence[Loop]:
        """Return the loop that closes the void questions that a kill has left, after a start."""
        return [
            Loop(
                "closing void questions",
                _EVERY_SECONDS,
                self.messages.catch_up,
                once=True,
                first_after=_AFTER_SECONDS,
                early=True,
            )
        ]

    def _offering(self, kind: OfferKind) -> Handler:
        """Return the handler of the command that offers `kind`, agrees to it or declines it."""

        async def offer(interaction: Interaction, *, decline: bool = False) -> None:
            await self._by_command(interaction, kind, decline=decline)

        return offer

    async def restart(
        self, interaction: Interaction, *, confirm: bool = False, decline: bool = False
    ) -> None:
        """Offer, agree or decline; `confirm` answers the question before a restart."""
        await self._by_command(interaction, OfferKind.RESTART, decline=decline, sure=confirm)

    async def _by_command(
        self, interaction: Interaction, kind: OfferKind, *, decline: bool, sure: bool = False
    ) -> None:
        """Offer `kind` in the channel's match, agree to it, or decline the offer that stands."""
        if not decline:
            await self._offer(interaction, kind, partial(self._meant, interaction, kind), sure=sure)
            return
        await ensure_public(interaction)
        stored = (await self._meant(interaction, kind)).stored
        if (standing := await self._offers.standing(stored, kind)) is None:
            raise Refusal("refusal.no_offer", stored)
        answer = Consent(stored.id, stored.match.ply, kind, standing.asker, Answer.DECLINE)
        with self._offers.under_way(stored.id, kind):
            await self._decline(interaction, answer)

    async def _meant(self, interaction: Interaction, kind: OfferKind) -> Pressed:
        """Return the match in which a member offers `kind` by a command."""
        channel_id = place_of(interaction).channel_id
        if kind in WHILE_PLAYING:
            stored = await self._matches.live(channel_id)
        elif kind is OfferKind.REMATCH:
            stored = await self._offers.to_rematch(channel_id, asker_of(interaction))
        else:
            stored = await self._matches.latest(channel_id)
        return Pressed(stored, lagging=False)

    async def _of_channel(self, interaction: Interaction, match_id: MatchId) -> Pressed:
        """Return a match of this channel whose message was pressed, whatever that shows."""
        stored = await self._matches.get(match_id, place_of(interaction).channel_id)
        return Pressed(stored, lagging=False)

    async def ask(self, interaction: Interaction, press: AskOffer) -> None:
        """Make an offer, unless the board lags behind."""
        me, board = asker_of(interaction), board_pressed(interaction, press)
        read = partial(self._matches.pressed, press.match, me, board)
        await self._offer(interaction, press.kind, read)

    async def _offer(
        self, interaction: Interaction, kind: OfferKind, read: Read, *, sure: bool = False
    ) -> None:
        """Make an offer to the other players, or carry it out if they have made it too.

        Players who have left the server lose instead. If the board lags behind, the current one is
        shown, and nothing is offered. Before a restart that ends a long match, the member is asked,
        unless `sure`.
        """
        found = await read()
        unsure = kind is OfferKind.RESTART and not sure
        if unsure and await self._asks_first(interaction, found):
            return
        try:
            await self._offer_here(interaction, found, kind, read)
        except ChannelBusy as busy:
            in_thread = _in_thread(kind, found.stored.id)
            await self._ways.offer(interaction, busy, in_thread=in_thread)

    async def _asks_first(self, interaction: Interaction, found: Pressed) -> bool:
        """Ask a member whether to restart a long match that they play alone; False for others."""
        match = found.stored.match
        mine = to_ask(match, OfferKind.RESTART, ()) == [asker_of(interaction)]
        if found.lagging or not mine or match.outcome or match.ply < _LONG:
            return False
        view = restart_view(found.stored, own_texts_of(interaction))
        await response_of(interaction).show_own(view)
        return True

    async def _offer_here(
        self, interaction: Interaction, found: Pressed, kind: OfferKind, read: Read
    ) -> None:
        if found.lagging:
            await self._boards.show_current(interaction, found.stored)
            return
        settled = await self._settle(interaction, found.stored, kind)
        if settled is not found.stored:
            agreed = Agreed(found.stored, kind, None, settled)
            await self.messages.show_made(interaction, agreed)
            return
        place, offered = place_of(interaction), None
        with ExitStack() as until_shown:
            # Called last, after the end of `under_way`: until then no such question counts as void.
            until_shown.callback(self.messages.close_void_later, found.stored)
            async with self._matches.lock(place.channel_id):
                if not (found := await read()).lagging:
                    me = asker_of(interaction)
                    offered = await self._offers.make(found.stored, kind, me, place)
                    until_shown.enter_context(self._offers.under_way(found.stored.id, kind))
            if offered is None:
                await self._boards.show_current(interaction, found.stored)
            else:
                await self.messages.show(interaction, offered)

    async def _settle(
        self, interaction: Interaction, stored: StoredMatch, kind: OfferKind
    ) -> StoredMatch:
        """Let players who have left the server depart, and return the match; `stored` if none has.

        Raises Refusal if `kind` can't be offered by the asker, or here. Discord is asked who is
        there before the channel is locked.
        """
        me = asker_of(interaction)
        seat_or_refuse(stored, me)
        if kind in NEW_MATCH:
            await self._check_may_begin(interaction, stored, kind)
        settled = await self._absence.settle(stored, me)
        if settled is stored:
            await self._check_there(settled, kind, me)
        return settled

    async def _check_may_begin(
        self, interaction: Interaction, stored: StoredMatch, kind: OfferKind
    ) -> None:
        """Raise Refusal if no match may begin here, or the asker lacks the role to begin one.

        Agreeing to what another has offered takes no role.
        """
        role_id = (await self._here.settings_or_refuse(interaction)).begin_role
        if role_id is not None and await self._offers.standing(stored, kind) is None:
            check_may_begin(interaction, role_id)

    async def _check_there(self, stored: StoredMatch, kind: OfferKind, me: MemberId) -> None:
        """Raise Refusal if a player who has to agree can't do so here, or can't play a new match.

        They may have left the server, not see the channel, or be blocked by the host. Those who
        want a draw, an undo or the like already have no more to do. A match that isn't over has no
        rematch, even if a player has left.
        """
        if kind is OfferKind.REMATCH and not stored.match.outcome:
            return
        others = {*to_ask(stored.match, kind, ())} - {me}
        if others and kind not in NEW_MATCH:
            _, offer = await self._offers.possible(stored, kind, me)
            others &= {*to_ask(stored.match, kind, offer.wanting if offer else ())}
        await self._absence.check_there(stored, others)

    async def consent(self, interaction: Interaction, press: Consent) -> None:
        """Agree to an offer or decline it; the member who made it withdraws it by declining."""
        answer = self._decline if press.answer is Answer.DECLINE else self._agree
        try:
            with self._offers.under_way(press.match, press.kind):
                await answer(interaction, press)
        except ChannelBusy as busy:  # once the channel is free, the offer can be agreed to
            in_thread = _in_thread(press.kind, press.match)
            await self._ways.offer(interaction, busy, in_thread=in_thread)
        except Refusal:
            await self._close_if_void(interaction, press)
            raise

    async def _close_if_void(self, interaction: Interaction, press: Consent) -> None:
        """Take the buttons off a question that a player has pressed if its offer is void.

        An offer is void, too, if the match has gone to another channel.
        """
        with suppress(Refusal):
            stored = await self._matches.get(press.match)
            plays = Member(asker_of(interaction)) in stored.match.players
            known = plays and press.asker < stored.match.game.seats
            offer = await self._offers.answered(stored, press)
            here = stored.is_in(place_of(interaction))
            if known and not (here and offer and self._offers.is_open(stored, offer)):
                self.messages.close_pressed(interaction, press)

    async def _decline(self, interaction: Interaction, press: Consent) -> None:
        me, channel_id = asker_of(interaction), place_of(interaction).channel_id
        async with self._matches.lock(channel_id):
            stored = await self._matches.get(press.match, channel_id)
            seat = seat_or_refuse(stored, me)
            offer = await self._offers.decline(stored, press)
            asker = stored.match.players[offer.asker]
            if isinstance(asker, Member):
                self._limits.spend(Kind.ASKING, MemberId(asker.id))
        if seat == press.asker:
            view = ended_view(stored, press.kind, seat, "offer.withdrawn")
        else:
            view = declined_view(stored, press.kind, seat)
        await self.messages.show_declined(interaction, stored, view, offer)

    async def _agree(self, interaction: Interaction, press: Consent) -> None:
        me, place = asker_of(interaction), place_of(interaction)
        channel_id = place.channel_id
        if press.kind in NEW_MATCH:
            # Discord is asked who is there before the channel is locked.
            asked = await self._matches.get(press.match, channel_id)
            seat_or_refuse(asked, me)
            await self._here.settings_or_refuse(interaction)
            await self._check_there(asked, press.kind, me)
        async with self._matches.lock(channel_id):
            stored = await self._matches.get(press.match, channel_id)
            offered = await self._offers.agree(stored, press, me, place)
        if isinstance(offered, Asked):
            await self.messages.show_agreed(interaction, offered, press)
        else:
            await self.messages.show_made(interaction, offered, pressed_message(interaction))

    async def want_rematch(self, interaction: Interaction, press: Rematch) -> None:
        """Ask the others for a rematch, or start it."""
        read = partial(self._of_channel, interaction, press.match)
        await self._offer(interaction, OfferKind.REMATCH, read)

    async def rematch_in_thread(self, interaction: Interaction, press: RematchInThread) -> None:
        """Play a match again in a new thread, while another one holds its channel.

        If somebody still has to agree, the others are challenged there.
        """
        async with self._threads.one_by_one(interaction) as may:
            if may:
                stored = await self._matches.get(press.match, place_of(interaction).channel_id)
                await self._again_in_thread(interaction, stored)

    async def _again_in_thread(self, interaction: Interaction, stored: StoredMatch) -> None:
        me, match = asker_of(interaction), stored.match
        seat_or_refuse(stored, me)
        await self._check_may_begin(interaction, stored, OfferKind.REMATCH)
        wanting = await self._offers.wanting_rematch(stored, me)
        if to_ask(match, OfferKind.REMATCH, wanting):
            await self._challenge(interaction, stored)
            await self._offers.end(stored, OfferKind.REMATCH)  # its answers count from now on
            self.messages.close_void_later(stored)
            return
        await self._check_there(stored, OfferKind.REMATCH, me)
        names = [name for name in stored.names if name is not None]
        planned = Planned(match.game, match.options, names, stored.clock)
        begin = partial(self._begin_again, stored.id, me)
        await self._threads.begin(interaction, planned, begin)

    async def _begin_again(self, match_id: MatchId, me: MemberId, thread: Place) -> None:
        """Begin a rematch that all want in a thread, and show it there; raise Refusal."""
        with self._offers.under_way(match_id, OfferKind.REMATCH):
            async with self._matches.held(match_id) as stored:
                agreed = await self._offers.rematch_in(stored, me, thread)
            await self.messages.leave_channel(agreed)
        await self._threads.show(agreed.made, me)

    async def end_own(self, interaction: Interaction, press: EndOwn) -> None:
        """Restart the match that keeps the asker's channel busy, or ask whether to resign it."""
        if press.action != "resign":
            read = partial(self._of_channel, interaction, press.match)
            await self._offer(interaction, OfferKind.RESTART, read, sure=press.action == "sure")
            return
        stored = await self._matches.get(press.match, place_of(interaction).channel_id)
        await response_of(interaction).edit(confirmation(interaction, stored))


def _in_thread(kind: OfferKind, match_id: MatchId) -> RematchInThread | None:
    """Return the press that does in a thread what was offered in a busy channel, if any can."""
    return RematchInThread(match_id) if kind is OfferKind.REMATCH else None
