"""A tournament of many scripted members, played through while the bot is killed again and again.

    python -m tests.load.tournament --players 256 --format swiss --database postgresql

The real bot runs as a child process, on SQLite or on PostgreSQL (of a wheel). Members join by the
button, and play tic-tac-toe in the threads that the bot opens, as soon as it is their turn. At
moments by the seed the process is killed and started again. The report has the times to join, to
answer, and from the first board of a round to the last. The exit status is 1 if a game has no
result or two, a thread has had two matches, the standings aren't those of the matches, or something
was posted twice. 256 players take about ten minutes, nine half a minute.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from bot.db.database import reach
from bot.identity import TournamentId
from bot.tournaments.model import How, Stage, TournamentGame
from bot.tournaments.pairings import next_pairings
from bot.tournaments.standings import standings
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import StoredTournament
from tests.postgresql import running

from .aftermath import Stored, stored_matches
from .discord_server import LoopbackDiscord
from .figures import in_ms
from .payloads import Json
from .processes import BotProcess
from .reading import Reading, controls_of, read
from .tables import free_squares

_ANSWER_SECONDS = 15.0
_ONLINE_SECONDS = 90.0
_LOOK_SECONDS = 0.25
# A person waits this long for something to happen before looking again.
_PATIENCE_SECONDS = 3.0
# How long the bot lives before it is killed, at least and at most.
_LIFE_SECONDS = (4.0, 16.0)
# By then a bot that was killed at the end has told what it owed, and removed all old boards.
_REST_SECONDS = 60.0
_THINKING_SECONDS = (0.1, 1.0)
_JOINING = 32
_ID = TournamentId(1)


@dataclass
class Result:
    """The figures of a run; times are in seconds."""

    title: str
    seconds: float = 0.0
    presses: int = 0
    kills: int = 0
    joined: float = 0.0
    latencies: list[float] = field(default_factory=list)
    boards: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    trouble: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    counts: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the result for a person to read."""
        yield f"{self.title}: {self.seconds:.0f} s, {self.kills} kills; {self.counts}"
        yield f"  joined in {self.joined:.1f} s; {self.presses} presses"
        yield f"  answers {in_ms(self.latencies)}"
        for number, seen in sorted(self.boards.items()):
            begun = sorted(seen)
            spread = begun[-1] - begun[0]
            yield f"  round {number}: {len(begun)} first boards within {spread:.1f} s"
        yield f"  while the bot was away: {dict(self.trouble)}"
        yield f"  wrong: {len(self.wrong)}"
        yield from (f"    {line}" for line in self.wrong[:20])


class Members:
    """The members of a server, who play every board on which it is the turn of one of them."""

    def __init__(self, server: LoopbackDiscord, seed: int, result: Result):
        self._server = server
        self._rng = Random(seed)
        self._result = result
        self._playing = dict[int, asyncio.Task[None]]()
        self.failed = list[str]()
        server.shown.on_shown.append(self._saw)

    def _saw(self, message: Json) -> None:
        """Begin to play in a thread with the first board there."""
        channel, shown = int(message["channel_id"]), read(message)
        in_thread = self._server.shown.threads.find(channel) is not None
        if shown.running and in_thread and channel not in self._playing:
            self._playing[channel] = task = asyncio.create_task(self._play(channel))
            task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failed.append(f"a member gave up: {error!r}")

    async def _play(self, thread: int) -> None:
        """Play in a thread until its match is over."""
        while True:
            shown = self._newest(thread)
            if shown is not None and shown.over:
                return
            if shown is not None and shown.turn is not None and shown.squares:
                await asyncio.sleep(self._rng.uniform(*_THINKING_SECONDS))
                square = self._rng.choice(free_squares(shown.message))
                await self.press(shown.turn, shown.message, square)
            await self._changed(thread, shown)

    async def _changed(self, thread: int, before: Reading | None) -> None:
        """Wait until a thread shows something else, or for so long that one looks again."""
        for _ in range(int(_PATIENCE_SECONDS / _LOOK_SECONDS)):
            now = self._newest(thread)
            if now is not None and (before is None or (now.id, now.ply) != (before.id, before.ply)):
                return
            await asyncio.sleep(_LOOK_SECONDS)

    def _newest(self, thread: int) -> Reading | None:
        """Return the newest board of a thread."""
        found = (read(message) for message in reversed(self._server.messages(thread)))
        return next((shown for shown in found if shown.match is not None), None)

    async def press(self, member: int, message: Json, custom_id: str) -> bool:
        """Press a button; return False if nobody answered."""
        self._result.presses += 1
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                answer = await self._server.press(member, message, custom_id)
                shown = read(await answer.shown)
        except (TimeoutError, ConnectionError, LookupError) as error:
            self._result.trouble[type(error).__name__] += 1
            await asyncio.sleep(_LOOK_SECONDS)
            return False
        self._result.latencies.append(answer.seconds)
        if shown.failed:
            self.failed.append(f"failed: {custom_id}: {shown.text}")
        return True

    async def close(self) -> None:
        """End all games, and raise what went wrong in them."""
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(*self._playing.values(), return_exceptions=True)


class Run:
    """One tournament; `server` is the Discord on which it is played."""

    def __init__(self, players: int, kind: str, seed: int, kills: int, url: str, folder: Path):
        self._players, self._kind, self._kills = players, kind, kills
        self._rng = Random(seed)
        self._url, self._folder = url, folder
        self.result = Result(f"{kind} of {players} on {url.partition(':')[0]}, seed {seed}")
        self.server = LoopbackDiscord(channels=1, members=players + 1, timeout=_ONLINE_SECONDS)
        self._members = Members(self.server, seed, self.result)
        self._firsts = set[int]()
        self.server.shown.on_shown.append(self._note)

    async def run(self) -> Result:
        """Play the tournament through, check it, and return what happened."""
        async with self.server:
            bot = BotProcess("bot", self.server, self._folder, DATABASE_URL=self._url)
            await bot.start()
            try:
                await self._begin()
                began = time.perf_counter()
                killing = asyncio.create_task(self._kill(bot))
                await self._until_over()
                self.result.seconds = time.perf_counter() - began
                killing.cancel()
                with suppress(asyncio.CancelledError):
                    await killing
                await self._until_told()
            finally:
                await self._members.close()
                await bot.end()
            self.result.wrong = await self.wrong()
        return self.result

    async def _begin(self) -> None:
        """Let the organiser create the tournament, and everybody join it."""
        organiser, *players = self.server.user_ids
        (channel,) = self.server.channel_ids
        options = {"format": self._kind, "places": self._players, "start": "full", "clock": 86_400}
        path = ("tournament", "create", "tictactoe")
        answer = await self.server.slash(organiser, channel, path, options)
        message = await answer.shown
        join = next(c.custom_id for c in controls_of(message) if c.custom_id.endswith(":join"))
        began = time.perf_counter()
        for first in range(0, len(players), _JOINING):
            some = players[first : first + _JOINING]
            await asyncio.gather(*(self._members.press(one, message, join) for one in some))
        self.result.joined = time.perf_counter() - began

    async def _kill(self, bot: BotProcess) -> None:
        """Kill the bot at moments by the seed, and start it again at once."""
        for _ in range(self._kills):
            await asyncio.sleep(self._rng.uniform(*_LIFE_SECONDS))
            await bot.end(signal.SIGKILL)
            self.result.kills += 1
            # Being cancelled in the middle would leave a bot that nobody ends.
            await asyncio.shield(asyncio.ensure_future(bot.start()))

    async def _until_over(self) -> None:
        while (await self._stored()).tournament.stage in (Stage.OPEN, Stage.RUNNING):
            if self._members.failed:
                return
            await asyncio.sleep(1.0)

    async def _until_told(self) -> None:
        """Wait until everything was told once, or for so long that the rest is wrong."""
        stored, give_up_at = await self._stored(), time.perf_counter() + _REST_SECONDS
        while any(self._told_wrong(stored)) and time.perf_counter() < give_up_at:  # noqa: ASYNC110
            await asyncio.sleep(1.0)

    async def _stored(self) -> StoredTournament:
        async with reach(self._url) as engine:
            stored = await TournamentStore(engine).load(_ID)
        assert stored is not None, "the tournament was created"
        return stored

    def _note(self, message: Json) -> None:
        """Note when a round's matches are shown for the first time."""
        shown = read(message)
        thread = self.server.shown.threads.find(int(message["channel_id"]))
        if thread is not None and shown.match is not None and shown.match not in self._firsts:
            self._firsts.add(shown.match)
            round_ = int(thread["name"].rpartition("#")[2].split(".")[1])
            self.result.boards[round_].append(time.perf_counter())

    # --- what must hold afterwards

    async def wrong(self) -> list[str]:
        """Return the faults in all that is stored and shown by now, and those that members met."""
        stored = await self._stored()
        async with reach(self._url) as engine:
            results = await stored_matches(engine)
        self.result.counts = f"{len(stored.tournament.games)} pairings, {len(results)} matches"
        return [
            *self._members.failed,
            *(f"unknown request: {request}" for request in self.server.unknown),
            *_results_wrong(stored, results),
            *self._told_wrong(stored),
        ]

    def _told_wrong(self, stored: StoredTournament) -> Iterator[str]:
        """Yield what was told twice or never: calls, boards, the end, and the tournament."""
        threads = self.server.shown.threads.of(stored.place.server_id or 0)
        games = [one for one in stored.tournament.games if one.match_id is not None]
        names = Counter(thread["name"] for thread in threads)
        yield from (f"twice: thread {name!r}" for name, count in names.items() if count > 1)
        if len(threads) != len(games):
            yield f"threads: {len(threads)} for {len(games)} games"
        for thread in threads:
            shown = [read(message) for message in self.server.messages(int(thread["id"]))]
            calls = [one for one in shown if one.match is None and one.message["mentions"]]
            finals = [one for one in shown if one.over]
            boards = [one for one in shown if one.squares]
            if (len(calls), len(finals), len(boards)) != (1, 1, 0):
                yield (
                    f"thread {thread['name']!r}: {len(calls)} calls, {len(finals)} final boards,"
                    f" {len(boards)} live ones"
                )
        (channel,) = self.server.channel_ids
        said = [read(message) for message in self.server.messages(channel)]
        with_buttons = [one for one in said if one.controls]
        if (len(with_buttons), len(said)) != (1, 2):
            yield f"the channel has {len(said)} messages, {len(with_buttons)} of them with buttons"


def _results_wrong(stored: StoredTournament, results: dict[int, Stored]) -> Iterator[str]:
    """Yield the games without exactly one match and its result, and standings that differ."""
    tournament = stored.tournament
    if tournament.stage is not Stage.ENDED or tournament.being_played or next_pairings(tournament):
        yield f"not over: {tournament.stage}, {len(tournament.being_played)} games are being played"
    of_channel = Counter(match.channel for match in results.values())
    yield from (f"thread {c}: {n} matches" for c, n in of_channel.items() if n > 1)
    yield from (f"match {m} hasn't ended" for m, match in results.items() if not match.ended)
    used = Counter(played.match_id for played in tournament.games if played.match_id)
    if set(used) != set(results) or max(used.values(), default=1) > 1:
        yield f"{len(used)} games have matches, and there are {len(results)}"
    recomputed = list[TournamentGame]()
    for played in tournament.games:
        if played.match_id is None:
            if played.how is How.PLAYED:
                yield f"game {played.pairing.key} has the result of no match"
            recomputed.append(played)
        else:
            points = _points(results[played.match_id].ranks)
            recomputed.append(replace(played, points=points))
    if standings(replace(tournament, games=tuple(recomputed))) != standings(tournament):
        yield "the standings aren't those of the matches"


def _points(ranks: tuple[int | None, ...]) -> tuple[float, ...]:
    return (0.5, 0.5) if ranks == (1, 1) else tuple(float(rank == 1) for rank in ranks)


async def play(
    players: int, kind: str, seed: int, kills: int, database: str, folder: Path
) -> Result:
    """Play a tournament through in a folder, and return what happened."""
    with running(durable=True) if database == "postgresql" else nullcontext() as postgres:
        url = postgres.get_uri() if postgres else f"sqlite+aiosqlite:///{folder / 'load.db'}"
        return await Run(players, kind, seed, kills, url, folder).run()


def main() -> None:
    """Play the tournament of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.tournament", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--players", type=int, default=256)
    parser.add_argument("--format", choices=("swiss", "knockout", "round_robin"), default="swiss")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=10, help="how often the bot is killed")
    parser.add_argument("--folder", type=Path, help="keeps the database and the log")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rowbot-tournament-") as folder:
        kept = args.folder or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        playing = play(args.players, args.format, args.seed, args.kills, args.database, kept)
        result = asyncio.run(playing)
    print(*result.lines(), sep="\n")
    sys.exit(bool(result.wrong))


if __name__ == "__main__":
    main()
