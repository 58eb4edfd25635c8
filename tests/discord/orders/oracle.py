"""The state that a channel must show, and the bot must have stored, once all is quiet."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from typing import Any

from bot.identity import InvitationId, MatchId
from bot.invitations.store import InvitationStore
from bot.invitations.view import invitation_view
from bot.matches.view import board_view, to_notify
from core.outcome import Termination
from tests import laws
from tests.discord.world import World
from tests.fuzzing.acting import told
from tests.laws import Known
from tests.load.payloads import Json
from tests.load.reading import Control, Reading, controls_of, read, text_of

_MISCOUNTED = """
SELECT user_id, wins, draws, losses FROM standings WHERE game = '' AND period = '' AND
wins + draws + losses <> (SELECT COUNT(*) FROM seats
    WHERE seats.user_id = standings.user_id AND rating_after IS NOT NULL)
"""
# The reminder of a move stays until the match goes on.
_TO_BE_REMOVED = """
SELECT message_id FROM old_boards JOIN matches ON matches.id = match_id
WHERE of_revision IS NULL OR of_revision < revision
"""


class Oracle:
    """Notes who is notified from now on, and says what is wrong."""

    def __init__(self, world: World):
        self._world = world
        self._notified: Counter[tuple[int | None, int | None, int]] = Counter()
        self._first = max(world.env.backend.interactions)
        world.env.backend.subscribers.append(self._note)

    def _note(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE":
            message = self._world.env.backend.get_message(
                self._world.channel.id, int(payload["id"])
            )
            board = read(told(self._world.env, message))
            if board.running:
                self._notified.update(
                    (board.match, board.ply, one) for one in message.ping_user_ids
                )

    async def wrong(self) -> list[str]:
        """Return what is wrong, in words."""
        shown = [read(one) for one in self._public()]
        return [
            *self._unanswered(),
            *(f"notified {n} times: {who}" for who, n in self._notified.items() if n > 1),
            *[
                f"{row} was counted another number of times"
                for row in await self._world.sql(_MISCOUNTED)
            ],
            *[one async for one in self._boards_wrong(shown)],
            *[one async for one in self._invitations_wrong(shown)],
            *[one async for one in self._questions_wrong(shown)],
        ]

    def _public(self) -> Iterator[Json]:
        for message in self._world.env.backend.messages[self._world.channel.id].values():
            if not message.is_ephemeral:
                yield told(self._world.env, message)

    def _unanswered(self) -> Iterator[str]:
        for given in self._world.env.backend.interactions.values():
            if given.id > self._first and (given.loading or not given.responded):
                yield f"interaction {given.id} has no answer"
            elif given.id > self._first and given.followup_ids and not given.deferred:
                yield f"interaction {given.id} has more than one answer"

    async def _boards_wrong(self, shown: list[Reading]) -> AsyncIterator[str]:
        for row in await self._world.sql("SELECT id, ending, board_id FROM matches"):
            mine = [one for one in shown if one.match == row.id]
            stored = await self._world.services.store.load(MatchId(row.id))
            assert stored is not None, "the row is there"
            known = Known.of(stored)
            for line in laws.broken("the channel", mine, known):
                yield line
            if any(laws.is_current(one, known) and one.id != row.board_id for one in mine):
                yield f"the bot takes {row.board_id} for the board of match {row.id}"
            ways = [(None, False), (to_notify(stored, None), False), (None, True)]
            views = [board_view(replace(stored, played_again=again), who) for who, again in ways]
            faces = [_face({"content": "", "components": v.to_components()}) for v in views]
            for one in mine:
                if (one.running or one.over) and _face(one.message) not in faces:
                    yield f"message {one.id} of match {row.id} isn't up to date: {one.text}"
            ended = known.over and row.ending != Termination.RESTARTED.value
            if any(one.over for one in mine) != ended:
                yield f"the end of match {row.id} ({row.ending}) is shown wrongly"
        for row in await self._world.sql(_TO_BE_REMOVED):
            yield f"message {row.message_id} is still to be removed"

    async def _invitations_wrong(self, shown: list[Reading]) -> AsyncIterator[str]:
        store = InvitationStore(self._world.database)
        for row in await self._world.sql("SELECT id, status, message_id FROM invitations"):
            mine = {one.id: one for one in shown if one.invitation == row.id and one.controls}
            is_open = row.status == "open"
            if {*mine} != ({row.message_id} if is_open else set()):
                yield f"invitation {row.id}, which is {row.status}, is on {[*mine]}"
            for one in mine.values() if is_open else ():
                stored = await store.load(InvitationId(row.id))
                assert stored is not None, "the row is there"
                made = invitation_view(stored).to_components()
                if text_of({"content": "", "components": made}) != one.text:
                    yield f"invitation {row.id} shows {one.text}"

    async def _questions_wrong(self, shown: list[Reading]) -> AsyncIterator[str]:
        rows = await self._world.sql("SELECT message_id FROM offers WHERE ply IS NOT NULL")
        asking = {row.message_id for row in rows}
        for one in shown:
            if one.offer is not None and one.id not in asking:
                yield f"message {one.id} still asks for something in match {one.offer}"


def _face(body: Json) -> tuple[str, tuple[Control, ...]]:
    """Return what a member sees of a message."""
    return text_of(body), tuple(controls_of(body))
