"""A small Discord server for tests, with short names for members' actions and their effects."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from itertools import cycle
from typing import Any

import discord
import pytest
from discord import ui
from simcord import interactions
from simcord.actors import MemberActor, MessageLike
from simcord.backend import serializers
from simcord.backend.models.channel import Overwrite
from simcord.builders import ChannelHandle, GuildHandle, RoleHandle, UserHandle
from simcord.components import walk_components
from simcord.enums import ChannelType, ComponentType, InteractionType, OverwriteType
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage, to_discord_message

from bot.db.database import Database
from bot.identity import ChannelId
from bot.matches.model import StoredMatch
from bot.render.words import NO_BREAK_SPACE, WORD_JOINER
from tests.bot.processes import until
from tests.discord.calls import CALLBACK, on_its_way
from tests.services import Services, services_over

# The buttons of a final board: those that only look back at it; all, if the result counts; and all,
# if it doesn't.
LOOKING = ["Replay", "Analyse", "Share"]
FINAL = ["Rematch", "New match", *LOOKING]
FINAL_UNDO = ["Rematch", "New match", "Undo", *LOOKING]

NAMES = ("alice", "bob", "carol")
# On three by three, with alice to move first.
ALICE_WINS = "a1 b1 a2 b2 a3"
DRAWN = "a1 b1 c1 b2 a2 a3 b3 c2 c3"
# The labels of squares, rows, columns, and moves with the points that they bring.
PLACE = re.compile(r"[a-z]?[0-9]+( \+[0-9]+)?|[a-z]")
# The bot's work that follows an answer takes less than this.
_WHILE_SECONDS = 0.1


@dataclass
class World:
    """One server with the channel `games`, its members, and the bot."""

    env: Env
    database: Database
    clock: Callable[[], int]
    people: Sequence[UserHandle] = ()
    guild: GuildHandle = field(init=False)
    channel: ChannelHandle = field(init=False)
    alice: MemberActor = field(init=False)
    bob: MemberActor = field(init=False)
    carol: MemberActor = field(init=False)

    def __post_init__(self) -> None:
        self.guild = self.env.create_guild()
        self.channel = self.guild.create_text_channel("games")
        self.people = self.people or [self.env.create_user(name) for name in NAMES]
        self.alice, self.bob, self.carol = map(self.guild.add_member, self.people)

    @cached_property
    def services(self) -> Services:
        """The test's own services, over the bot's database."""
        return services_over(self.database, self.clock)

    async def challenge(
        self, channel: ChannelHandle | None = None, /, **options: Any
    ) -> discord.Message:
        """Let alice challenge bob and bob accept; return the board. Alice moves first."""
        place, game = channel or self.channel, options.pop("game", "tictactoe")
        await self.alice.slash(place, f"play {game}", against=self.bob, **options)
        await self.bob.click(newest(place), label="Accept")
        return newest(place)

    @property
    def last(self) -> discord.Message:
        """The newest message in the channel."""
        return newest(self.channel)

    @property
    def me(self) -> discord.Member:
        """The bot as a member."""
        me = self.guild.me
        assert me is not None, "the bot is on the server"
        return me

    def now(self, message: MessageLike) -> discord.Message:
        """Return the current version of a message."""
        channel_id = _channel_id(message)
        return to_discord_message(self.env, self.env.backend.get_message(channel_id, message.id))

    def thread(self, parent: ChannelHandle, kind: int = ChannelType.PUBLIC_THREAD) -> ChannelHandle:
        """Open a thread and add alice to it."""
        self.env.backend.create_thread(parent.id, "a thread", self.alice.id, type=kind)
        return parent.threads[-1]

    def delete_channel(self, channel: ChannelHandle) -> None:
        """Delete a channel with its threads, of which Discord sends no events."""
        backend = self.env.backend
        for thread in channel.threads:
            del backend.channels[thread.id]
            backend.messages.pop(thread.id, None)
            backend.get_guild(self.guild.id).thread_ids.remove(thread.id)
        backend.delete_channel(channel.id)

    def channel_for(self, *seeing: RoleHandle | MemberActor | discord.Member) -> ChannelHandle:
        """Return a channel that only these members and roles see."""
        overwrites: dict[Any, discord.PermissionOverwrite] = {
            self.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            **dict.fromkeys(seeing, discord.PermissionOverwrite(view_channel=True)),
        }
        return self.guild.create_text_channel("hidden", overwrites=overwrites)

    def channel_without(self, *permissions: str) -> ChannelHandle:
        """Return a channel where the bot lacks permissions that the members have."""
        denied = discord.PermissionOverwrite(**dict.fromkeys(permissions, False))
        return self.guild.create_text_channel("narrow", overwrites={self.me: denied})

    def deny(
        self, channel: ChannelHandle, who: MemberActor | None = None, /, **permissions: bool
    ) -> None:
        """Deny a member, by default the bot, these permissions in a channel, and no others."""
        denied = discord.Permissions(**permissions).value
        member_id = self.me.id if who is None else who.id
        overwrite = Overwrite(member_id, OverwriteType.MEMBER, deny=denied)
        self.env.backend.set_overwrite(channel.id, overwrite)

    def boards(self) -> list[discord.Message]:
        """Return the messages in the channel with squares to press."""
        return [
            m for m in self.channel.history() if any(i.startswith(("m:", "p:")) for i in ids(m))
        ]

    async def press(
        self, who: MemberActor, square: str, message: MessageLike | None = None
    ) -> InteractionResult:
        """Press a square, or make a move such as a1-c4, on a board; the newest by default."""
        board = message or self.last
        return await who.click(board, custom_id=button(board, square))

    async def play(self, moves: str, *players: MemberActor) -> discord.Message:
        """Let alice and bob, or others, move in turns (``a1 b2 c3``); return the last board."""
        for who, move in zip(cycle(players or (self.alice, self.bob)), moves.split(), strict=False):
            await self.move(who, move)
        return self.last

    async def played(self, moves: str = ALICE_WINS, **options: Any) -> discord.Message:
        """Let alice challenge bob and both move; return the last board."""
        await self.challenge(**options)
        return await self.play(moves)

    async def command(self, who: MemberActor, name: str, **options: Any) -> discord.Message:
        """Let a member give a command in the channel; return the newest message there."""
        await who.slash(self.channel, name, **options)
        return self.last

    async def move(self, who: MemberActor, move: str) -> None:
        """Make a move by buttons: one press for a drop, two for a man."""
        if "-" in move:
            await self.press(who, move.split("-")[0])
        await self.press(who, move)

    async def resign(self, who: MemberActor, channel: ChannelHandle | None = None) -> str:
        """Let a member resign and confirm; return the text of the confirmation."""
        asked = answer_to(await who.slash(channel or self.channel, "resign"))
        question, (sure,) = text(asked), labels(asked)
        await who.click(asked, label=sure)
        return question

    async def rematch(self) -> None:
        """Let alice and bob play the channel's last match again."""
        for who in (self.alice, self.bob):
            await who.slash(self.channel, "rematch")

    async def leap(self, seconds: float) -> None:
        """Let time pass at once, as while a machine sleeps: what came due meanwhile is done once.

        An hour second by second takes 2.5 s of CPU, since all loops have their rounds.
        """
        self.env.backend.advance_clock(seconds)
        await self.env.settle()

    async def tell_commands(self) -> None:
        """Let the bot tell Discord its commands, which takes it a second from its start."""
        await self.env.advance_time(2)

    async def sql(self, statement: str) -> list[Any]:
        """Run SQL on the bot's database; return the rows."""
        async with self.database.begin() as connection:
            result = await connection.exec_driver_sql(statement)
            return list(result) if result.returns_rows else []

    async def stored(self) -> StoredMatch:
        """Return the channel's newest match from the bot's database."""
        return await self.services.matches.latest(ChannelId(self.channel.id))

    async def files(self, result: InteractionResult) -> dict[str, BytesIO]:
        """Return the attachments of an answer by name."""
        return {a.filename: BytesIO(await a.read()) for a in answer_to(result).attachments}

    def keep_old_boards(self, status: int = 403, code: int = 50013) -> None:
        """Let every deletion and edit of a message fail, by default for lack of the permission."""
        for method in ("DELETE", "PATCH"):
            for path in ("/channels/*/messages/*", "/webhooks/*/messages/[0-9]*"):
                self.env.inject_error(method, path, status=status, code=code, times=None)

    def public(self) -> list[tuple[int, str, tuple[str, ...]]]:
        """Return the channel's public messages: the id, text and buttons of each."""
        return [
            (m.id, text(m), tuple(ids(m))) for m in self.channel.history() if not m.flags.ephemeral
        ]

    def private(self) -> list[discord.Message]:
        """Return the channel's private messages, which `history` leaves out."""
        stored = self.env.backend.messages[self.channel.id].values()
        return [to_discord_message(self.env, one) for one in stored if one.is_ephemeral]

    def on_sight(self, presses: dict[str, MemberActor]) -> list[InteractionResult]:
        """Let members press these buttons as soon as they appear; results are filled in later.

        Discord has created the message by then, but hasn't yet answered the bot's request.
        """
        results: list[InteractionResult] = []

        def react(event: str, payload: Mapping[str, Any]) -> None:
            if event == "MESSAGE_CREATE":
                stored = self.env.backend.get_message(self.channel.id, int(payload["id"]))
                message = to_discord_message(self.env, stored)
                seen = presses.keys() & {*ids(message)}
                results.extend(self.begin(presses.pop(i), message, i) for i in seen)

        self.env.backend.subscribers.append(react)
        return results

    def when_posted(
        self, who: MemberActor, message: discord.Message, custom_id: str
    ) -> list[InteractionResult]:
        """Let a member press a button as soon as the bot's next message appears."""
        results: list[InteractionResult] = []

        def react(event: str, payload: Mapping[str, Any]) -> None:
            if event == "MESSAGE_CREATE" and not results:
                results.append(self.begin(who, message, custom_id))

        self.env.backend.subscribers.append(react)
        return results

    async def at_once(
        self, *presses: tuple[MemberActor, discord.Message, str]
    ) -> list[InteractionResult]:
        """Dispatch several presses before the bot answers any; return the results."""
        records = [self._dispatch(*press) for press in presses]
        await self.env.settle()
        return [InteractionResult(self.env, record) for record in records]

    def begin(
        self, who: MemberActor, message: discord.Message, custom_id: str
    ) -> InteractionResult:
        """Dispatch a press without waiting for its answer; the result is filled in later."""
        return InteractionResult(self.env, self._dispatch(who, message, custom_id))

    async def doubled(
        self, who: MemberActor, message: discord.Message, custom_id: str, patch: pytest.MonkeyPatch
    ) -> InteractionResult:
        """Press a button twice, so that the second press is answered before the first.

        Returns the result of the second press.
        """
        again: list[InteractionResult] = []

        async def press_again() -> None:
            again.append(self.begin(who, message, custom_id))
            await until(lambda: bool(again[0].response))

        on_its_way(patch, CALLBACK, before=press_again, times=1)
        await who.click(message, custom_id=custom_id)
        return again[0]

    def before_the_reply(
        self,
        who: MemberActor,
        button: Callable[[], tuple[discord.Message, str]],
        patch: pytest.MonkeyPatch,
    ) -> list[InteractionResult]:
        """Let a member press a button before Discord's reply to the next answer reaches the bot.

        Discord has carried out the call by then, and the bot answers the press before the reply
        arrives. The returned list is filled with the result.
        """
        pressed: list[InteractionResult] = []

        async def press() -> None:
            pressed.append(self.begin(who, *button()))
            await until(lambda: bool(pressed[0].response))
            await asyncio.sleep(_WHILE_SECONDS)

        on_its_way(patch, CALLBACK, after=press, times=1)
        return pressed

    async def late(
        self, who: MemberActor, seen: discord.Message, custom_id: str
    ) -> InteractionResult:
        """Press a button on an older version of a message."""
        record = self._dispatch(who, seen, custom_id, [c.to_dict() for c in seen.components])
        await self.env.settle()
        return InteractionResult(self.env, record)

    async def made_up(self, *custom_ids: str) -> discord.Message:
        """Send a message of the bot's with forged buttons."""
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.ActionRow(*(ui.Button(label="?", custom_id=i) for i in custom_ids)))
        view.stop()
        await self.env.bot.get_partial_messageable(self.channel.id).send(view=view)
        return self.last

    def _dispatch(
        self, who: MemberActor, message: discord.Message, custom_id: str, seen: Any = None
    ) -> Any:
        backend = self.env.backend
        stored = backend.get_message(message.channel.id, message.id)
        record, payload = interactions.base_payload(
            backend,
            type=InteractionType.MESSAGE_COMPONENT,
            channel_id=message.channel.id,
            guild_id=self.guild.id,
            user_id=who.id,
            data={"custom_id": custom_id, "component_type": ComponentType.BUTTON},
        )
        payload["message"] = dict(serializers.message_payload(backend, stored))
        if seen is not None:
            payload["message"]["components"] = seen
        record.source_message_id = message.id
        backend.emit("INTERACTION_CREATE", payload)
        return record


def newest(channel: ChannelHandle) -> discord.Message:
    """Return the newest message in a channel."""
    message = channel.last_message
    assert message is not None, "the channel is empty"
    return message


def answer_to(result: InteractionResult) -> ResponseMessage:
    """Return the message that answers an interaction, the last one if there are several."""
    answer = result.followups[-1] if result.followups else result.response
    assert answer is not None, "there was no answer"
    return answer


def components(message: MessageLike) -> Iterator[dict[str, Any]]:
    """Yield all components of a message, in Discord's JSON."""
    parts = message.components
    raw = [c if isinstance(c, dict) else c.to_dict() for c in parts]
    return walk_components(raw)


def ids(message: MessageLike) -> list[str]:
    """Return the custom ids on a message."""
    return [c["custom_id"] for c in components(message) if "custom_id" in c]


def button(message: MessageLike, end: str) -> str:
    """Return the first custom id on a message with this end, such as `b2`, `resign`, `accept`."""
    found = next((i for i in ids(message) if i.split(":")[-1] == end), None)
    assert found is not None, f"no custom id ends with {end!r}: {ids(message)}"
    return found


def labels(message: MessageLike) -> list[str]:
    """Return the labels of a message's buttons, those of squares, rows and columns left out."""
    found = [c["label"] for c in components(message) if c.get("label")]
    return [label for label in found if not PLACE.fullmatch(label)]


BEGIN = ["Play the computer", "Challenge", "Open a table"]
"""The labels of the buttons that begin a match."""


def select_of(message: MessageLike) -> list[dict[str, str]]:
    """Return the options of a message's only select."""
    (select,) = [c for c in components(message) if "options" in c]
    options: list[dict[str, str]] = select["options"]
    return options


def text(message: MessageLike | InteractionResult | None) -> str:
    """Return all text of a message or of an interaction's answer.

    No-break spaces are made plain, and the joiners in moves left out.
    """
    if isinstance(message, InteractionResult):
        message = answer_to(message)
    assert message is not None, "there is no message"
    shown = [c["content"] for c in components(message) if "content" in c]
    whole = "\n".join(filter(None, [message.content, *shown]))
    return whole.replace(NO_BREAK_SPACE, " ").replace(WORD_JOINER, "")


def refused(result: InteractionResult) -> str:
    """Return the text of a refusal, which is private."""
    assert result.acknowledged, "this interaction failed"
    answer = answer_to(result)
    assert answer.ephemeral, "a refusal is private"
    return text(answer)


def logged(caplog: pytest.LogCaptureFixture, level: int) -> list[logging.LogRecord]:
    """Return the log records of this level or above."""
    return [line for line in caplog.records if line.levelno >= level]


def notified(message: MessageLike, env: Env) -> list[int]:
    """Return the ids of the members whom a message names and was allowed to notify."""
    return list(env.backend.get_message(_channel_id(message), message.id).ping_user_ids)


def mentioned(message: MessageLike, env: Env) -> list[int]:
    """Return the ids of the members that a message names."""
    return list(env.backend.get_message(_channel_id(message), message.id).mention_user_ids)


def asked_for_members(world: World) -> int:
    """Return the number of membership requests to Discord."""
    return sum(entry[1] == "GUILD_MEMBERS_CHUNK" for entry in world.env.backend.transcript)


def _channel_id(message: MessageLike) -> int:
    return message.channel.id if isinstance(message, discord.Message) else message.channel_id
