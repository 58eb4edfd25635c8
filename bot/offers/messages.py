"""The messages of offers: the questions, the results, and the questions that lose their buttons."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from bot.db.errors import CorruptRowError
from bot.gateway.channels import Channels
from bot.gateway.components import Layout
from bot.gateway.errors import CALL_FAILED, HiddenAnswerError, only_passing
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    place_of,
    pressed_message,
    public_message,
)
from bot.gateway.responses import defer_private, response_of
from bot.identity import MatchId, MessageId, Posted
from bot.matches.boards import Boards
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService
from bot.offers.model import Consent, Offered, Question, to_ask
from bot.offers.service import OfferService
from bot.offers.view import ended_view, offer_view
from bot.refusals import Refusal


class OfferMessages:
    """Asks the other players, and shows what they have agreed on.

    A question loses its buttons when its offer is void.
    """

    def __init__(
        self, matches: MatchService, offers: OfferService, boards: Boards, channels: Channels
    ):
        self._matches = matches
        self._offers = offers
        self._boards = boards
        self._channels = channels
        self._requests = channels.requests

    async def show(self, interaction: Interaction, offered: Offered) -> None:
        """Show the question to the other players, or what they have agreed on.

        If the others can't be shown the offer, it is taken back, so that it can be made again.
        """
        if offered.made is not None:
            await self.show_made(interaction, offered, offered.made)
            return
        stored, kind, wanting = offered.stored, offered.kind, offered.wanting
        view = offer_view(stored, kind, wanting)
        # An earlier question has notified them already.
        notify = [] if offered.questions else to_ask(stored.match, kind, wanting)
        question = await defer_private(interaction)
        try:
            message_id = await self._channels.answer(interaction, view, *notify)
        except (HiddenAnswerError, *CALL_FAILED):
            await self._offers.take_back(stored, kind, asker_of(interaction))
            self._requests.put_off(response_of(interaction).retract)
            raise
        self._boards.remove(stored, [question, *offered.questions], interaction)

        async def note() -> None:
            await self._boards.write()  # the removed ones, in case of a kill
            asking = Question(message_id, kind, wanting[0])
            await self._offers.note_question(stored.id, asking, offered.questions)

        await self._requests.now_or_later(note)

    async def show_made(
        self,
        interaction: Interaction,
        offered: Offered,
        made: StoredMatch,
        question: MessageId | None = None,
    ) -> None:
        """Show the result of an agreement: the same match, whose board moves on, or a new one."""
        before = offered.stored
        # The pressed `question` may be unknown to the store: Discord hasn't told its id yet.
        answered = {*offered.questions, *filter(None, [question])}
        old = {await defer_private(interaction), *answered}
        if made.id == before.id:
            await self._boards.show(interaction, made, [*old, before.board_id])
        elif offered.kind is OfferKind.RESTART:
            self._boards.retire(before)
            await self._boards.show(interaction, made, [*old, before.board_id])
        else:
            await self._boards.show_first(interaction, made, old, before)
        await self._boards.write()  # in case of a kill
        await self._offers.note_buttons_gone(before.id, answered)
        # If the match goes on, its new board does this, by `MatchService.note_void`.
        if made.id != before.id and before.asking:
            self.close_void_later(before)

    async def show_agreed(self, interaction: Interaction, offered: Offered, press: Consent) -> None:
        """Show in the pressed question who has agreed, as others still have to."""
        shown = Posted(place_of(interaction), pressed_message(interaction))
        view = offer_view(offered.stored, press.kind, offered.wanting)
        try:
            await self._channels.replace(interaction, view)
        except CALL_FAILED:
            self._requests.put_off(partial(self._show_wanting, shown, press))
            raise
        await self._close_if_ended(shown, press)

    async def _show_wanting(self, question: Posted, press: Consent) -> None:
        """Show in a question who wants its offer by now, unless that has ended.

        Raises one of CALL_FAILED.
        """
        with suppress(Refusal):  # the match was erased meanwhile
            stored = await self._matches.get(press.match)
            if await self._offers.stands(stored, press.offer):
                wanting = await self._offers.wanting(stored, press.kind)
                view = offer_view(stored, press.kind, wanting)
                await self._channels.change(question.place, question.id, view)
                await self._close_if_ended(question, press)

    async def _close_if_ended(self, question: Posted, press: Consent) -> None:
        """Take the buttons off a question that was just changed, if its offer has ended meanwhile.

        Discord may have carried out the change at that end before this one.
        """
        stored = await self._matches.get(press.match)
        if not await self._offers.stands(stored, press.offer):
            view = ended_view(stored, press.kind, press.asker, "offer.void")
            self._channels.change_later(question.place, question.id, view)

    async def show_declined(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        view: Layout,
        questions: Sequence[MessageId],
    ) -> None:
        """Show how an offer has ended, in place of its `questions`, of which one may be pressed.

        If two have arrived, because Discord's reply to the first was lost, only one is known.
        """
        pressed = public_message(interaction)
        show = self._channels.answer if pressed is None else self._channels.replace
        try:
            await show(interaction, view)
        except (HiddenAnswerError, *CALL_FAILED):
            self._requests.put_off(partial(self.close_void, stored))
            raise
        if others := {*questions} - {pressed}:
            self._boards.remove(stored, others, interaction)
            await self._boards.write()  # in case of a kill
        await self._offers.note_buttons_gone(stored.id, {*questions, *filter(None, [pressed])})

    async def close_pressed(
        self, interaction: Interaction, stored: StoredMatch, press: Consent
    ) -> None:
        """Take the buttons off a question that was pressed although its offer is void.

        Where the bot can't post, perhaps no token reached the question when the offer ended.
        Elsewhere a kill or a failure came before this was done, or before the question was known.
        """
        place, pressed = place_of(interaction), pressed_message(interaction)
        if place.posts:
            await self._offers.note_question(
                stored.id, Question(pressed, press.kind, press.asker), []
            )
            self.close_void_later(stored)
        else:
            view = ended_view(stored, press.kind, press.asker, "offer.void")
            self._channels.change_later(place, pressed, view)

    async def catch_up(self, match_id: MatchId) -> None:
        """Take the buttons off void questions that a kill has left, if the match can be read."""
        with suppress(Refusal, CorruptRowError):
            await self.close_void(await self._matches.get(match_id))

    def close_void_later(self, stored: StoredMatch) -> None:
        """Take the buttons off the questions whose offers are void, in the background."""
        self._requests.later(partial(self.close_void, stored))

    async def close_void(self, stored: StoredMatch) -> None:
        """Take the buttons off the questions of a match whose offers are void."""
        channel_id = stored.place.channel_id
        async with self._matches.lock(channel_id):
            current = await self._matches.get(stored.id)
            void = await self._offers.void_questions(current)
        for question in void:
            self._requests.later(partial(self._close, stored.id, question))

    async def _close(self, match_id: MatchId, question: Question) -> None:
        """Take the buttons off a question; raise one of CALL_FAILED that may pass.

        Each try reads the match again: a name may have been erased meanwhile, or a later question
        may have taken the place of this one.
        """
        try:
            stored = await self._matches.get(match_id)
        except Refusal:
            return  # it was erased meanwhile
        if question in await self._offers.void_questions(stored):
            view = ended_view(stored, question.kind, question.seat, "offer.void")
            with only_passing():
                await self._channels.change(stored.place, question.message_id, view, reopens=True)
            await self._offers.note_buttons_gone(match_id, [question.message_id])
