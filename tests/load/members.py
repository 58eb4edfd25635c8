"""Scripted members: they play all kinds of games in their channels, as people would.

A member sees messages only: their text, buttons and menus. The seed and these messages decide what
the members do, so in a channel in which the bot does the same they do the same.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from bot.invitations.options import others_of
from core.games import GAMES

from .discord_server import LoopbackDiscord
from .payloads import Json
from .reading import Control, Reading, read

# A person waits this long for an answer before trying something else.
_PATIENCE_SECONDS = 6.0
_PROMISE_SECONDS = 120.0
_LOOKS_SECONDS = (0.3, 1.2)
_MOST_ACTIONS = 70
_BUSY_SECONDS = 1.0
# Nobody asks more often for the board of one match.
_MOST_ASKED = 3

# The weights of games and of their boards; other games have weight 2, and their usual board.
_SHARES = {"tictactoe": 6}
_BOARDS: dict[str, tuple[tuple[int, dict[str, Any]], ...]] = {
    "tictactoe": (
        (6, {}),
        (2, {"variant": "misere"}),
        (2, {"rows": 4, "columns": 4, "line": 3, "swap": True}),
        (2, {"rows": 4, "columns": 4, "line": 4}),
        (2, {"rows": 5, "columns": 5, "line": 4}),
        (1, {"rows": 5, "columns": 5, "line": 4, "variant": "torus"}),
        (1, {"rows": 6, "columns": 7, "line": 4}),
        (1, {"rows": 10, "columns": 10, "line": 5}),
    ),
    "nineholes": tuple((1, {"variant": variant}) for variant in ("free", "drop-first", "step")),
    "tribolo": ((2, {"size": "small"}), (1, {"size": "medium"})),
}
_LEVELS = ("easy", "easy", "medium", "medium", "hard")


@dataclass(frozen=True)
class Wish:
    """A match that somebody would like: the game, its options, and the other members."""

    game: str
    options: dict[str, Any]
    others: tuple[int, ...]


@dataclass
class Tally:
    """The members' actions, and the answers to them."""

    done: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)
    games: int = 0


class Room:
    """A channel and the members who play there, one game after another."""

    def __init__(
        self,
        server: LoopbackDiscord,
        channel: int,
        members: Sequence[int],
        rng: Random,
        tally: Tally,
        shortest_clock: int = 300,
        *,
        hurry: bool = False,
    ) -> None:
        self.channel = channel
        self._server = server
        self._members = members
        self._rng = rng
        self._tally = tally
        self._shortest_clock = shortest_clock
        self._looks_seconds = (0.0, 0.0) if hurry else _LOOKS_SECONDS
        self._others: tuple[int, ...] = ()
        self._owner = members[0]
        self._asked = 0
        self._seen: list[Reading] = []
        self._wrong: set[str] = set()
        self._background: set[asyncio.Task[Any]] = set()

    async def play_on(self, more: Callable[[], bool]) -> None:
        """Play games until there are enough."""
        while more():
            if await self._game():
                self._tally.games += 1

    async def finish(self) -> None:
        """Wait for the answers that haven't come yet."""
        if self._background:
            await asyncio.wait(self._background)

    # One game

    async def _game(self) -> bool:
        """Play a game; return whether one began. The bot may be away for some time."""
        self._seen.clear()
        self._wrong.clear()
        self._asked, begun = 0, False
        for wish in self._wishes():
            if begun := await self._begin(wish):
                break
            await self._look()
        for _ in range(_MOST_ACTIONS):
            shown = self.newest()
            if shown is not None and shown.over:
                await self._afterwards(shown)
                return begun
            if self._asked > _MOST_ASKED:
                break
            await self._step(shown)
            await self._look()
        await self._command(self._owner, "endgame")
        return begun

    def _wishes(self) -> Iterator[Wish]:
        """Yield matches to ask for, a few at most."""
        rng = self._rng
        for _ in range(3):
            game = rng.choices([*GAMES], [_SHARES.get(key, 2) for key in GAMES])[0]
            self._owner, *others = rng.sample(list(self._members), len(self._members))
            options = self._options(game)
            alone = rng.random() < (0.5 if game == "tictactoe" else 0.35)
            self._others = ()
            if not alone:
                most = GAMES[game].seats - 1
                self._others = tuple(others[: most if most > 1 and rng.random() < 0.5 else 1])
            yield Wish(game, options, self._others)

    def _options(self, game: str) -> dict[str, Any]:
        boards = _BOARDS.get(game, ((1, {}),))
        weights = [weight for weight, _ in boards]
        return dict(self._rng.choices([board for _, board in boards], weights)[0])

    async def _begin(self, wish: Wish) -> bool:
        """Ask for a match; return whether its board or its invitation came."""
        rng, game, options = self._rng, GAMES[wish.game], dict(wish.options)
        table = bool(wish.others) and rng.random() < 0.25
        if table:
            options["open"] = True
        else:
            options |= dict(zip(others_of(game), map(str, wish.others), strict=False))
        if not wish.others or game.seats > 2:
            options["level"] = rng.choice(_LEVELS)
        if wish.others and rng.random() < 0.3:
            options["clock"] = rng.choice((self._shortest_clock, 300, 3600))
        if not game.first_by_lot and rng.random() < 0.3:
            options["first"] = rng.choice(("me", "opponent", "random"))
        before = self._newest_id()
        await self._command(self._owner, "play", wish.game, **options)
        shown = self.newest()
        if shown is not None and shown.id > before:
            return True
        if shown is not None and shown.running:
            # A match that nobody wants any more holds the channel.
            await self._command(self._owner, "endgame")
        return False

    # What to do with what is seen

    async def _step(self, shown: Reading | None) -> None:
        """Do one thing about the newest message."""
        if shown is None or shown.loading:
            await self._wait_or_ask()
        elif shown.offer is not None:
            await self._answer_offer(shown)
        elif shown.invitation is not None:
            await self._answer_invitation(shown)
        elif shown.turn is None:
            await self._wait_or_ask()
        else:
            self._remember(shown)
            await self._act(shown, shown.turn)

    async def _wait_or_ask(self) -> None:
        """Wait for something to happen; if nothing does, ask for the board."""
        before = self._state()
        for _ in range(12):
            await asyncio.sleep(_BUSY_SECONDS)
            if self._state() != before:
                return
        self._asked += 1
        self._tally.done["/board because nothing came"] += 1
        await self._command(self._owner, "board")

    async def _answer_invitation(self, shown: Reading) -> None:
        verbs = {c.custom_id.rpartition(":")[2]: c for c in shown.controls}
        other = self._rng.choice(self._others or self._members[:1])
        if "join" in verbs:
            verb, member = "join", other
            if self._rng.random() < 0.3:
                verb, member = "start", self._owner
        else:
            verb = self._rng.choices(("accept", "decline", "withdraw"), (17, 2, 1))[0]
            member = self._owner if verb == "withdraw" else other
        if verb in verbs:
            await self._press(member, shown, verbs[verb], verb)

    async def _answer_offer(self, shown: Reading) -> None:
        agree = self._rng.random() < 0.6
        wanted = "agree" if agree else "decline"
        for control in shown.controls:
            if control.custom_id.endswith(wanted):
                for member in (*self._others, self._owner):
                    if await self._press(member, shown, control, f"offer: {wanted}"):
                        return

    async def _act(self, shown: Reading, member: int) -> None:
        choices: list[tuple[float, Callable[[], Coroutine[Any, Any, object]]]] = [
            (80, lambda: self._move(shown, member)),
            (5, lambda: self._move_by_command(shown, member)),
            (3, lambda: self._move_twice(shown, member)),
            (3, lambda: self._move(shown, self._somebody_else(member))),
            (3, self._press_old),
            (2, lambda: self._control(shown, member, "hint")),
            (1, lambda: self._command(member, "hint")),
            (1, lambda: self._command(member, "moves")),
            (2, lambda: self._control(shown, member, "undo")),
            (2, lambda: self._control(shown, self._somebody_else(member), "undo")),
            (2, lambda: self._control(shown, member, "draw")),
            (1.5, lambda: self._resign(shown, member)),
            (1, lambda: self._command(member, "board")),
            (1, lambda: self._look_around(member)),
        ]
        act = self._rng.choices([do for _, do in choices], [weight for weight, _ in choices])[0]
        await act()

    def _somebody_else(self, member: int) -> int:
        others = [other for other in self._members if other != member]
        return self._rng.choice(others)

    # Actions

    async def _move(self, shown: Reading, member: int) -> None:
        control = self._square(shown)
        if control is None:
            await self._move_by_command(shown, member)
            return
        if not await self._press(member, shown, control, "move"):
            self._wrong.add(control.whole)

    def _square(self, shown: Reading) -> Control | None:
        """Return a square or choice that leads to a move, free ones first."""
        ways = [c for c in shown.controls if c.custom_id[0] in "mpw" and c.whole not in self._wrong]
        if not ways:
            self._wrong.clear()
            return None
        green = [c for c in ways if c.style == 3 and c.custom_id.startswith("m:")]
        if green:
            return self._rng.choice(green)
        faces = Counter(c.face for c in ways if c.value is None and c.custom_id.startswith("m:"))
        empty = [c for c in ways if faces and c.face == faces.most_common(1)[0][0]]
        return self._rng.choice(empty or ways)

    async def _move_by_command(self, shown: Reading, member: int) -> None:
        control = self._square(shown)
        fields = control.custom_id.split(":") if control is not None else []
        where = fields[3] if len(fields) > 3 and fields[0] == "m" else "b2"
        if control is not None and control.value is not None and fields[0] == "m":
            where = control.value
        await self._command(member, "move", where=where)

    async def _move_twice(self, shown: Reading, member: int) -> None:
        """Press a square twice at once."""
        control = self._square(shown)
        if control is not None:
            twice = (self._press(member, shown, control, "doubled press") for _ in range(2))
            await asyncio.gather(*twice)

    async def _press_old(self) -> None:
        """Press a board from earlier in the match, whose message may be gone."""
        if self._seen:
            old = self._rng.choice(self._seen)
            if old.controls:
                member = self._rng.choice((self._owner, *self._others))
                await self._press(member, old, self._rng.choice(old.controls), "old board")

    async def _control(self, shown: Reading, member: int, action: str) -> None:
        for control in shown.controls:
            if control.custom_id.startswith("a:") and control.custom_id.endswith(action):
                await self._press(member, shown, control, action)

    async def _resign(self, shown: Reading, member: int) -> None:
        for control in shown.controls:
            if control.custom_id.endswith(":resign"):
                asked = await self._press(member, shown, control, "resign")
                if asked is not None and asked.controls and self._rng.random() < 0.5:
                    await self._press(member, asked, asked.controls[0], "really resign")

    async def _look_around(self, member: int) -> None:
        names = ("leaderboard", "profile", "help", "games", "settings show", "mydata export")
        await self._command(member, *self._rng.choice(names).split())

    async def _afterwards(self, shown: Reading) -> None:
        """Look at a finished match, or play it again."""
        rng = self._rng
        by_tag = {control.custom_id.partition(":")[0]: control for control in shown.controls}
        member = rng.choice((self._owner, *self._others))
        if "y" in by_tag and rng.random() < 0.25:
            await self._press(member, shown, by_tag["y"], "analyse")
        if "v" in by_tag and rng.random() < 0.3:
            replay = await self._press(member, shown, by_tag["v"], "replay")
            if replay is not None and replay.controls:
                export = replay.controls[-1]
                for control in (replay.controls[0], *([export] if rng.random() < 0.4 else [])):
                    await self._press(member, replay, control, "replay step")
        if "r" in by_tag and rng.random() < 0.3:
            for player in (self._owner, *self._others):
                await self._press(player, shown, by_tag["r"], "rematch")
            for _ in range(_MOST_ACTIONS):
                again = self.newest()
                if again is None or again.over or again.match == shown.match:
                    return
                await self._step(again)
                await self._look()

    # Calls

    async def _press(
        self, member: int, shown: Reading, control: Control, what: str
    ) -> Reading | None:
        """Press a button; return what was shown unless that is a refusal in plain words."""
        pressing = self._server.press(member, shown.message, control.custom_id, control.value)
        return await self._answer(pressing, what)

    async def _command(self, member: int, *path: str, **options: Any) -> Reading | None:
        what = f"/{' '.join(path)}"
        return await self._answer(self._server.slash(member, self.channel, path, options), what)

    async def _answer(self, asking: Coroutine[Any, Any, Any], what: str) -> Reading | None:
        self._tally.done[what] += 1
        task = asyncio.create_task(self._settled(asking, what))
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_SECONDS):
                return await asyncio.shield(task)
        self._tally.answers["late"] += 1
        return None

    async def _settled(self, asking: Coroutine[Any, Any, Any], what: str) -> Reading | None:
        """Return what an interaction finally shows, unless that is a refusal in plain words."""
        try:
            answer = await asking
            async with asyncio.timeout(_PROMISE_SECONDS):
                message: Json = await answer.shown
        except TimeoutError:
            self._tally.answers["none"] += 1
            return None
        except ConnectionError:
            self._tally.answers["bot away"] += 1
            await asyncio.sleep(_BUSY_SECONDS)
            return None
        except LookupError:
            self._tally.answers["the button has just gone"] += 1
            return None
        shown = read(message)
        if shown.failed:
            self._tally.failed.append(f"{what}: {shown.text}")
            self._tally.answers["unexpected error"] += 1
        elif shown.private:
            self._tally.answers["private"] += 1
        else:
            self._tally.answers["public"] += 1
        refused = shown.private and not shown.controls
        return None if refused else shown

    # Looking

    def newest(self) -> Reading | None:
        """Return the newest message that can be acted on, None if there is none."""
        for message in reversed(self._server.messages(self.channel)):
            shown = read(message)
            if shown.controls or shown.loading:
                return shown
        return None

    def _newest_id(self) -> int:
        shown = self.newest()
        return shown.id if shown is not None else 0

    def _state(self) -> object:
        """Return what the channel shows, to see when it changes."""
        shown = self.newest()
        return (shown.id, shown.text, shown.controls) if shown is not None else None

    def _remember(self, shown: Reading) -> None:
        self._seen = [*self._seen[-5:], shown]

    async def _look(self) -> None:
        await asyncio.sleep(self._rng.uniform(*self._looks_seconds))
