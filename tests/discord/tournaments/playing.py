"""Tournaments played through by the members of the small Discord server."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult

from bot.identity import ChannelId
from core.players import Member
from tests.discord.matches.passing import ROUND
from tests.discord.world import ALICE_WINS, DRAWN, World, answer_to, ids, refused, text

# Within this time the bot tries a failed step again.
RETRIED = 35
WIN = ALICE_WINS.split()
DRAW = DRAWN.split()


@dataclass
class Club:
    """A server with an organiser and `size` players, who play tournaments.

    By default the bot may not attach files, so that it draws no pictures, which take time.
    """

    world: World
    size: int = 4
    pictures: bool = False
    organiser: MemberActor = field(init=False)
    players: dict[int, MemberActor] = field(init=False)
    channel: ChannelHandle = field(init=False)

    def __post_init__(self) -> None:
        world = self.world
        self.channel = world.channel if self.pictures else self.another("tournaments")
        may = discord.Permissions(manage_events=True)
        role = world.guild.create_role("organisers", permissions=may)
        self.organiser = world.guild.add_member(world.env.create_user("olga"), roles=[role])
        added = (
            world.guild.add_member(world.env.create_user(f"player{n}")) for n in range(self.size)
        )
        self.players = {player.id: player for player in added}

    def another(self, name: str) -> ChannelHandle:
        """Return a new channel without pictures."""
        denied = discord.PermissionOverwrite(attach_files=False)
        return self.world.guild.create_text_channel(name, overwrites={self.world.me: denied})

    async def create(self, **options: Any) -> InteractionResult:
        """Let the organiser create a tournament of tic-tac-toe with a place for each player."""
        given = {"places": self.size, **options}
        return await self.organiser.slash(self.channel, "tournament create tictactoe", **given)

    async def begin(self, **options: Any) -> list[ChannelHandle]:
        """Create a tournament that everybody joins; return the threads of its first games."""
        await self.create(**options)
        await self.join_all()
        await self.on()
        return self.games()

    async def cancel(self) -> None:
        asked = await self.organiser.slash(self.channel, "tournament cancel")
        await self.organiser.click(answer_to(asked), label="Yes, cancel the tournament")
        await self.on()

    def deny(self, channel: ChannelHandle, **permissions: bool) -> None:
        """Deny the bot these permissions in a channel, and no others."""
        self.world.deny(channel, **permissions)

    async def correct(self, result: str, game: str = "1.1.1") -> str:
        """Let the organiser enter the result of a game; return the answer."""
        values = {"game": game, "result": result}
        return refused(await self.organiser.slash(self.channel, "tournament result", **values))

    def delete(self, channel: ChannelHandle) -> None:
        self.world.env.backend.delete_channel(channel.id)

    async def join_all(self) -> None:
        for player in self.players.values():
            await player.slash(self.channel, "tournament join")

    async def on(self, seconds: float = ROUND) -> None:
        """Let time pass until the sweeper has run."""
        await self.world.env.advance_time(seconds)

    def message(self) -> discord.Message:
        """Return the message of the tournament."""
        found = [m for m in self.channel.history() if any(i.startswith("tp:") for i in ids(m))]
        assert len(found) == 1, [text(m) for m in found]
        return self.world.now(found[0])

    def games(self) -> list[ChannelHandle]:
        """Return the threads with a board to play on."""
        return [thread for thread in self.channel.threads if self.boards(thread)]

    @staticmethod
    def boards(thread: ChannelHandle) -> list[discord.Message]:
        """Return the boards of a thread that can be played on."""
        return [m for m in thread.history() if any(i.startswith("m:") for i in ids(m))]

    async def seated(self, thread: ChannelHandle) -> list[MemberActor]:
        """Return the players of the game in a thread, the first to move first."""
        live = await self.world.services.matches.live(ChannelId(thread.id))
        seated = [player for player in live.match.players if isinstance(player, Member)]
        return [self.players[player.id] for player in seated]

    async def play(self, thread: ChannelHandle, moves: Iterable[str] = WIN) -> None:
        """Play a game in its thread; by the default moves, its first player wins."""
        for move in moves:
            live = await self.world.services.matches.live(ChannelId(thread.id))
            mover = live.match.next_player
            assert isinstance(mover, Member)
            await self.world.press(self.players[mover.id], move, self.boards(thread)[-1])

    async def play_all(self, moves: Iterable[str] = WIN) -> None:
        """Play the games that are open."""
        for thread in self.games():
            await self.play(thread, moves)
