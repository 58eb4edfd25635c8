"""Showing a match's board: as a new message each turn, with the old one removed.

A match has one current board: the newest message, which shows the newest state. All other boards
are removed. Boards are sent while nobody holds the channel's lock, so they may arrive in another
order than their states were saved, or not at all. Three parts act on this process's own boards:

- `Boards` sends. A board that fails is put off as a request to show the match, which is read again
  when its time comes.
- `UnderWay` holds the boards that haven't arrived. A doubled press, a later edit and a look at the
  channel wait for them before they judge what is shown.
- `Arrivals` is told of each board that has arrived, and keeps the one of the newest state.

What these know lies in `BoardIds`: the current board with the `revision` that it shows, and the
boards to be removed. It is written to the database every few seconds. So a match that was read says
whether its board may be out of date (`board_unsure`), and the next start knows what to remove.

Two parts find what nobody in this process knows, after a kill or a lost reply:

- `Leftovers` looks through a channel's messages, and keeps the current board of one match.
- `Owed` asks the database which matches need that: those with boards to be removed, without a
  board, or with an old one. The more often it has found a match, the longer it waits between tries.

Where the computer's answer takes a search, the member's move is shown at once, and the message is
edited when the answer is there.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from bot.gateway.channels import Channels
from bot.gateway.components import Layout
from bot.gateway.errors import ANSWER_FAILED, CALL_FAILED, NoWayError, may_pass
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    missing_permissions,
    public_message,
)
from bot.gateway.responses import response_of
from bot.i18n import channel_texts
from bot.identity import MatchId, MemberId, MessageId
from bot.matches.arrivals import Arrivals
from bot.matches.board_pictures import BoardPictures, Drawn, Marked
from bot.matches.model import StoredMatch
from bot.matches.moves import NOTHING, Chosen
from bot.matches.service import MatchService
from bot.matches.store import MatchStore
from bot.matches.under_way import UnderWay
from bot.matches.view import archived_view, board_view, in_picture, to_notify
from bot.refusals import Refusal

log = logging.getLogger(__name__)

# An answer of the computer that comes within this time is shown together with the member's move:
# two boards in quick succession would only flicker.
_SOON_SECONDS = 0.3

T = TypeVar("T")


@dataclass(frozen=True)
class _Request:
    """A request to show a match as it stood, in the place of the messages in `remove`.

    Unless it is `quiet`, the board mentions the member to move. For a few minutes, Discord makes
    only one message of all that have the same `nonce`.
    """

    stored: StoredMatch
    quiet: bool
    remove: tuple[MessageId | None, ...] = ()
    nonce: int = field(default_factory=partial(secrets.randbits, 63))

    def notify(self, asker: MemberId | None = None) -> MemberId | None:
        """Return the member to mention; it isn't the `asker`, who sees the answer."""
        return None if self.quiet else to_notify(self.stored, asker)

    def anew(self, stored: StoredMatch) -> "_Request":
        """Return the request for the match as it is by now, with a new nonce after another turn.

        With the same nonce, a message of this turn that has just arrived isn't posted again.
        """
        if stored.match == self.stored.match:
            return replace(self, stored=stored)
        return _Request(stored, quiet=False, remove=self.remove)


class Boards:
    """Sends the boards of matches, as answers and by itself."""

    def __init__(
        self,
        matches: MatchService,
        store: MatchStore,
        channels: Channels,
        board_pictures: BoardPictures,
    ):
        self._matches = matches
        self._store = store
        self._ids = store.board_ids
        self._channels = channels
        self._known = channels.known
        self._requests = channels.requests
        self._board_pictures = board_pictures
        self.arrivals = Arrivals(matches, store, channels)
        self._under_way = UnderWay()

    async def show(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        remove: Iterable[MessageId | None],
        *,
        quiet: bool = False,
    ) -> None:
        """Answer an interaction with the board of a match; then remove the messages in `remove`.

        If the computer has to think about its move, this returns only after that move was shown,
        too. Unless `quiet`, the board mentions the member to move, if that isn't the asker. Raises
        Refusal for a doubled press, whose board was already on its way.
        """
        await self._check_not_doubled(interaction, stored)
        self.arrivals.check_if_unsure(stored)
        request = _Request(stored, quiet, tuple(remove))
        if stored.computer_due:
            await self._show_thinking(interaction, request)
        else:
            await self._answer(interaction, request)

    async def is_shown(self, stored: StoredMatch) -> bool:
        """Return whether a board shows a match as it stands, once those under way have arrived."""
        await self._under_way.wait(stored.id)
        return self._ids.shows(stored)

    async def show_current(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Answer with the board of a match, in place of its newest board and of the pressed one."""
        pressed = MessageId(interaction.message.id) if interaction.message else None
        await self.show(interaction, stored, [stored.board_id, pressed])

    async def show_chosen(
        self, interaction: Interaction, stored: StoredMatch, chosen: Chosen
    ) -> None:
        """Edit the pressed board, which shows the match as it stands, with the `chosen` part."""
        await self._deliver(stored, response_of(interaction).edit, interaction, chosen=chosen)

    async def post(
        self, stored: StoredMatch, *, quiet: bool = False, searched: bool = False
    ) -> bool:
        """Post the board of a match outside of interactions, and remove the old one.

        Unless it is `quiet`, the board notifies the player to move. If the computer is to move, it
        moves first, since nobody waits for this board. `searched` says that all boards of the match
        in its channel are known. Returns whether the board could be posted. If not, it is posted
        later if that may help; otherwise the old board is changed, which notifies nobody. Where the
        bot can't post, that takes a token. If no token reaches the old board, the next press on it
        shows the new one.
        """
        if stored.computer_due:
            stored = await self._matches.computer_moves(stored) or stored
        if not searched:
            self.arrivals.check_if_unsure(stored)
        request = _Request(stored, quiet, (stored.board_id, self._ids.board(stored.id)))
        try:
            return await self._post_or_change(request)
        except CALL_FAILED as error:
            if may_pass(error):
                self._put_off(request)
            return False

    def post_later(self, stored: StoredMatch, *, quiet: bool = False) -> None:
        """Post the board of a match in the background, in place of the old one."""
        self._requests.later(partial(self.post, stored, quiet=quiet))

    def mark_archived(self, stored: StoredMatch) -> None:
        """Say on the board of an archived match that it is archived, in the background.

        A board that is under way says so once it has arrived.
        """
        self._requests.later(partial(self._mark_archived, stored.id))

    async def _mark_archived(self, match_id: MatchId) -> None:
        stored = await self.at_rest(match_id)
        if stored is None or not stored.archived or stored.board_id is None:
            return
        await self._channels.change(stored.place, stored.board_id, archived_view(stored))
        # If the match came back meanwhile, its next board removes this one.
        if self._ids.newest(match_id, stored.board_id) == stored.board_id:
            self._ids.note_removed(match_id, stored.board_id)

    def refresh_later(self, match_id: MatchId) -> None:
        """Show the new clock on the board of a match, in the background."""
        self._requests.later(partial(self._refresh, match_id))

    async def _refresh(self, match_id: MatchId) -> None:
        stored = await self.at_rest(match_id)
        if stored is not None and stored.timing.runs_out_at is not None:
            await self._change(_Request(stored, quiet=True))

    async def at_rest(self, match_id: MatchId) -> StoredMatch | None:
        """Return a match once none of its boards is under way, None if there is none.

        Raises CorruptRowError.
        """
        stored = await self._store.load(match_id)
        while await self._under_way.wait(match_id):
            stored = await self._store.load(match_id)
        return stored

    async def redraw(self, stored: StoredMatch, message_id: MessageId) -> None:
        """Edit a message so that it shows a match as it stands; raise one of CALL_FAILED."""
        await self._deliver(stored, partial(self._channels.change, stored.place, message_id))

    async def _show_thinking(self, interaction: Interaction, request: _Request) -> None:
        """Show a match while the computer thinks, and then its answer.

        The answer is an edit of that board, or a new one if somebody is to be notified, or if it
        can't be edited.
        """
        stored = request.stored
        thinking = asyncio.create_task(self._matches.computer_moves(stored))
        try:
            with self._under_way.sending(stored):
                await asyncio.wait([thinking], timeout=_SOON_SECONDS)
                shown = not thinking.done() and await self._try_to_answer(interaction, request)
            after = await thinking
        finally:
            thinking.cancel()
        if after is not None:
            # Not quiet even if `request` was: it was made before this move.
            request = _Request(after, quiet=False, remove=() if shown else request.remove)
        elif shown:
            return
        if shown and request.notify(asker_of(interaction)) is None:
            with self._under_way.sending(request.stored):
                if await self._try_to_change(request, interaction):
                    return
        await self._answer(interaction, request)

    async def _try_to_answer(self, interaction: Interaction, request: _Request) -> bool:
        """Show a match while the computer thinks; return whether Discord has taken it."""
        try:
            await self._answer_or_change(interaction, request)
        except ANSWER_FAILED as error:
            told = "match %s is shown with the computer's answer: %s"
            log.info(told, request.stored.id, error)
            return False
        return True

    async def _answer(self, interaction: Interaction, request: _Request) -> None:
        """Answer with the board of a match; if that fails, it is shown later."""
        with self._under_way.sending(request.stored):
            try:
                await self._answer_or_change(interaction, request)
            except ANSWER_FAILED:
                self._put_off(request)
                raise

    async def _answer_or_change(self, interaction: Interaction, request: _Request) -> None:
        """Answer with a board, or change the existing one if nothing can be posted later.

        Raises one of ANSWER_FAILED. The caller has noted that the board is under way.
        """
        stored, notify = request.stored, request.notify(asker_of(interaction))
        response = response_of(interaction)

        async def answer(view: Layout) -> MessageId:
            return await self._channels.answer(interaction, view, notify, nonce=request.nonce)

        try:
            message_id = await self._deliver(stored, answer, interaction, notify=notify)
        except ANSWER_FAILED as error:
            later = stored.place.posts and may_pass(error)
            if later or response.unsure:
                self.arrivals.check_later(stored)
            if later or not await self._try_to_change(request, interaction):
                raise
            return
        if response.unsure:
            self.arrivals.check_later(stored)
        self.arrivals.note(stored, message_id, request.remove, interaction)

    def _put_off(self, request: _Request) -> None:
        """Show a match after a pause, as it is then, and again if that fails."""
        self._requests.put_off(partial(self._try_again, request))

    async def _try_again(self, request: _Request) -> None:
        """Carry out a request for the match as the database holds it by now.

        Nothing is shown of a match that was archived or played again meanwhile. Raises one of
        CALL_FAILED, or CorruptRowError.
        """
        stored = await self.at_rest(request.stored.id)
        if stored is None or stored.archived or stored.played_again:
            return
        self.arrivals.check_later(stored)  # the board that failed may have arrived
        if self._ids.is_shown_anew(request.stored, request.remove):
            self.arrivals.remove(stored, request.remove)
        else:
            await self._post_or_change(request.anew(stored))

    async def _post_or_change(self, request: _Request) -> bool:
        """Post a board and remove those that it replaces; change the old one if none can be posted.

        Returns whether the board was posted. If a later state is shown already, this only removes
        boards, and returns True. Raises one of CALL_FAILED.
        """
        stored, notify = request.stored, request.notify()
        if self._ids.is_overtaken(stored):
            self.arrivals.remove(stored, request.remove)
            return True

        async def send(view: Layout) -> MessageId:
            return await self._channels.send(stored.place, view, notify, nonce=request.nonce)

        with self._under_way.sending(stored):
            try:
                message_id = await self._deliver(stored, send, notify=notify)
            except CALL_FAILED as error:
                if may_pass(error):
                    raise
                await self._change(request)
                return False
            remove = [stored.board_id, *request.remove]
            self.arrivals.note(stored, message_id, remove)
        return True

    async def _try_to_change(self, request: _Request, interaction: Interaction) -> bool:
        """Change the message that shows a match; return whether it is up to date."""
        try:
            await self._change(request, interaction)
        except CALL_FAILED as error:
            log.info("the board of match %s can't be changed: %s", request.stored.id, error)
            return False
        return True

    async def _change(self, request: _Request, interaction: Interaction | None = None) -> None:
        """Change the message that shows a match, which notifies nobody; raise one of CALL_FAILED.

        Where the bot can't post, this may be another message that a token reaches, such as the
        table at which the match began. Raises Refusal if somebody has removed the pressed one. A
        newer board that has been shown meanwhile stays the current one.
        """
        stored = request.stored
        pressed = public_message(interaction) if interaction else None
        message_id = self._ids.newest(stored.id, stored.board_id)
        if not stored.place.posts:
            known = [*filter(None, (message_id, pressed))]
            message_id = max(known or filter(None, request.remove), default=None)
        if message_id is None:
            raise NoWayError("no message shows this match")
        change = partial(self._channels.change, stored.place, message_id)
        if interaction and message_id == pressed and not stored.place.posts:
            change = partial(self._channels.replace, interaction)
        try:
            await self._deliver(stored, change, interaction)
        except CALL_FAILED:
            if not self._ids.comes_too_late(stored, message_id):
                raise
        self.arrivals.note(stored, message_id, request.remove, interaction)

    async def _deliver(
        self,
        stored: StoredMatch,
        send: Callable[[Layout], Awaitable[T]],
        interaction: Interaction | None = None,
        *,
        notify: MemberId | None = None,
        chosen: Chosen = NOTHING,
    ) -> T:
        """Draw a match if it needs a picture, `send` its message, and return the result.

        The options are those of `board_view`.
        """
        place = stored.place
        missing = missing_permissions(interaction) if interaction else self._known.missing(place)
        view = partial(board_view, stored, notify, chosen, missing or ())
        drawn = await self._draw(stored, interaction) if in_picture(stored) else None
        return await self._board_pictures.send(place, drawn, lambda one: send(view(drawn=one)))

    async def _draw(self, stored: StoredMatch, interaction: Interaction | None) -> Drawn:
        if interaction is not None:
            may_attach = interaction.app_permissions.attach_files
        else:
            may_attach = self._known.may_attach(stored.place)
        board, texts = Marked(stored.match, stored.names), channel_texts(stored.language)
        return await self._board_pictures.draw(
            stored.place, board, texts, may_attach=may_attach, urgent=True
        )

    async def _check_not_doubled(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Raise Refusal if a press asks for a board that was under way, and has arrived by now."""
        pressed = interaction.message
        if pressed is None:
            return
        on_its_way = False
        if self._under_way.has(stored):
            # If that board fails, the first of the presses that wait for it sends another one, for
            # which the rest wait.
            on_its_way = await self._under_way.wait(stored.id)
        board = self._ids.board(stored.id)
        if board is None:
            return
        if on_its_way and board > pressed.id:
            raise Refusal("refusal.old_board", await self._matches.get(stored.id))
        # A press may ask for the move that the computer owes.
        owed = self._matches.is_stalled(stored) and not on_its_way
        if board == pressed.id and self._ids.shows(stored) and not owed:
            # The message showed an earlier state when it was pressed, and was edited since.
            raise Refusal("refusal.too_late", await self._matches.get(stored.id))
