"""The messages of offers: the questions, the results, and the questions that lose their buttons."""

import logging
from collections.abc import Collection
from contextlib import suppress
from functools import partial

from cachetools import LRUCache

from bot.db.errors import ChangedError, CorruptRowError
from bot.gateway.channels import Channels
from bot.gateway.components import Layout
from bot.gateway.errors import ANSWER_FAILED, only_passing
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    place_of,
    pressed_message,
    public_message,
)
from bot.gateway.responses import defer_private
from bot.identity import MatchId, MemberId, MessageId, Posted
from bot.matches.boards import Boards
from bot.matches.first_boards import FirstBoards
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService
from bot.matches.store import SettingsStore
from bot.offers.model import Agreed, Asked, Consent, Offer, to_ask
from bot.offers.service import OfferService
from bot.offers.store import OfferStore
from bot.offers.view import ended_view, offer_view
from bot.refusals import Refusal

log = logging.getLogger(__name__)

# The most answered questions to remember: more than are answered in the moment that a press takes.
_REMEMBERED = 1000
# Questions that nobody answers stay open for years. Those that a kill has left are new.
_MOST_READ = 1000


class OfferMessages:
    """Asks the other players, and shows what they have agreed on.

    A question loses its buttons when its offer is void.
    """

    def __init__(
        self,
        store: OfferStore,
        matches: MatchService,
        offers: OfferService,
        settings: SettingsStore,
        boards: Boards,
        first_boards: FirstBoards,
        channels: Channels,
    ):
        self._store = store
        self._matches = matches
        self._offers = offers
        self._settings = settings
        self._boards = boards
        self._first_boards = first_boards
        self._channels = channels
        self._requests = channels.requests
        # The last questions that were answered: another press may have come at the same moment.
        self._answered: LRUCache[MessageId, bool] = LRUCache(_REMEMBERED)

    async def show(self, interaction: Interaction, offered: Asked | Agreed) -> None:
        """Show the question to the other players, or what they have agreed on.

        If the others can't be shown the offer, it is taken back, so that it can be made again.
        """
        if isinstance(offered, Agreed):
            await self.show_made(interaction, offered)
            return
        stored, offer = offered.stored, offered.offer
        # An earlier question has notified them already.
        notify = [] if offer.question else await self._notified(stored, offer)
        private = await defer_private(interaction)
        try:
            view = offer_view(stored, offer)
            message_id = await self._channels.answer(interaction, view, *notify)
        except ANSWER_FAILED:
            await self._offers.take_back(offered, asker_of(interaction))
            raise

        async def note() -> None:
            older = await self._note_question(offered, message_id)
            self._boards.arrivals.remove(stored, [private, older], interaction)

        await self._requests.now_or_later(note)

    async def _notified(self, stored: StoredMatch, offer: Offer) -> Collection[MemberId]:
        """Return the members whom the question for an offer notifies.

        Those who take no challenges agreed to the match, but not to more: once it is over, the
        question for a rematch or an undo waits until they look.
        """
        members = to_ask(stored.match, offer.kind, offer.wanting)
        if not stored.match.outcome:
            return members
        return {*members} - await self._settings.unwilling(members)

    async def _note_question(self, asked: Asked, message_id: MessageId) -> MessageId | None:
        """Note a question that has arrived; return an older one, which is to be removed.

        If the offer was answered meanwhile, the question loses its buttons, unless it is the one
        that was pressed: the answer changes that.
        """
        try:
            return await self._store.note_question(asked.offer.id, message_id)
        except ChangedError:
            if message_id not in self._answered:
                question = Posted(asked.stored.place, message_id)
                self._close_later(question, asked.stored.id, asked.offer)
            return None

    async def show_made(
        self, interaction: Interaction, agreed: Agreed, pressed: MessageId | None = None
    ) -> None:
        """Show the result of an agreement: the same match, whose board moves on, or a new one."""
        before, offer, made = agreed.before, agreed.offer, agreed.made
        if pressed:
            self._answered[pressed] = True
        question = offer.question if offer else None
        old = {await defer_private(interaction), pressed, question}
        if made.id == before.id:
            await self._boards.show(interaction, made, [*old, before.board_id])
        elif agreed.kind is OfferKind.RESTART:
            self._boards.arrivals.retire(before)
            await self._boards.show(interaction, made, [*old, before.board_id])
        else:
            await self._first_boards.show(interaction, made, old, before)
        if offer:
            await self._forget(before, offer, pressed, question)
        # If the match goes on, its new board does this, by `MatchService.note_void`.
        if made.id != before.id and before.asking:
            self.close_void_later(before)

    async def leave_channel(self, agreed: Agreed) -> None:
        """Remove the question for a rematch that has begun in a thread, and forget its offer.

        The final board then loses the buttons for playing again, and void questions lose theirs.
        """
        before, offer = agreed.before, agreed.offer
        self._first_boards.close_final_later(before, agreed.made)
        if offer is not None:
            self._boards.arrivals.remove(before, [offer.question])
            await self._forget(before, offer, offer.question)
        self.close_void_later(before)

    async def show_agreed(self, interaction: Interaction, asked: Asked, press: Consent) -> None:
        """Show in the pressed question who has agreed, as others still have to.

        If the offer ends meanwhile, the change that shows its end may reach Discord before this
        one, which then gives the question its buttons back. So they are taken off again.
        """
        question = Posted(place_of(interaction), pressed_message(interaction))
        await self._channels.replace(interaction, offer_view(asked.stored, asked.offer))
        stored = await self._matches.get(press.match)
        if await self._offers.answered(stored, press) is None:
            self._close_later(question, press.match, press)

    async def show_declined(
        self, interaction: Interaction, stored: StoredMatch, view: Layout, offer: Offer
    ) -> None:
        """Show how an offer has ended, in place of its question.

        If two have arrived, because Discord's reply to the first was lost, only one is known, and
        the other one may be pressed.
        """
        pressed = public_message(interaction)
        if pressed:
            self._answered[pressed] = True
        show = self._channels.answer if pressed is None else self._channels.replace
        await show(interaction, view)
        if offer.question not in (None, pressed):
            self._boards.arrivals.remove(stored, [offer.question], interaction)
        await self._forget(stored, offer, pressed, offer.question)

    def close_pressed(self, interaction: Interaction, press: Consent) -> None:
        """Take the buttons off a question that was pressed although its offer is void.

        Where the bot can't post, perhaps no token reached the question when the offer ended.
        Elsewhere a kill or a failure came before this was done, or before the question was known.
        If the question was answered at the same moment, the answer changes it.
        """
        question = Posted(place_of(interaction), pressed_message(interaction))
        if question.id not in self._answered:
            self._close_later(question, press.match, press)

    async def catch_up(self) -> None:
        """Take the buttons off void questions that a kill has left."""
        for match_id in await self._store.questioned(_MOST_READ):
            try:
                await self.close_void(await self._matches.get(match_id))
            except (Refusal, CorruptRowError) as error:  # it was erased, or can't be read
                log.warning("match %s keeps its questions: %s", match_id, error)

    def close_void_later(self, stored: StoredMatch) -> None:
        """Take the buttons off the questions whose offers are void, in the background."""
        self._requests.later(partial(self.close_void, stored))

    async def close_void(self, stored: StoredMatch) -> None:
        """Take the buttons off the questions of a match whose offers are void.

        They are in the channel of `stored`. The match itself may be in another one by now.
        """
        async with self._matches.lock(stored.place.channel_id):
            current = await self._matches.get(stored.id)
            void = await self._offers.void(current)
        for message_id, offer in void.items():
            self._close_later(Posted(stored.place, message_id), stored.id, offer)

    async def _forget(self, stored: StoredMatch, offer: Offer, *closed: MessageId | None) -> None:
        """Forget an offer whose questions are `closed`; close another that has just been noted."""
        question = await self._store.forget(offer.id)
        if question is not None and question not in closed:
            self._close_later(Posted(stored.place, question), stored.id, offer)

    def _close_later(self, question: Posted, match_id: MatchId, offer: Offer | Consent) -> None:
        """Show in the background that an offer no longer stands.

        If this is the question that the store has, the offer is then forgotten. Each try reads the
        match again: a name may have been erased meanwhile.
        """

        async def close() -> None:
            with suppress(Refusal):  # the match was erased meanwhile
                stored = await self._matches.get(match_id)
                view = ended_view(stored, offer.kind, offer.asker, "offer.void")
                with only_passing():
                    await self._channels.change(question.place, question.id, view, reopens=True)
                if isinstance(offer, Offer) and offer.question == question.id:
                    await self._forget(stored, offer, question.id)

        self._requests.later(close)
