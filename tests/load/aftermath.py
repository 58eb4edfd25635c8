"""The checks after a soak, when the faults are over and the bot has come to rest."""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text

from bot.db.database import Database
from bot.db.statements import read as read_rows
from bot.ratings.rerate import rerate
from tests import laws
from tests.laws import Known

from .discord_server import LoopbackDiscord
from .interactions import Interaction
from .ledger import Ledger
from .payloads import Json
from .reading import Reading, read

# The bot tries again what has failed after 30 s, and two minutes later. Every 30 seconds it looks
# for work that is left undone, and does what two looks have found (`bot.matches.owed`).
_RESTS, _REST_SECONDS = 60, 3.0
_PRESS_SECONDS = 20.0
# The loops that look for what is due run every five seconds.
_OVERDUE_SECONDS = 30
_RATED = (
    "SELECT * FROM ratings ORDER BY 1, 2, 3",
    "SELECT guild_id, user_id, game, period, wins, draws, losses, rating FROM standings"
    " ORDER BY 1, 2, 3, 4",
    "SELECT match_id, seat, rating_before, rating_after FROM seats ORDER BY 1, 2",
    "SELECT id, rated_as FROM matches ORDER BY 1",
)


@dataclass(frozen=True)
class Stored:
    """A match as the database has it.

    `members` and `ranks` are by seat. A member who has left the match isn't among them.
    """

    id: int
    channel: int
    moves: tuple[str, ...]
    ended: bool
    archived: bool
    undone: bool
    computer_due: bool
    due_at: int | None
    members: tuple[int | None, ...]
    ranks: tuple[int | None, ...]

    @property
    def where(self) -> str:
        """The channel in words."""
        return f"channel {self.channel}"

    @property
    def known(self) -> Known:
        """What the laws of boards need to know of it."""
        return Known(self.id, len(self.moves), self.ended, self.archived)

    @property
    def live(self) -> bool:
        """Whether it holds its channel."""
        return self.known.live


async def stored_matches(database: Database) -> dict[int, Stored]:
    """Return all matches of a database by their ids."""
    members, ranks = (
        defaultdict[int, list[int | None]](list),
        defaultdict[int, list[int | None]](list),
    )
    for match, user, rank in await _rows(
        database, "SELECT match_id, user_id, rank FROM seats ORDER BY match_id, seat"
    ):
        members[match].append(user)
        ranks[match].append(rank)
    rows = await _rows(
        database,
        "SELECT id, channel_id, moves, ended_at IS NOT NULL, put_away_at IS NOT NULL, undone,"
        " computer_due, due_at, withdrawals FROM matches",
    )
    return {
        match: Stored(
            match,
            channel,
            tuple(moves.split()),
            bool(ended),
            bool(archived),
            bool(undone),
            bool(owed),
            due_at,
            _staying(members[match], withdrawals),
            tuple(ranks[match]),
        )
        for match, channel, moves, ended, archived, undone, owed, due_at, withdrawals in rows
    }


def _staying(members: Sequence[int | None], withdrawals: str) -> tuple[int | None, ...]:
    gone = {int(one.partition(":")[0]) for one in withdrawals.split()}
    return tuple(None if seat in gone else one for seat, one in enumerate(members))


async def open_invitations(database: Database) -> dict[int, tuple[int, int]]:
    """Return the channel and the end of each open invitation of a database by its id."""
    rows = await _rows(
        database, "SELECT id, channel_id, expires_at FROM invitations WHERE status = 'open'"
    )
    return {invitation: (channel, expires) for invitation, channel, expires in rows}


async def _rows(database: Database, query: str) -> Sequence[Sequence[Any]]:
    return await read_rows(database, _found, query)


def _found(connection: Connection, query: str) -> Sequence[Sequence[Any]]:
    return connection.execute(text(query)).all()


class Aftermath:
    """Checks a bot at rest; each check returns what is wrong, in words.

    It comes to rest within `rests` looks, a few seconds apart, and answers within `patience`
    seconds. `unknown` tells whether a fault keeps the bot from knowing of a message.
    """

    def __init__(
        self,
        server: LoopbackDiscord,
        ledger: Ledger,
        database: Database,
        unknown: Callable[[Json], bool],
        rests: int = _RESTS,
        patience: float = _PRESS_SECONDS,
    ) -> None:
        self._server = server
        self._ledger = ledger
        self._database = database
        self._unknown = unknown
        self._rests = rests
        self._patience = patience

    async def at_rest(self) -> list[str]:
        """Return what is wrong with what is shown: nothing at some look, or all when time is up."""
        for _ in range(self._rests):
            if not await self._shown_wrong():
                break
            await asyncio.sleep(_REST_SECONDS)
        stored = await stored_matches(self._database)
        return [*await self._shown_wrong(), *self._moves_lost(stored)]

    def _moves_lost(self, stored: dict[int, Stored]) -> Iterator[str]:
        """Yield the acknowledged moves and ends that the database doesn't have."""
        for match, moves in self._ledger.moves.items():
            kept = stored.get(match)
            if kept is None:
                yield f"lost: match {match} was shown and isn't stored"
                continue
            taken_back = self._ledger.taken_back[match]
            for ply, move in moves.items() if kept.undone else (*moves.items(), *taken_back):
                now = kept.moves[ply] if ply < len(kept.moves) else None
                # A board from before an undo may arrive after the board of the other move. If that
                # move has ended the match, its board names no move.
                last = kept.ended and ply == len(kept.moves) - 1
                undone = kept.undone and (now is None or last or (ply, now) in taken_back)
                if move != now and not undone:
                    how = "after an undo" if kept.undone else "without an undo"
                    told = f"move {ply} of match {match} was shown as {move}"
                    yield f"lost: {told}, and is {now} {how}: {kept.moves}"
        for match in self._ledger.ended:
            kept = stored.get(match)
            if kept is None or not (kept.ended or kept.undone):
                yield f"lost: the end of match {match} was shown and isn't stored"

    async def _shown_wrong(self) -> list[str]:
        wrong: list[str] = []
        stored = await stored_matches(self._database)
        invitations = await open_invitations(self._database)
        shown = [read(m) for c in self._server.channel_ids for m in self._server.messages(c)]
        for match in stored.values():
            boards = [r for r in shown if r.running and r.match == match.id]
            if match.live:
                wrong += self._live_wrong(match, boards)
            sure = (board for board in boards if not self._unknown(board.message))
            wrong += laws.doubled(match.where, sure)
        invited = {reading.invitation for reading in shown}
        for invitation, (channel, expires) in invitations.items():
            where = f"invitation {invitation} in channel {channel}"
            if invitation not in invited:
                wrong.append(f"unseen: {where} is open and not shown")
            if time.time() > expires + _OVERDUE_SECONDS:
                wrong.append(f"overdue: {where} doesn't lapse")
        return wrong

    def _live_wrong(self, match: Stored, shown: list[Reading]) -> Iterator[str]:
        """Yield what is wrong with how a live match is shown."""
        ply = len(match.moves)
        where = f"match {match.id} at ply {ply} in {match.where}"
        if match.due_at is not None and time.time() > match.due_at + _OVERDUE_SECONDS:
            yield f"overdue: {where} was due at {match.due_at}"
        if match.computer_due:
            yield f"owed: {where} waits for the computer"
            return
        dark = [*laws.in_the_dark(match.where, shown, match.known)]
        if dark:
            yield from dark
            return
        turn = [r.turn for r in shown if laws.is_current(r, match.known)][-1]
        people = {member for member in match.members if member is not None}
        if turn is not None and len(people) > 1 and not self._ledger.told(match.id, ply, turn):
            yield f"not told: {where}: member {turn} is to move and was never mentioned"

    def silent(self, excused: Callable[[Interaction], bool]) -> Iterator[str]:
        """Yield the interactions without an answer, but for those that are `excused`."""
        for it in self._server.interactions.unsettled():
            if not excused(it):
                what = "only promised" if it.answered else "not answered"
                yield f"silent: interaction {it.id} ({it.told}) in channel {it.channel_id}: {what}"

    async def leftovers(self) -> list[str]:
        """Return the messages that look live and aren't, since only a press would tell."""
        stored = await stored_matches(self._database)
        invitations = await open_invitations(self._database)
        left: list[str] = []
        for channel in self._server.channel_ids:
            for reading in map(read, self._server.messages(channel)):
                match = stored.get(reading.match or 0)
                told = f"channel {channel} ({_cause(reading.message)})"
                if self._unknown(reading.message):
                    told += ", which the bot can't know of"
                left += laws.stale(told, reading, match.known if match is not None else None)
                if reading.invitation is not None and reading.invitation not in invitations:
                    left.append(f"stale: {told}: invitation {reading.invitation}, which is closed")
        return left

    async def dead_buttons(self, stranger: int) -> list[str]:
        """Press every live button, as a stranger and as a player; return those without an answer.

        In a menu, the first choice is taken. The buttons that change something come last.
        """
        wrong = []
        for channel in self._server.channel_ids:
            members = await self._members(channel, stranger)
            for reading in [read(m) for m in self._server.messages(channel)]:
                # A process that was killed can't keep its promise, which Discord ends by itself.
                if reading.loading and not self._unknown(reading.message):
                    told = _origin(reading.message)
                    wrong.append(f"dead: message {reading.id} is thinking for ever; {told}")
                for number, member in enumerate(members):
                    wrong += await self._press_all(reading, member, everything=number == 0)
        return wrong

    async def _members(self, channel: int, stranger: int) -> list[int]:
        """Return a stranger, and the members of the channel's live match."""
        found = [stranger]
        for match in (await stored_matches(self._database)).values():
            if match.live and match.channel == channel:
                found += [member for member in match.members if member is not None]
        return found

    async def _press_all(self, reading: Reading, member: int, *, everything: bool) -> list[str]:
        wrong, pressed = [], set()
        for control in reading.controls:
            if control.custom_id in pressed or (not everything and control.custom_id[0] in "rc"):
                continue
            if self._server.shown.find(reading.id) is None:
                break  # an earlier press has replaced the message
            pressed.add(control.custom_id)
            try:
                async with asyncio.timeout(self._patience):
                    answer = await self._server.press(
                        member, reading.message, control.custom_id, control.value
                    )
                    shown = read(await answer.shown)
            except TimeoutError:
                wrong.append(f"dead: {control.whole} of message {reading.id} isn't answered")
                continue
            except LookupError:
                continue  # the message has just changed
            if shown.failed:
                wrong.append(f"dead: {control.whole} of message {reading.id}: {shown.text}")
        return wrong

    async def unplayable(self, member: int) -> list[str]:
        """Play in each channel: move in its match, or start one; return the channels that can't."""
        found = [(c, await self._play(c, member)) for c in self._server.channel_ids]
        return [
            f"unplayable: channel {channel}: {problem}" for channel, problem in found if problem
        ]

    async def _play(self, channel: int, somebody: int) -> str | None:
        live = [m for m in (await stored_matches(self._database)).values() if m.live]
        held = next((match for match in live if match.channel == channel), None)
        try:
            if held is None:
                return await self._tell(somebody, channel, ("play", "tictactoe"))
            player = next(member for member in held.members if member is not None)
            if problem := await self._tell(player, channel, ("board",)):
                return problem
            ended = await self._tell(somebody, channel, ("endgame",))
            return ended or await self._tell(somebody, channel, ("play", "tictactoe"))
        except TimeoutError:
            return "no answer"

    async def _tell(self, member: int, channel: int, path: tuple[str, ...]) -> str | None:
        """Give a command that must be answered in public; return what else was answered."""
        async with asyncio.timeout(self._patience):
            answer = await self._server.slash(member, channel, path)
            shown = read(await answer.shown)
        return f"/{' '.join(path)}: {shown.text}" if shown.private else None


def _origin(message: Json) -> str:
    """Return how a message came about, to be looked up in the log."""
    return f"message {message['id']} in channel {message['channel_id']}, {_cause(message)}"


def _cause(message: Json) -> str:
    asked = message.get("interaction_metadata")
    return f"answers interaction {asked['id']}" if asked else "sent unasked"


async def rerated(database: Database) -> list[str]:
    """Return the tables whose ratings differ from recomputed ones, which aren't kept."""
    return await read_rows(database, _rerated)


def _rerated(connection: Connection) -> list[str]:
    was = {query: _found(connection, query) for query in _RATED}
    rerate(connection)
    wrong = []
    for query, before in was.items():
        differ = sorted(set(map(repr, before)) ^ set(map(repr, _found(connection, query))))
        if differ:
            wrong.append(f"ratings: {query.split(' FROM ')[1]}: {differ[:4]}")
    return wrong


# The last line of a traceback tells what went wrong.
_RAISED = re.compile(r"^(?:[|+ ]*)((?:[A-Za-z_]+\.)*[A-Za-z_]*(?:Error|Exception|Found|Forbidden|"
                     r"Closed|Timeout|Interrupt|Over)[A-Za-z_]*)(?::|$)")  # fmt: skip
_INJECTED = re.compile(
    r"discord\.|aiohttp\.|ConnectionReset|ServerDisconnected|ClientOSError|ClientConnector"
    r"|database is locked|OperationalError|BrokenProcessPool|WorkFailed|SearchFailed|DrawingFailed"
    r"|TimeoutError|NoAnswerError|ConnectionClosed|CancelledError|ClosedError|BrokenPipe"
)


def explained(log: str, told: str) -> bool:
    """Return whether a fault explains the error whose number a member was told.

    An error without a traceback is a failure of Discord or of the database.
    """
    numbers = re.findall(r"[0-9]{17,}", told)
    after = log.partition(f"interaction {numbers[0]} failed: ")[2] if numbers else ""
    _, _, trace = after.partition("\n")
    if after and not trace.startswith("Traceback"):
        return True
    raised = (line for line in trace.splitlines() if _RAISED.match(line))
    return bool(_INJECTED.search(next(raised, "")))


def log_errors(log: str) -> tuple[dict[str, int], list[str]]:
    """Return how often each kind of exception is in the log, and those that no fault explains."""
    counts: dict[str, int] = defaultdict(int)
    unexplained = []
    lines = log.splitlines()
    for number, line in enumerate(lines):
        if found := _RAISED.match(line):
            counts[found[1]] += 1
            if not _INJECTED.search(line):
                unexplained.append("\n".join(lines[max(0, number - 12) : number + 1]))
    return dict(counts), unexplained
