"""The rooms of a run: places of every kind, in which the same few people meet."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.backend.models import Interaction, Message
from simcord.builders import ChannelHandle, UserHandle
from simcord.env import Env
from simcord.results import InteractionResult

from bot.app import unix_now
from bot.db.database import Database
from bot.identity import ChannelId, Context, MatchId
from bot.matches.model import StoredMatch
from bot.matches.store import MatchStore
from tests.discord.elsewhere import Elsewhere
from tests.discord.world import World
from tests.fuzzing import acting
from tests.fuzzing.acting import MEMBER_MENU
from tests.load.payloads import Json, parts
from tests.load.reading import Control, Reading, controls_of

# Members' names, which occur in no text of the bot, and the members' languages.
PEOPLE = {
    "Quentina": "en-US",
    "Dietlinde": "de",
    "Yukihisa": "ja",
    "Noadiah": "he",
    "Omarion": "ar",
}
# The names of those who replace members whose data is erased.
NEWCOMERS = ("Xavienne", "Zebulonia", "Wilhelmar", "Ursulina", "Thaddeusz", "Jocastina")

# The bot looks every five seconds for invitations whose time has run out.
_CLOSED_WITHIN = 6


@dataclass
class Room:
    """A channel and the members who meet there; `elsewhere` is set except on the bot's server.

    Elsewhere the bot doesn't know who is `gone`. A thread that the bot has opened is `for_match`.
    """

    name: str
    world: World
    channel: ChannelHandle
    members: list[MemberActor]
    elsewhere: Elsewhere | None = None
    gone: list[MemberActor] = field(default_factory=list)
    for_match: bool = False
    # The messages that were seen there, as Discord sent them at the time, for presses that come
    # late.
    seen: list[Json] = field(default_factory=list)

    @property
    def posts(self) -> bool:
        """Whether the bot can post here."""
        return self.elsewhere is None or self.elsewhere.posts

    @property
    def has_bot(self) -> bool:
        """Whether the room is on a server that has the bot."""
        return self.elsewhere is None or self.elsewhere.installed

    @property
    def takes_threads(self) -> bool:
        """Whether the bot could open a thread here."""
        return self.has_bot and not self.channel.is_thread

    @property
    def was_open(self) -> bool:
        """Whether the bot could post here at some time: it may still edit what began then."""
        return self.posts or (self.elsewhere is not None and bool(self.elsewhere.installed_after))

    async def began_where_the_bot_posts(self, shown: Reading) -> bool:
        """Return whether the bot can post here, and could when what a message shows began."""
        if self.elsewhere is not None and shown.id < self.elsewhere.installed_after:
            return False
        if shown.invitation is not None:
            asked = f"SELECT context FROM invitations WHERE id = {shown.invitation}"
            return [tuple(row) for row in await self.world.sql(asked)] != [(Context.GUEST.value,)]
        stored = await self.match(shown.match or shown.offer or 0)
        return stored is None or stored.place.posts

    def open_anew(self) -> None:
        """Open a thread or a channel of the server in the place of one that was deleted."""
        opens = {"thread": lambda: self.world.thread(self.world.channel)}
        self.channel = opens.get(
            self.name, lambda: self.world.guild.create_text_channel(self.name)
        )()
        self.seen.clear()

    def replace(self, gone: MemberActor, user: UserHandle) -> None:
        """Let somebody else take a member's place, if that member is here."""
        ids = [member.id for member in self.members]
        if gone.id not in ids:
            return
        self.members[ids.index(gone.id)] = self.world.guild.add_member(user)
        self.gone.append(gone)
        backend = self.world.env.backend
        guild = backend.get_guild(self.world.guild.id)
        if gone.id in guild.members:  # another room of the server may have come first
            backend.remove_member(guild.id, gone.id)
        if guild.owner_id == gone.id:
            guild.owner_id = user.id

    async def live(self) -> StoredMatch | None:
        """Return the match that is played here."""
        return await self._store.live(ChannelId(self.channel.id))

    async def match(self, number: int) -> StoredMatch | None:
        """Return a match by its id."""
        return await self._store.load(MatchId(number))

    async def is_open(self, invitation: int) -> bool:
        """Return whether an invitation is open, or the bot hasn't had time to close it."""
        asked = f"SELECT 1 FROM invitations WHERE id = {invitation} AND status = 'open'"
        since = unix_now() - _CLOSED_WITHIN
        return bool(await self.world.sql(f"{asked} AND expires_at > {since}"))

    async def open_invitations(self) -> dict[int, int | None]:
        """Return the open invitations of the bot here, with their messages, None if not known."""
        where = f"status = 'open' AND context != 'guest' AND channel_id = {self.channel.id}"
        rows = await self.world.sql(f"SELECT id, message_id FROM invitations WHERE {where}")
        return dict(rows)

    async def shared(self) -> set[int]:
        """Return the messages that share a match of this room."""
        asked = "SELECT shared_id FROM matches WHERE shared_id IS NOT NULL"
        return {row[0] for row in await self.world.sql(asked)}

    async def is_asked(self, match: int, question: int) -> bool:
        """Return whether an offer is open in a match for which a message asks."""
        ask = f"SELECT 1 FROM offers WHERE match_id = {match} AND message_id = {question}"
        return bool(await self.world.sql(ask))

    @property
    def _store(self) -> MatchStore:
        return self.world.services.store

    def shown(self) -> list[Json]:
        """Return the public messages of the bot, oldest first, in Discord's JSON."""
        return [self.told(one) for one in self._stored() if not one.is_ephemeral]

    def private_to(self, who: MemberActor) -> list[Json]:
        """Return the last messages that only this member sees."""
        own = [one for one in self._stored() if one.is_ephemeral and one.visible_to(who.id)]
        return [self.told(one) for one in own[-3:]]

    def _stored(self) -> list[Message]:
        backend = self.world.env.backend
        stored = backend.messages.get(self.channel.id, {}).values()
        return [one for one in stored if one.author_id == backend.bot_user.id]

    def told(self, message: Message) -> Json:
        """Return a message in Discord's JSON."""
        return acting.told(self.world.env, message)

    def press(self, who: MemberActor, message: Json, control: Control) -> Interaction:
        """Send a press of a message as it was seen, without waiting for its answer."""
        return acting.press(self.world.env, who, message, control)

    def controls(self, message: Json) -> Iterator[Control]:
        """Yield what can be pressed or chosen on a message."""
        yield from controls_of(message)
        for part in parts(message):
            if part["type"] == MEMBER_MENU:
                for member in self.members:
                    value, name = str(member.id), member.name
                    yield Control(part["custom_id"], value, name, MEMBER_MENU)

    async def command(self, who: MemberActor, name: str, **options: Any) -> InteractionResult:
        """Give a command."""
        return await who.slash(self.channel, name, **options)


def rooms(
    env: Env, database: Database, patch: pytest.MonkeyPatch, users: list[UserHandle], rng: Random
) -> list[Room]:
    """Return a room of each kind, with three of the people in each."""

    def world() -> World:
        made = World(env, database, unix_now, rng.sample(users, 3))
        env.backend.get_guild(made.guild.id).owner_id = made.alice.id  # an owner may do everything
        return made

    def people(of: World) -> list[MemberActor]:
        return [of.alice, of.bob, of.carol]

    home = world()
    found = [
        Room("channel", home, home.channel, people(home)),
        Room("thread", home, home.thread(home.channel), people(home)),
        Room("hall", home, home.guild.create_text_channel("hall"), people(home)),
    ]
    for name, context, count in (
        ("bot", Context.BOT_DM, 1),
        ("direct", Context.PRIVATE, 2),
        ("group", Context.PRIVATE, 3),
        ("guest", Context.GUEST, 3),
    ):
        place = world()
        elsewhere = Elsewhere(place, context, count)
        channels = {name: place.channel}
        if context is Context.GUEST:
            channels["guests' thread"] = place.thread(place.channel)
        elsewhere.begin(patch)
        for called, channel in channels.items():
            found.append(Room(called, place, channel, people(place)[:count], elsewhere))
    return found
