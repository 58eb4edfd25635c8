"""A crowd that plays tournaments: random acts of members, moderators and Discord.

Everything here is begun without waiting for the bot. So several things can happen at once, and
something can happen in the middle of something else.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import Interaction, Message, Overwrite
from simcord.builders import ChannelHandle, RoleHandle
from simcord.enums import OverwriteType

from tests.discord.world import World
from tests.fuzzing import acting
from tests.fuzzing.messages import body, ids
from tests.load.payloads import Json
from tests.load.reading import Control, controls_of

LANGUAGES = ("en", "ja")
_GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tictactoe", {}),
    ("tictactoe", {}),
    ("tictactoe", {"variant": "misere"}),
    ("tictactoe", {"rows": 4, "columns": 4, "line": 3, "swap": True}),
    ("tictactoe", {"rows": 7, "columns": 6, "line": 4}),
    ("connectfour", {"rows": 4, "columns": 5}),
    ("nineholes", {}),
)
_FORMATS = ("knockout", "swiss", "round_robin", "double_round_robin")
_CLOCKS = (300, 600, 3600, 14_400)
_RESULTS = ("first", "second", "draw", "nobody")
_OWN = (
    "resign",
    "draw",
    "undo",
    "hint",
    "restart",
    "rematch",
    "unrated",
    "board",
    "moves",
    "share",
)
_DENIED = (
    discord.Permissions(send_messages=True),
    discord.Permissions(send_messages_in_threads=True),
    discord.Permissions(create_public_threads=True),
    discord.Permissions(view_channel=True),
    discord.Permissions(read_message_history=True),
    discord.Permissions(manage_threads=True, manage_messages=True),
)


@dataclass(frozen=True)
class Live:
    """A match that is being played: its channel, the members to move, and their moves."""

    match_id: int
    channel_id: int
    tournament_id: int | None
    mover: int | None
    moves: tuple[str, ...]
    players: tuple[int, ...]


@dataclass
class Crowd:
    """The people of a server; each act is reported.

    `live` are the matches, `going_on` the stages of the tournaments that aren't over, and `keys`
    the keys of all games, as of the last look. `gone` are the members who have left, `erased` those
    whose data was erased, `denied` the channels in which the bot lacks a permission, and `deleted`
    the messages that moderators have deleted. `seconds` and `restart` ask the fuzzer to let time
    pass and to start the bot again. `begun` are all interactions.
    """

    world: World
    rng: Random
    tell: Callable[[str], None]
    size: int = 7
    live: list[Live] = field(default_factory=list)
    going_on: dict[int, str] = field(default_factory=dict)
    keys: list[tuple[int, str]] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    erased: set[int] = field(default_factory=set)
    denied: set[int] = field(default_factory=set)
    deleted: set[int] = field(default_factory=set)
    seconds: int = 0
    restart: bool = False
    begun: list[Interaction] = field(default_factory=list)
    _erasing: list[Interaction] = field(default_factory=list)
    _old: list[Json] = field(default_factory=list)

    def __post_init__(self) -> None:
        guild = self.world.guild
        organises = discord.Permissions(manage_events=True)
        moderates = discord.Permissions(manage_channels=True, manage_messages=True)
        self.role = guild.create_role("club")
        self.organisers = [self._member("olga", guild.create_role("org", permissions=organises))]
        self.moderators = [self._member("mona", guild.create_role("mod", permissions=moderates))]
        self.players = [
            self._member(f"player{n}x", *([self.role] if n % 2 else [])) for n in range(self.size)
        ]
        self.channels = [self.another(f"tournaments-{n}") for n in range(2)]
        self.rooms = [self.another(f"room-{n}") for n in range(3)]

    def another(self, name: str) -> ChannelHandle:
        """Return a new channel in which the bot draws no pictures, since those take time."""
        denied = discord.PermissionOverwrite(attach_files=False)
        return self.world.guild.create_text_channel(name, overwrites={self.world.me: denied})

    @property
    def everybody(self) -> list[MemberActor]:
        """All who are on the server."""
        all_ = [*self.organisers, *self.moderators, *self.players]
        return [one for one in all_ if one.id not in self.gone]

    def _member(self, name: str, *roles: RoleHandle) -> MemberActor:
        return self.world.guild.add_member(self.world.env.create_user(name), roles=roles)

    # --- choosing

    def act(self) -> None:
        """Do something that is possible now, and report it."""
        acts = self._acts()
        for _ in range(20):
            (act,) = self.rng.choices(list(acts), list(acts.values()))
            try:
                done = act()
            except (SetupError, BackendError):
                continue  # nobody could do it now
            if done is not None:
                self.tell(f"{act.__name__}: {done}")
                return

    def _acts(self) -> dict[Callable[[], str | None], float]:
        return {
            self.create: 12 if len(self.going_on) < 3 else 0.3,
            self.join: 14,
            self.start: 2,
            self.move: 60,
            self.press_anything: 10,
            self.press_private: 14,
            self.press_old: 4,
            self.ask: 7,
            self.withdraw: 1.5,
            self.drop: 0.7,
            self.leave_server: 0.6,
            self.come_back: 1.5,
            self.erase: 0.8,
            self.end_game: 1.5,
            self.cancel: 0.5,
            self.correct: 2.5,
            self.delete_thread: 1,
            self.delete_message: 1,
            self.delete_channel: 0.15,
            self.deny: 1,
            self.allow: 1.5,
            self.change_settings: 1.5,
            self.play_there: 1.5,
            self.look: 2,
            self.wait: 3,
            self.start_again: 0.6,
        }

    def _one(self, people: Sequence[MemberActor]) -> MemberActor:
        back = self.rng.random() < 0.03
        here = [one for one in people if one.id not in self.gone and (back or not self._out(one))]
        if not here:
            raise SetupError("nobody is there")
        return self.rng.choice(here)

    def _out(self, one: MemberActor) -> bool:
        """Return whether somebody whose data was erased stays away; rarely they come back."""
        return one.id in self.erased

    def _who(self, member_id: int) -> MemberActor | None:
        return next((one for one in self.everybody if one.id == member_id), None)

    def _tournament(self, *stages: str) -> int:
        found = [one for one, stage in self.going_on.items() if stage in stages]
        if not found:
            raise SetupError("there is no such tournament")
        return self.rng.choice(found)

    # --- what people do

    def create(self) -> str:
        rng, channel = self.rng, self.rng.choice(self.channels)
        game, own = rng.choice(_GAMES)
        options = {
            "format": rng.choice(_FORMATS),
            "places": rng.choice((3, 3, 4, 4, 5)),
            "start": rng.choice(("full", "full", "button", "15m")),
            "clock": rng.choice(_CLOCKS),
            "rated": rng.random() < 0.7,
            **own,
        }
        if options["format"] == "swiss":
            options["rounds"] = rng.choice((2, 3))
        if rng.random() < 0.35:
            rooms = rng.sample(self.rooms, rng.choice((1, 2)))
            options["channels"] = " ".join(room.mention for room in rooms)
        if rng.random() < 0.15:
            options["role"] = self.role
        who = self._one([*self.organisers, *self.moderators])
        return self.slash(who, channel, f"tournament create {game}", **options)

    def join(self) -> str:
        one, who = self._tournament("open"), self._one(self.everybody)
        if (message := self._message_of(one)) and self.rng.random() < 0.7:
            for control in controls(message):
                if control.custom_id == f"to:{one}:join":
                    return self.press(who, message, control)
        return self._named(who, "join", one)

    def start(self) -> str:
        one = self._tournament("open")
        return self._named(self._one([*self.organisers, *self.moderators]), "start", one)

    def move(self) -> str | None:
        live = [one for one in self.live if one.mover is not None and self._who(one.mover)]
        if not live:
            return None
        one = self.rng.choice(live)
        who = self._who(one.mover or 0)
        assert who is not None
        move = self.rng.choice(one.moves)
        for message in reversed(self._public(one.channel_id)):
            for control in controls(message):
                whole = control.whole
                if whole.startswith(f"m:{one.match_id}:") and whole.endswith(f":{move}"):
                    return self.press(who, message, control)
        return self.slash(who, self._channel(one.channel_id), "move", where=move)

    def note_erased(self, since: int, *, sure: bool) -> None:
        """Note those whose data was erased, if they have done nothing else `since` a moment.

        Unless it is `sure` that all work was done, nobody is noted.
        """
        busy = Counter(record.user_id for record in self.begun[since:])
        done = [record.user_id for record in self._erasing if record.responded]
        self.erased |= {one for one in done if sure and busy[one] == 1}
        self._erasing.clear()

    def act_on_board(self) -> None:
        """Let the member to move in the only live match make a move, if they are there."""
        done = self.move()
        if done is not None:
            self.tell(f"move: {done}")

    def call_off(self, one: int) -> None:
        """Let a moderator ask to cancel a tournament."""
        who, here = self._one(self.moderators), self.channels[0]
        self.tell(self.slash(who, here, "tournament cancel", tournament=str(one)))

    def confirm(self, one: int) -> None:
        """Let moderators answer whether they really want to cancel a tournament."""
        for who, message in self._questions():
            for control in controls(message):
                if control.custom_id == f"to:{one}:cancel":
                    self.tell(self.press(who, message, control))
                    return

    def press_anything(self) -> str | None:
        messages = [m for m in self._all_public() if controls(m)]
        if not messages:
            return None
        message = self.rng.choice(messages[-12:] if self.rng.random() < 0.6 else messages)
        self._old = [*self._old[-40:], acting.told(self.world.env, message)]
        return self.press(self._one(self.everybody), message, self.rng.choice(controls(message)))

    def press_private(self) -> str | None:
        """Press a button that only one member sees."""
        found = self._questions()
        if not found:
            return None
        who, message = self.rng.choice(found[-4:])
        return self.press(who, message, self.rng.choice(controls(message)))

    def _questions(self) -> list[tuple[MemberActor, Message]]:
        """Return the members with private messages that have buttons, each with its message."""
        return [
            (who, message)
            for messages in self.world.env.backend.messages.values()
            for message in messages.values()
            if message.is_ephemeral and controls(message)
            for who in self.everybody
            if message.visible_to(who.id) and not self._out(who)
        ]

    def press_old(self) -> str | None:
        """Press a message as it was some time ago."""
        messages = self.world.env.backend.messages
        here = [m for m in self._old if int(m["id"]) in messages.get(int(m["channel_id"]), {})]
        if not here:
            return None
        message = self.rng.choice(here[-20:])
        control = self.rng.choice(list(controls_of(message)))
        return self._press(self._one(self.everybody), message, control)

    def ask(self) -> str | None:
        if not self.live:
            return None
        one = self.rng.choice(self.live)
        who = self._who(self.rng.choice(one.players or (0,))) or self._one(self.everybody)
        return self.slash(who, self._channel(one.channel_id), self.rng.choice(_OWN))

    def withdraw(self) -> str:
        one = self._tournament("open", "running")
        return self._named(self._one(self.players), "leave", one)

    def leave_server(self) -> str | None:
        here = [one for one in self.players if one.id not in self.gone]
        if len(here) < 5:
            return None
        who = self.rng.choice(here)
        self.world.env.backend.remove_member(self.world.guild.id, who.id)
        self.gone.add(who.id)
        return who.name

    def come_back(self) -> str | None:
        if not self.gone:
            return None
        member_id = self.rng.choice(sorted(self.gone))
        self.gone.remove(member_id)
        self.world.env.backend.add_member(
            self.world.guild.id, member_id, roles=[], nick=None, avatar=None, announce=True
        )
        return str(member_id)

    def erase(self) -> str:
        who = self._one([*self.players, *self.players, *self.organisers])
        return self.slash(who, self.rng.choice(self.channels), "mydata delete")

    def end_game(self) -> str | None:
        if not self.live:
            return None
        channel = self._channel(self.rng.choice(self.live).channel_id)
        who = self._one(self.moderators)
        if self.rng.random() < 0.3:
            return self.slash(who, self.rng.choice(self.channels), "endgame", channel=channel)
        return self.slash(who, channel, "endgame")

    def drop(self) -> str:
        one, player = self._tournament("open", "running"), self.rng.choice(self.everybody)
        who = self._one([*self.organisers, *self.moderators])
        return self._named(who, "drop", one, member=player, confirm=self.rng.random() < 0.7)

    def cancel(self) -> str:
        one = self._tournament("open", "running")
        return self._named(self._one([*self.organisers, *self.moderators]), "cancel", one)

    def correct(self) -> str | None:
        if not self.keys:
            return None
        one, key = self.rng.choice(self.keys[-20:])
        who = self._one([*self.organisers, *self.moderators])
        result = self.rng.choice(_RESULTS)
        return self._named(who, "result", one, game=key, result=result)

    def delete_thread(self) -> str | None:
        threads = [one for channel in self.channels for one in channel.threads]
        if not threads:
            return None
        thread = self.rng.choice(threads[-6:])
        self.world.env.backend.delete_channel(thread.id)
        return str(thread.name)

    def delete_message(self) -> str | None:
        """Delete a message of the bot's, as moderators may."""
        messages = self._all_public()
        if not messages:
            return None
        message = self.rng.choice(messages[-15:])
        self.deleted.add(message.id)
        self.world.env.backend.delete_message(message.channel_id, message.id)
        return f"{message.id} in {message.channel_id}"

    def delete_channel(self) -> str:
        """Delete a channel with its threads, and create another one."""
        channels = self.rng.choice((self.channels, self.rooms))
        channel = channels.pop(self.rng.randrange(len(channels)))
        channels.append(self._replacement(str(channel.name)))
        self.denied.discard(channel.id)
        self.world.delete_channel(channel)
        return str(channel.name)

    def _replacement(self, name: str) -> ChannelHandle:
        env, guild = self.world.env, self.world.guild
        channel = env.backend.create_channel(guild.id, name, type=0, announce=True)
        handle = ChannelHandle(env, guild, channel)
        self._overwrite(handle, discord.Permissions(attach_files=True))
        return handle

    def deny(self) -> str:
        """Take a permission away from the bot in a channel."""
        channel = self.rng.choice([*self.channels, *self.rooms])
        taken = self.rng.choice(_DENIED)
        self._overwrite(channel, taken | discord.Permissions(attach_files=True))
        self.denied.add(channel.id)
        return f"{channel.name}: {[name for name, on in taken if on]}"

    def allow(self) -> str | None:
        """Give the permissions back in a channel."""
        channels = [c for c in (*self.channels, *self.rooms) if c.id in self.denied]
        if not channels:
            return None
        channel = self.rng.choice(channels)
        self._overwrite(channel, discord.Permissions(attach_files=True))
        self.denied.discard(channel.id)
        return str(channel.name)

    def _overwrite(self, channel: ChannelHandle, denied: discord.Permissions) -> None:
        backend = self.world.env.backend
        me = backend.bot_user.id
        overwrite = Overwrite(me, OverwriteType.MEMBER, deny=denied.value)
        backend.set_overwrite(channel.id, overwrite)

    def change_settings(self) -> str:
        rng = self.rng
        options: dict[str, Any] = rng.choice(
            (
                {"language": rng.choice(LANGUAGES)},
                {"language": rng.choice(LANGUAGES)},
                {"final_boards": rng.choice(("stay", "go"))},
                {"clock": rng.choice((0, 3600))},
                {"channels": "everywhere"},
                {"channels": rng.choice(self.rooms).mention},
            )
        )
        who = self._one(self.moderators)
        return self.slash(who, self.rng.choice(self.channels), "settings set", **options)

    def play_there(self) -> str:
        """Begin a match that belongs to no tournament, perhaps in a channel for tournaments."""
        who, other = self._one(self.players), self._one(self.players)
        against = {"against": other} if self.rng.random() < 0.5 and other.id != who.id else {}
        room = self.rng.choice([*self.rooms, *self.channels])
        self.erased -= {one.id for one in against.values()}  # a challenge names them again
        return self.slash(who, room, "play tictactoe", **against)

    def look(self) -> str:
        one = self._tournament("open", "running")
        return self._named(self._one(self.everybody), "show", one)

    def wait(self) -> str:
        self.seconds = self.rng.choice((60, 60, 300, 600, 900, 3600))
        return f"{self.seconds} s"

    def start_again(self) -> str:
        self.restart = True
        return "restart"

    # --- how

    def _named(self, who: MemberActor, command: str, one: int, **options: Any) -> str:
        channel = self.rng.choice(self.channels)
        if self.rng.random() < 0.15:  # the tournament that the channel implies
            return self.slash(who, channel, f"tournament {command}", **options)
        return self.slash(who, channel, f"tournament {command}", tournament=str(one), **options)

    def slash(self, who: MemberActor, where: ChannelHandle, name: str, /, **options: Any) -> str:
        """Begin a command."""
        self._begun(acting.slash(self.world.env, who, where, name, options))
        shown = {key: str(getattr(value, "name", value)) for key, value in options.items()}
        return f"{who.name} in {where.name}: /{name} {shown or ''} #{self.begun[-1].id}"

    def press(self, who: MemberActor, message: Message, control: Control) -> str:
        """Begin a press on a message."""
        return self._press(who, acting.told(self.world.env, message), control)

    def _press(self, who: MemberActor, message: Json, control: Control) -> str:
        """Begin a press on a message as it was seen."""
        record = acting.press(self.world.env, who, message, control)
        self._begun(record)
        if control.custom_id.startswith(f"e:{who.id}:"):
            self._erasing.append(record)
        place = self._channel(int(message["channel_id"])).name
        return f"{who.name} in {place}: {control.whole} of {message['id']} #{record.id}"

    def _begun(self, record: Interaction) -> None:
        self.begun.append(record)
        self.erased.discard(record.user_id)

    # --- what there is

    def _channel(self, channel_id: int) -> ChannelHandle:
        env = self.world.env
        return ChannelHandle(env, self.world.guild, env.backend.get_channel(channel_id))

    def _message_of(self, one: int) -> Message | None:
        found = [m for m in self._all_public() if f"tp:{one}:0" in ids(m)]
        return found[-1] if found else None

    def _all_public(self) -> list[Message]:
        backend = self.world.env.backend
        return sorted((m for c in backend.messages for m in self._public(c)), key=lambda m: m.id)

    def _public(self, channel_id: int) -> list[Message]:
        backend = self.world.env.backend
        here = backend.messages.get(channel_id, {}).values()
        return [m for m in here if m.author_id == backend.bot_user.id and not m.is_ephemeral]


def controls(message: Message) -> list[Control]:
    """Return what can be pressed or chosen on a message."""
    return list(controls_of(body(message)))
