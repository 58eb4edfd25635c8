"""Showing a match's board: as a new message each turn, with the old one removed.

A match has one current board: the newest message, which shows its newest state. All others go.
Boards are sent while nobody holds the channel's lock, so they may arrive in another order than
their states were saved, or not at all. Each part sees to some of that:

- `Boards` sends, and knows what is under way. Of two boards that arrive, the one of the newer state
  stays. A board that fails is put off as a request to show the match, which is read again when its
  time comes.
- `BoardIds` knows the current board with the `revision` that it shows, and the boards that are to
  go, and writes them. A read match tells whether that is the newest state (`board_unsure`).
- `Leftovers` looks at the channel's messages where a board may be there that nobody knows of:
  `Response.unsure` says so after a call to Discord, and `board_unsure` after a kill.
- `Owed` looks in the database for matches of which no board, or an old one, is current.

Where the computer's answer takes a search, the member's move is shown at once, and the message is
edited when the answer is there.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from cachetools import LRUCache

from bot.gateway.channels import Channels
from bot.gateway.components import Layout
from bot.gateway.errors import (
    CALL_FAILED,
    AnsweredError,
    HiddenAnswerError,
    NoWayError,
    may_pass,
)
from bot.gateway.interactions import (
    Interaction,
    asker_of,
    missing_permissions,
    place_of,
)
from bot.gateway.responses import response_of
from bot.i18n import channel_texts
from bot.identity import ChannelId, MatchId, MemberId, MessageId
from bot.matches.drawing import BoardPictures, Marked
from bot.matches.model import StoredMatch
from bot.matches.moves import NOTHING, Chosen
from bot.matches.service import MatchService
from bot.matches.view import archived_view, board_view, in_picture, to_notify
from bot.refusals import Refusal

log = logging.getLogger(__name__)

# An answer of the computer that comes within this time is shown together with the member's move:
# two boards in quick succession would only flicker.
_SOON_SECONDS = 0.3
# Archived matches and reminders, for longer than any board is under way.
_REMEMBERED = 10_000

T = TypeVar("T")


@dataclass(frozen=True)
class _Request:
    """A request to show a match as it stood, in the place of other messages.

    Unless it is `quiet`, the board mentions the member to move. Of all messages with the same
    `nonce`, Discord makes one.
    """

    stored: StoredMatch
    quiet: bool
    remove: tuple[MessageId | None, ...] = ()
    nonce: int = field(default_factory=partial(secrets.randbits, 63))

    def notify(self, asker: MemberId | None = None) -> MemberId | None:
        """Return the member to mention; it isn't the `asker`, who sees the answer."""
        return None if self.quiet else to_notify(self.stored, asker)

    def anew(self, stored: StoredMatch) -> "_Request":
        """Return the request for the match as it is by now: a new one after another turn.

        Only the message of the same turn may have arrived already.
        """
        if stored.match == self.stored.match:
            return replace(self, stored=stored)
        return _Request(stored, quiet=False, remove=self.remove)


class Boards:
    """Posts boards, and notes in the store which message shows which match."""

    def __init__(self, matches: MatchService, channels: Channels, pictures: BoardPictures):
        self._matches = matches
        self._store = matches.store
        self._ids = matches.store.board_ids
        self._channels = channels
        self._requests = channels.requests
        self._pictures = pictures
        # The states whose boards are being sent, by what is set once Discord has answered.
        self._under_way: dict[asyncio.Event, StoredMatch] = {}
        # The revisions in which matches were archived.
        self._archived: LRUCache[MatchId, int] = LRUCache(_REMEMBERED)
        # The reminder that goes with the board of a channel; one that is forgotten here stays.
        self._reminders: LRUCache[ChannelId, MessageId] = LRUCache(_REMEMBERED)
        # Called with each state of which the channel may show two boards.
        self.on_unsure: list[Callable[[StoredMatch], None]] = []

    async def show(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        remove: Iterable[MessageId | None],
        *,
        quiet: bool = False,
    ) -> None:
        """Answer an interaction with the board of a match; then remove the messages in `remove`.

        If the computer has to think about its move, this returns only after its answer was shown,
        too. Unless `quiet`, the board mentions the member to move if somebody else has acted.
        Raises Refusal for a doubled press, whose board was already on its way.
        """
        await self._check_not_doubled(interaction, stored)
        request = _Request(stored, quiet, tuple(remove))
        if stored.computer_due:
            await self._show_thinking(interaction, request)
        else:
            await self._answer(interaction, request)

    async def show_again(
        self, interaction: Interaction, stored: StoredMatch, *, quiet: bool
    ) -> None:
        """Answer as `show` does with the board of a match that may not have changed.

        The board that it replaces is written as an old one first: if the match hasn't changed,
        nothing else tells a start after a kill that there may be two.
        """
        before = {*filter(None, (stored.board_id, self._ids.board(stored.id)))}
        if stored.place.posts and before:
            self._ids.note_old(stored.id, before)
            await self._ids.write()
        await self.show(interaction, stored, before, quiet=quiet)

    async def is_shown(self, stored: StoredMatch) -> bool:
        """Return whether a board shows a match as it stands, once those under way have arrived."""
        await self._arrived(stored.id)
        return self._ids.shows(stored)

    async def show_current(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Answer with the board of a match in place of the newest known, and of a pressed one."""
        pressed = MessageId(interaction.message.id) if interaction.message else None
        await self.show(interaction, stored, [stored.board_id, pressed])

    async def redraw(self, interaction: Interaction, stored: StoredMatch, chosen: Chosen) -> None:
        """Edit the pressed board, which shows the match as it stands, with what was `chosen`."""
        await self._delivered(stored, response_of(interaction).edit, interaction, chosen=chosen)

    async def show_first(
        self,
        interaction: Interaction,
        stored: StoredMatch,
        remove: Iterable[MessageId | None],
        pressed: StoredMatch | None = None,
    ) -> None:
        """Answer with the board of a match that has just begun.

        The final board before it is removed, unless the server keeps them, and what the match was
        noted to be shown instead of. `pressed` is the match before if its final board was pressed
        for a rematch: that board then only offers the replay and the analysis.
        """
        remove = [*remove, *self._ids.old(stored.id)]
        final = pressed.board_id if pressed else None
        if not stored.boards_stay:
            remove.append(final or await self._store.board_before(stored))
        elif pressed and final:
            self._requests.later(partial(self._close_final, pressed.id, final, stored))
        await self.show(interaction, stored, remove)

    async def remove_final(self, begun: StoredMatch) -> None:
        """Remove the final board before a match that has begun, unless the server keeps them."""
        if not begun.boards_stay and (before := await self._store.board_before(begun)):
            self.remove(begun, [before])

    async def post(self, stored: StoredMatch, *, quiet: bool = False) -> bool:
        """Post the board of a match outside of interactions, and remove the old one.

        Unless it is `quiet`, it notifies the player to move. If the computer is to move, it moves
        first: nobody waits for this board. Returns whether it could be posted. If not, it is tried
        again later if that may help; otherwise the old board is changed, which notifies nobody.
        Where the bot can't post, this takes a token. If none reaches the board, the next press on
        it shows the new one.
        """
        if stored.computer_due:
            stored = await self._matches.answer(stored) or stored
        request = _Request(stored, quiet, (stored.board_id, self._ids.board(stored.id)))
        try:
            return await self._post_or_change(request)
        except CALL_FAILED as error:
            if may_pass(error):
                self._put_off(request)
            return False

    def post_later(self, stored: StoredMatch, *, quiet: bool = False) -> None:
        """Post the board of a match in the background, as `post` does."""
        self._requests.later(partial(self.post, stored, quiet=quiet))

    def mark_archived(self, stored: StoredMatch) -> None:
        """Say on the board of an archived match that it is archived, in the background.

        A board that is under way, or about to be sent, says so as soon as it has arrived.
        """
        self._archived[stored.id] = stored.revision
        self._mark_archived_later(stored.id)

    def _mark_archived_later(self, match_id: MatchId) -> None:
        self._requests.later(partial(self._mark_archived, match_id))

    async def _mark_archived(self, match_id: MatchId) -> None:
        stored = await self.at_rest(match_id)
        if stored is None or not stored.archived or stored.board_id is None:
            return
        await self._channels.change(stored.place, stored.board_id, archived_view(stored))
        # If the match came back meanwhile, its next board removes this one.
        if self._ids.board(match_id) in (None, stored.board_id):
            self._ids.note_removed(match_id, stored.board_id)

    def refresh_later(self, match_id: MatchId) -> None:
        """Let the board of a match whose clock was set anew show it, in the background."""
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
        while await self._arrived(match_id):
            stored = await self._store.load(match_id)
        return stored

    def note_sent(
        self,
        stored: StoredMatch,
        message_id: MessageId,
        remove: Iterable[MessageId | None],
        pressed: Interaction | None = None,
    ) -> None:
        """Note a board that has arrived; remove older ones, or this one if a newer one came first.

        The messages in `remove` are removed too, by the token of the press if one was `pressed`.
        """
        if self._ids.comes_too_late(stored, message_id):
            old = {*remove, message_id}
        else:
            reminder = self._take_reminder(stored, message_id)
            old = {*remove, self._ids.board(stored.id), reminder}
            self._ids.note(stored, message_id)
        self.remove(stored, old, pressed)
        self._matches.note_void(stored)

    def remove(
        self,
        stored: StoredMatch,
        old: Iterable[MessageId | None],
        pressed: Interaction | None = None,
    ) -> None:
        """Remove boards in the background, never the newest one.

        The next start removes those that are left when the program ends, except where the bot can't
        post: it has no token for that there.
        """
        gone, texts = {*filter(None, old)}, channel_texts(stored.language)
        if (newest := self._ids.board(stored.id)) in gone:
            gone.remove(newest)
            self._ids.note_removed(stored.id, newest)
        if stored.place.posts:
            self._ids.note_old(stored.id, gone)
        forget = partial(self._ids.note_removed, stored.id)
        # The bot may have been added to the server, or removed, since the match began.
        place = place_of(pressed) if pressed else stored.place
        self._channels.remove_later(place, gone, texts, pressed, forget)

    def retire(self, stored: StoredMatch) -> None:
        """Remove the board of a restarted match if another has arrived since it was read.

        One that is still under way comes too late, and goes when it arrives.
        """
        newest = self._ids.board(stored.id)
        self._ids.retire(stored)
        if newest != stored.board_id:
            self.remove(stored, [newest])

    def note_reminder(self, stored: StoredMatch, message_id: MessageId) -> None:
        """Note a reminder, and remove the one before it.

        It goes once the next board comes to its channel, or at once if that has come before, since
        it would link to a board that is gone. That may be another match's: a restart removes the
        board, and shows the new match.
        """
        old = [self._take_reminder(stored, message_id)]
        if self._ids.is_overtaken(stored):
            old.append(message_id)
        else:
            self._reminders[stored.place.channel_id] = message_id
        self.remove(stored, old)

    def _take_reminder(self, stored: StoredMatch, successor: MessageId) -> MessageId | None:
        """Forget the reminder of a channel, and return it.

        One that is newer than its `successor` stays: that board was found there after a start. So
        does the successor itself, which may have been sent twice, but makes one message.
        """
        reminder = self._reminders.get(stored.place.channel_id)
        if reminder is None or reminder >= successor:
            return None
        return self._reminders.pop(stored.place.channel_id)

    @contextmanager
    def _sending(self, stored: StoredMatch) -> Iterator[None]:
        """Note that the board of this state is under way in this context."""
        arrived = asyncio.Event()
        self._under_way[arrived] = stored
        try:
            yield
        finally:
            del self._under_way[arrived]
            arrived.set()

    async def _arrived(self, match_id: MatchId) -> bool:
        """Wait until no board of a match is under way; return whether one was."""
        waited = False
        while under_way := [one for one, state in self._under_way.items() if state.id == match_id]:
            await under_way[-1].wait()
            waited = True
        return waited

    async def _show_thinking(self, interaction: Interaction, request: _Request) -> None:
        """Show a match while the computer thinks, and then its answer.

        The answer is an edit of that board, or a new one if somebody is to be notified, or if it
        can't be edited.
        """
        stored = request.stored
        thinking = asyncio.create_task(self._matches.answer(stored))
        try:
            with self._sending(stored):
                await asyncio.wait([thinking], timeout=_SOON_SECONDS)
                shown = not thinking.done() and await self._try_to_answer(interaction, request)
            after = await thinking
        finally:
            thinking.cancel()
        if after is not None:
            # Also after a quiet board: that was asked for before this move.
            request = _Request(after, quiet=False, remove=() if shown else request.remove)
        elif shown:
            return
        if shown and request.notify(asker_of(interaction)) is None:
            with self._sending(request.stored):
                if await self._try_to_change(request, interaction):
                    return
        await self._answer(interaction, request)

    async def _try_to_answer(self, interaction: Interaction, request: _Request) -> bool:
        """Show a match while the computer thinks; return whether Discord has taken it."""
        try:
            await self._answer_or_change(interaction, request)
        except (HiddenAnswerError, *CALL_FAILED) as error:
            told = "match %s is shown with the computer's answer: %s"
            log.info(told, request.stored.id, error)
            return False
        return True

    async def _answer(self, interaction: Interaction, request: _Request) -> None:
        """Answer with the board of a match; if that fails, it is shown later."""
        with self._sending(request.stored):
            try:
                await self._answer_or_change(interaction, request)
            except (HiddenAnswerError, *CALL_FAILED):
                self._put_off(request)
                raise

    async def _answer_or_change(self, interaction: Interaction, request: _Request) -> None:
        """Answer with a board, or change the one that there is if nothing can be posted later.

        Raises one of CALL_FAILED, or HiddenAnswerError. The caller has noted that it is under way.
        """
        stored, notify = request.stored, request.notify(asker_of(interaction))

        async def answer(view: Layout) -> MessageId:
            return await self._channels.answer(
                interaction, view, notify, nonce=request.nonce, replaces=True
            )

        try:
            message_id = await self._delivered(stored, answer, interaction, notify=notify)
        except (HiddenAnswerError, *CALL_FAILED) as error:
            later = stored.place.posts and may_pass(error)
            if later or self._is_unsure(stored, interaction):
                self.check_later(stored)
            if later or not await self._try_to_change(request, interaction):
                raise
            return
        except AnsweredError:
            if self._is_unsure(stored, interaction):
                self.check_later(stored)
            raise
        self._note_arrived(stored, message_id, request.remove, interaction)

    def _note_arrived(
        self,
        stored: StoredMatch,
        message_id: MessageId,
        remove: Iterable[MessageId | None],
        pressed: Interaction | None = None,
    ) -> None:
        """Note a board as `note_sent` does, and have it checked if another may be there."""
        unsure = self._is_unsure(stored, pressed)
        self.note_sent(stored, message_id, remove, pressed)
        if unsure:
            self.check_later(stored, message_id)

    def _is_unsure(self, stored: StoredMatch, interaction: Interaction | None) -> bool:
        """Return whether a board may be in the channel that nobody knows of.

        An answer may have arrived although it failed. Of a match that this process hasn't shown,
        the newest boards may not have been noted before a kill.
        """
        if interaction is not None and response_of(interaction).unsure:
            return True
        return stored.board_unsure and self._ids.board(stored.id) is None

    def check_later(self, stored: StoredMatch, sent: MessageId | None = None) -> None:
        """Have it checked later that a match has one board in its channel, the current one.

        If the program ends before, the next start looks at this match. Where the bot can't post, it
        can't read either, and nothing is checked.
        """
        if not stored.place.posts:
            return
        for check in self.on_unsure:
            check(stored)
        if sent is not None:
            self._ids.note_old(stored.id, [sent])

    def _put_off(self, request: _Request) -> None:
        """Show a match after a pause, as it is then, and again if that fails."""
        self._requests.put_off(partial(self._try_again, request))

    async def _try_again(self, request: _Request) -> None:
        """Carry out a request for the match as the database holds it by now.

        An archived match has no board to play on, and one that was played again has no board any
        more. Raises one of CALL_FAILED, or CorruptRowError.
        """
        stored = await self.at_rest(request.stored.id)
        if stored is None or stored.archived or await self._store.played_again(stored):
            return
        anew = request.anew(stored)
        done = self._ids.is_shown_anew(request.stored, request.remove)
        if done or anew.nonce != request.nonce:
            self.check_later(stored)  # the board that failed may have arrived
        if done:
            self.remove(stored, request.remove)
        else:
            await self._post_or_change(anew)

    async def _post_or_change(self, request: _Request) -> bool:
        """Post a board and remove those that it replaces, or change the one that there is.

        That is changed only if trying again won't help; then False is returned. If a later state is
        shown already, this only removes. Raises one of CALL_FAILED.
        """
        stored, notify = request.stored, request.notify()
        if self._ids.is_overtaken(stored):
            self.remove(stored, request.remove)
            return True

        async def send(view: Layout) -> MessageId:
            return await self._channels.send(stored.place, view, notify, nonce=request.nonce)

        with self._sending(stored):
            try:
                message_id = await self._delivered(stored, send, notify=notify)
            except CALL_FAILED as error:
                if may_pass(error):
                    raise
                await self._change(request)
                return False
            self._note_arrived(stored, message_id, [stored.board_id, *request.remove])
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

        A newer board that has been shown meanwhile stays the current one.
        """
        stored = request.stored
        message_id = self._ids.board(stored.id) or stored.board_id
        if message_id is None:
            raise NoWayError("no message shows this match")
        change = partial(self._channels.change, stored.place, message_id)
        try:
            await self._delivered(stored, change, interaction)
        except CALL_FAILED:
            if not self._ids.comes_too_late(stored, message_id):
                raise
        self.note_sent(stored, message_id, request.remove, interaction)

    async def _close_final(self, match_id: MatchId, final: MessageId, again: StoredMatch) -> None:
        """Let the final board of a match that is played `again` only offer a look back.

        Where the bot can't post, the new board may have taken its place.
        """
        if not again.place.posts:
            await self._arrived(again.id)
            if self._ids.board(again.id) in (None, final):
                return
        stored = await self._store.load(match_id)
        if stored is not None:
            change = partial(self._channels.change, stored.place, final)
            await self._delivered(stored, change, played_again=True)

    async def _delivered(
        self,
        stored: StoredMatch,
        send: Callable[[Layout], Awaitable[T]],
        interaction: Interaction | None = None,
        *,
        notify: MemberId | None = None,
        chosen: Chosen = NOTHING,
        played_again: bool = False,
    ) -> T:
        """Make the message that shows a match, and return what `send` returns for it.

        The options are those of `board_view`. If Discord refuses the picture, the board goes
        without.
        """
        place = stored.place
        missing = missing_permissions(interaction) if interaction else self._channels.missing(place)
        view = partial(board_view, stored, notify, chosen, missing, played_again=played_again)
        if in_picture(stored):
            may_attach = (
                interaction.app_permissions.attach_files
                if interaction
                else self._channels.may_attach(place)
            )
            sent = await self._pictures.sent(
                place,
                Marked(stored.match, stored.names),
                channel_texts(stored.language),
                lambda drawn: send(view(drawn=drawn)),
                may_attach=may_attach,
                urgent=True,
            )
        else:
            sent = await send(view())
        # A match that came back has a later state than that.
        if self._archived.get(stored.id, -1) >= stored.revision:
            self._mark_archived_later(stored.id)
        return sent

    async def _check_not_doubled(self, interaction: Interaction, stored: StoredMatch) -> None:
        """Raise Refusal if a press asks for a board that was under way, and has arrived by now."""
        pressed = interaction.message
        if pressed is None:
            return
        state, on_its_way = (stored.id, stored.match), False
        if state in [(one.id, one.match) for one in self._under_way.values()]:
            # If it fails, one of those who wait for it brings another, for which the rest wait.
            on_its_way = await self._arrived(stored.id)
        board = self._ids.board(stored.id)
        if board is None:
            return
        if on_its_way and board > pressed.id:
            raise Refusal("refusal.old_board", replace(stored, board_id=board))
        # A press may be for the move that the computer owes.
        owed = self._matches.is_stalled(stored) and not on_its_way
        if board == pressed.id and self._ids.shows(stored) and not owed:
            # It was pressed as it showed an earlier state, before it was edited.
            raise Refusal("refusal.too_late", replace(stored, board_id=board))
