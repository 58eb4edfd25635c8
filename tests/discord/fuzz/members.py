"""Members act at random: they play, press any button, and give any command."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError

from bot.invitations.model import Verb
from bot.invitations.options import others_of
from bot.matches.model import StoredMatch
from bot.matches.presses import Rematch
from core.games import GAMES
from core.players import Member
from tests.load.payloads import Json
from tests.load.reading import Control

from .oracle import is_in_thread, puzzle_buttons
from .rooms import Room

# The usual board of each game, and others.
_GAMES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *((game, {}) for game in GAMES),
    ("tictactoe", {}),
    ("tictactoe", {"variant": "misere"}),
    ("tictactoe", {"rows": 4, "columns": 4, "line": 4, "swap": True}),
    ("tictactoe", {"rows": 6, "columns": 6, "line": 4}),
    ("tictactoe", {"rows": 12, "columns": 12, "line": 5}),
    ("nineholes", {"variant": "drop-first"}),
)
_CLOCKS = (None, None, 0, 300, 900, 3600)
_PLAIN = (
    "answer",
    "answer",
    "board",
    "board",
    "moves",
    "undo",
    "draw",
    "restart",
    "resign",
    "rematch",
    "unrated",
    "hint",
    "analyse",
    "replay",
    "history",
    "help",
    "rules",
    "mydata export",
    "settings show",
    "leaderboard",
    "games",
    "endgame",
    "share",
    "export",
    "profile",
    "mymatches",
    "achievements",
    "puzzle",
    "puzzle",
    "settings set",
    "settings honours",
)
# The options with which a command is given, if there are any.
_ASKING: Sequence[Mapping[str, Any]] = ({}, {}, {"decline": True})
_OPTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "answer": [{"answer": verb.value} for verb in Verb],
    "board": ({}, {"put_away": True}),
    "undo": _ASKING,
    "draw": _ASKING,
    "restart": (*_ASKING, {"confirm": True}),
    "rematch": _ASKING,
    "unrated": _ASKING,
    "resign": ({}, {"confirm": True}),
    "analyse": ({}, {"match": 1}),
    "replay": ({}, {"move": 2}, {"match": 1}, {"best_line": True}),
    "history": ({}, {"page": 2}),
    "help": ({}, {"commands": True}),
    "share": ({}, {"match": 1}),
    "export": ({}, {"match": 1}),
    "leaderboard": ({}, {"period": "week", "by": "wins"}, {"scope": "everywhere"}),
    "puzzle": ({}, {"difficulty": "hard"}, {"move": "b2"}, {"solution": True}),
    "settings set": (
        {"clock": 300},
        {"clock": 0},
        {"challenge_minutes": 5},
        {"final_boards": "go"},
        {"final_boards": "stay"},
    ),
    "settings honours": ({"seasons": "here"}, {"achievements": "on"}, {"everywhere": "on"}),
}
# Presses that ask for an animation are rare, since each animation takes seconds.
_DRAWN, _DRAWN_PART = "ux", 0.1
# A thread takes several of the requests that the bot may make in a second.
_THREAD_SECONDS = 1
_AGREEING = (":accept", ":join", ":start", ":agree")
_LANGUAGES = ("de", "ja", "ar", "he", "en-US")
_MOST_SEEN = 30


class Members:
    """Lets the members of rooms act; each act is reported before it begins."""

    def __init__(self, rooms: list[Room], rng: Random, tell: Callable[[str], None]):
        self._rooms = rooms
        self._rng = rng
        self._tell = tell
        # Called with each member who has had their data erased.
        self.on_erased: list[Callable[[MemberActor], None]] = []

    async def act(self) -> None:
        """Let somebody do something in a room."""
        room = self._rng.choice(self._rooms)
        acts: list[tuple[Callable[[Room], Awaitable[None]], float]] = [
            (self._play_on, 30),
            (self._agree, 8),
            (self._press_any, 25),
            (self._press_late, 6),
            (self._press_twice, 6),
            (self._play, 10),
            (self.play_in_thread, 8),
            (self._command, 16),
            (self._move_wrongly, 3),
            (self._choose, 2),
            (self._moderate, 8),
            (self._erase, 2),
        ]
        act = self._rng.choices([one for one, _ in acts], [weight for _, weight in acts])[0]
        await act(room)
        for message in room.shown()[-3:]:
            if any(room.controls(message)):
                room.seen = [*room.seen[1 - _MOST_SEEN :], message]

    async def go_on(self, room: Room) -> bool:
        """Let the member to move make a move; return whether there is one in the room."""
        stored = await room.live()
        mover = to_move(stored, room) if stored else None
        if stored is None or mover is None:
            return False
        move = str(self._rng.choice(stored.match.position.legal_moves()))
        await self._say(room, mover, "move", where=move)
        return True

    async def begin(self, room: Room) -> None:
        """Let somebody begin a match, against the computer if nobody else is here."""
        who, *others = room.members
        if others and self._rng.random() < 0.7:
            await self._say(room, who, "play tictactoe", against=others[0], clock=300)
            await self._say(room, others[0], "answer", answer="accept", member=who)
        if await room.live() is None:
            await self._say(room, who, "play tictactoe", level="easy")

    async def open_puzzles(self, room: Room) -> None:
        """Let somebody press the newest puzzles of the day."""
        shown = [(one, button) for one in room.shown() for button in puzzle_buttons(one)]
        for message, button in shown[-2:]:
            await self._press(room, self._rng.choice(room.members), message, button)

    async def ask_for_board(self, room: Room, stored: StoredMatch) -> bool:
        """Let a player of a match ask for its board; return whether one is in the room."""
        staying = [stored.match.players[seat] for seat in stored.match.staying]
        for member in room.members:
            if Member(member.id) in staying:
                await self._say(room, member, "board")
                return True
        return False

    async def play_in_thread(self, _: Room) -> None:
        """Let members ask a busy channel for more matches, and go to threads with them."""
        room = self._rng.choice([one for one in self._rooms if one.takes_threads])
        stored = await room.live()
        mover = to_move(stored, room) if stored else None
        if mover is not None and self._rng.random() < 0.5:
            await self._say(room, mover, "resign", confirm=True)
        await self._press_rematch(room)
        await self._play(room)
        await self._say(room, self._rng.choice(room.members), "play tictactoe", level="easy")
        await self._agree(room)
        await self._press_rematch(room)
        for who in room.members:
            for message in room.private_to(who):
                for control in filter(is_in_thread, room.controls(message)):
                    await self._press(room, who, message, control)
                    await room.world.env.advance_time(_THREAD_SECONDS)

    async def _press_rematch(self, room: Room) -> None:
        """Let somebody press the newest *Rematch*, if there is one."""
        for message in reversed(room.shown()):
            for control in room.controls(message):
                if Rematch.parse(control.custom_id):
                    await self._press(room, self._rng.choice(room.members), message, control)
                    return

    async def _play_on(self, room: Room) -> None:
        """Let the players make a few moves."""
        for _ in range(self._rng.choice((1, 1, 2, 3, 8))):
            await self._move(room)

    async def _agree(self, room: Room) -> None:
        """Let everybody agree to what is asked in a room, one after another."""
        for who in self._rng.sample(room.members, len(room.members)):
            found = [
                (message, control)
                for message in room.shown()
                for control in room.controls(message)
                if control.whole.endswith(_AGREEING)
            ]
            if found:
                await self._press(room, who, *found[-1])

    async def _move(self, room: Room) -> None:
        """Let the member to move press a move on the newest board, or give it by a command."""
        stored = await room.live()
        mover = to_move(stored, room) if stored else None
        if stored is None or mover is None:
            await self._agree(room)
            return
        legal = {str(move) for move in stored.match.position.legal_moves()}
        seen = [*room.shown(), *room.private_to(mover)]
        ways = [
            (message, control)
            for message in seen
            for control in room.controls(message)
            if control.custom_id.startswith(f"m:{stored.id}:{stored.match.ply}")
            and control.whole.rpartition(":")[2] in legal
        ]
        if ways and self._rng.random() < 0.8:
            await self._press(room, mover, *self._rng.choice(ways))
        else:
            await self._say(room, mover, "move", where=self._rng.choice(sorted(legal)))

    async def _press_any(self, room: Room) -> None:
        who = self._rng.choice(room.members)
        messages = [*room.shown()[-8:], *room.private_to(who)]
        found = [(m, list(room.controls(m))) for m in messages]
        found = [(message, controls) for message, controls in found if controls]
        if found:
            # Newer messages are chosen more often, since members see those.
            message, controls = self._rng.choice([*found, *found[-2:]])
            await self._press(room, who, message, self._rng.choice(controls))

    async def _press_late(self, room: Room) -> None:
        """Press a message as it was some time ago; it may have been deleted since."""
        if room.seen:
            message = self._rng.choice(room.seen)
            control = self._rng.choice(list(room.controls(message)))
            await self._press(room, self._rng.choice(room.members), message, control)

    async def _press_twice(self, room: Room) -> None:
        """Let two presses of one message come at once, by the same member or by two."""
        messages = [one for one in room.shown()[-3:] if any(room.controls(one))]
        if not messages:
            return
        message = self._rng.choice(messages)
        controls = list(room.controls(message))
        one, other = self._rng.choice(room.members), self._rng.choice(room.members)
        stored = await room.live()
        if stored is not None and (mover := to_move(stored, room)) is not None:
            one = mover
        first = self._rng.choice(controls)
        second = first if self._rng.random() < 0.6 else self._rng.choice(controls)
        self._tell(f"{room.name}: {one.name} {first.whole} and {other.name} {second.whole} at once")
        room.press(one, message, first)
        room.press(other, message, second)
        await room.world.env.settle()

    async def _play(self, room: Room) -> None:
        game, options = self._rng.choice(_GAMES)
        who, *others = self._rng.sample(room.members, len(room.members))
        given: dict[str, Any] = dict(options)
        kind = self._rng.random()
        if kind < 0.2:
            given["open"] = True
        elif kind < 0.65 and others:
            given["against"] = others[0]
            if GAMES[game].seats > 2 and self._rng.random() < 0.5:
                given |= dict(zip(others_of(GAMES[game]), others, strict=False))
        else:
            given["level"] = self._rng.choice(("easy", "medium", "hard"))
        if (clock := self._rng.choice(_CLOCKS)) is not None:
            given["clock"] = clock
        await self._say(room, who, f"play {game}", **given)

    async def _command(self, room: Room) -> None:
        name = self._rng.choice(_PLAIN)
        options = self._rng.choice(_OPTIONS.get(name, ({},)))
        await self._say(room, self._rng.choice(room.members), name, **options)

    async def _move_wrongly(self, room: Room) -> None:
        where = self._rng.choice(("a1", "b2", "z99", "swap", "a1-b2", "d", "nonsense"))
        await self._say(room, self._rng.choice(room.members), "move", where=where)

    async def _choose(self, room: Room) -> None:
        """Choose the form of boards, who may challenge one, or the language of the server."""
        who = self._rng.choice(room.members)
        if self._rng.random() < 0.2:
            challengers = self._rng.choice(("everybody", "everybody", "nobody"))
            await self._say(room, who, "settings me", challenges=challengers)
        elif self._rng.random() < 0.5:
            form = self._rng.choice(("emoji", "picture", "words"))
            await self._say(room, who, "settings me", boards=form)
        else:
            language = self._rng.choice(_LANGUAGES)
            await self._say(room, who, "settings set", language=language)

    async def _moderate(self, _: Room) -> None:
        """Let the owner of a server, or somebody else, change its settings."""
        room = self._rng.choice([one for one in self._rooms if one.has_bot])
        guild = room.world.guild
        channel = self._rng.choice([*guild.channels.values()])
        prize = self._rng.choice([*guild.roles.values()][1:])  # not the role of everyone
        soon = room.world.env.now() + timedelta(hours=self._rng.randint(1, 3))
        settings: list[tuple[str, dict[str, Any]]] = [
            ("set", {"channels": "everywhere"}),
            ("set", {"channels": f"<#{channel.id}>"}),
            ("set", {"boards": "emoji"}),
            ("set", {"boards": "picture"}),
            *[("puzzle", {"channel": channel, "hour": soon.hour})] * 3,
            ("puzzle", {"hour": -1}),
            ("role", {"role": prize, "holder": "leader"}),
            ("role", {"role": prize, "holder": "rating", "rating": 900}),
            ("role", {"role": prize, "holder": "rating", "rating": 1000}),
            ("role", {"role": prize, "holder": "nobody"}),
        ]
        name, options = self._rng.choice(settings)
        owner = discord.utils.get(room.members, id=guild.owner.id)
        who = owner or self._rng.choice(room.members)
        await self._say(room, who, f"settings {name}", **options)

    async def _erase(self, room: Room) -> None:
        """Let somebody have their data erased."""
        who = self._rng.choice(room.members)
        await self._say(room, who, "mydata delete")
        for message in room.private_to(who)[-1:]:
            for control in room.controls(message):
                await self._press(room, who, message, control)

    async def _say(self, room: Room, who: MemberActor, name: str, **options: Any) -> None:
        said = " ".join(f"{key}:{getattr(value, 'name', value)}" for key, value in options.items())
        self._tell(f"{room.name}: {who.name} /{name} {said}")
        try:
            await room.command(who, name, **options)
        except SetupError:
            self._tell("which isn't offered to them there")

    async def _press(self, room: Room, who: MemberActor, message: Json, control: Control) -> None:
        if control.custom_id[0] in _DRAWN and self._rng.random() > _DRAWN_PART:
            return
        self._tell(f"{room.name}: {who.name} presses {control.whole} on {message['id']}")
        record = room.press(who, message, control)
        await room.world.env.settle()
        if control.custom_id == f"e:{who.id}:delete" and record.responded:
            for tell in self.on_erased:
                tell(who)


def to_move(stored: StoredMatch, room: Room) -> MemberActor | None:
    """Return the member to move; None if nobody in the room is to move."""
    player = stored.match.next_player
    if not isinstance(player, Member):
        return None
    return discord.utils.get(room.members, id=player.id)
