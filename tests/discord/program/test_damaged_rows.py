"""A damaged row holds up nobody else: at the start, in loops, and at commands."""

import logging
import re
from collections.abc import Sequence
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle
from sqlalchemy import Column, String, Table, Text

from bot.db.tables import metadata, tournament_notes
from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.matches.passing import HOUR
from tests.discord.puzzles.solving import give
from tests.discord.world import World, logged, newest

# X wins by a fork, which is an achievement.
_FORK = "a1 b1 b2 c3 a3 c1 a2"
_LOOKS = ("board", "moves", "rules", "mymatches", "profile", "history", "leaderboard", "puzzle")
# Texts that may be anything, and those by which the bot finds the rows that it has to read.
_KEPT = re.compile(r".*name|locale|status|stage")
# The ids by which a line of the log names what is damaged, or the interaction that met it.
_NAMED = re.compile(
    r"(match|invitation|tournament|puzzle|offer|interaction|failed at) \d|_id=\d|\{\d+\}"
)


def _parsed(table: Table) -> list[Column[Any]]:
    """Return the columns of a table whose texts the bot has to understand."""
    texts = (column for column in table.c if isinstance(column.type, String | Text))
    return [one for one in texts if not _KEPT.fullmatch(one.name) and table.name != "facts"]


# Nobody is taken out of the tournaments below, so these have no notes.
_TABLES = [
    table for table in metadata.sorted_tables if _parsed(table) and table is not tournament_notes
]
# Each test damages three or so, which takes half as long as a test for each. Neighbours in the list
# have most to do with each other, so they are apart.
_TOGETHER = [_TABLES[first::5] for first in range(5)]


class Group:
    """Three members who do all there is to do, in channels of their own."""

    def __init__(self, world: World, guild: GuildHandle, *names: str):
        self._world, self._guild = world, guild
        may = discord.Permissions(manage_channels=True, manage_events=True)
        role = guild.create_role("organisers", permissions=may)
        users = map(world.env.create_user, names)
        self.members: list[MemberActor] = [guild.add_member(one, roles=[role]) for one in users]
        self.channels = [guild.create_text_channel(f"{names[0]}-{n}") for n in range(4)]

    async def act(self) -> None:
        """Play, challenge, offer a draw, organise a tournament, and ask for a puzzle."""
        first, second, _ = self.members
        playing, inviting, alone, organising = self.channels
        await self._play(playing, _FORK)
        await self._play(playing, "b2")
        await second.slash(playing, "draw")
        await first.slash(inviting, "play tictactoe", against=second)
        await first.slash(alone, "play tictactoe", level="easy")
        await first.slash(organising, "tournament create tictactoe", places=3)
        for member in self.members:
            await member.slash(organising, "tournament join")
        await give(self._world, guild_id=self._guild.id)
        await first.slash(playing, "puzzle")

    async def _play(self, channel: ChannelHandle, moves: str) -> None:
        first, second, _ = self.members
        await first.slash(channel, "play tictactoe", against=second)
        await second.click(newest(channel), label="Accept")
        for ply, move in enumerate(moves.split()):
            await (first, second)[ply % 2].slash(channel, "move", where=move)

    async def store_more(self) -> None:
        """Store settings, an unknown role to give, and that the computer owes a move."""
        guild, alone = self._guild.id, self.channels[2]
        for statement in (
            f"INSERT INTO guild_settings (guild_id) VALUES ({guild}) ON CONFLICT DO NOTHING",
            f"INSERT INTO honour_roles (guild_id, role_id) VALUES ({guild}, {alone.id})",
            *(f"INSERT INTO member_settings (user_id) VALUES ({m.id})" for m in self.members),
            "UPDATE matches SET moves = 'b2', computer_due = true, revision = revision + 1"
            f" WHERE channel_id = {alone.id}",
        ):
            await self._world.sql(statement)

    async def look(self) -> None:
        """Let a member see all there is to see; each command is answered."""
        for channel in self.channels:
            for name in _LOOKS:
                assert (await self.members[1].slash(channel, name)).acknowledged, name

    async def found(self, what: str, table: str) -> list[Any]:
        """Return columns of the group's rows in a table, in order."""
        where = self._theirs(table)
        rows = await self._world.sql(f"SELECT {what} FROM {table} WHERE {where} ORDER BY rowid")
        return [row[0] if len(row) == 1 else (*row,) for row in rows]

    async def damage(self, table: Table) -> int:
        """Let nothing in the rows of a table be understood; return how many there are."""
        # Each row gets a text of its own, since some are parts of keys.
        values = ", ".join(f"{column.name} = '?' || rowid" for column in _parsed(table))
        where = self._theirs(table.name)
        await self._world.sql(f"UPDATE {table.name} SET {values} WHERE {where}")
        return len(await self.found("1", table.name))

    def _theirs(self, table: str) -> str:
        here = f"channel_id IN ({', '.join(str(one.id) for one in self.channels)})"
        people = f"user_id IN ({', '.join(str(one.id) for one in self.members)})"
        of_server = f"guild_id = {self._guild.id}"
        columns = metadata.tables[table].columns.keys()
        for column, other in (
            ("match_id", "matches"),
            ("invitation_id", "invitations"),
            ("tournament_id", "tournaments"),
        ):
            if column in columns and table in {"offers", *_of(other)}:
                return f"{column} IN (SELECT id FROM {other} WHERE {here})"
        if table in {"matches", "invitations", "tournaments"}:
            return here
        return people if "user_id" in columns else of_server


def _of(table: str) -> set[str]:
    """Return the tables whose rows belong to rows of another one."""
    return {
        one.name
        for one in metadata.sorted_tables
        for key in one.foreign_keys
        if key.column.table.name == table and key.parent.primary_key
    }


def _is_of_server(table: Table) -> bool:
    """Return whether rows of a table belong to a server as a whole."""
    of_members = {"user_id", "channel_id", "match_id", "tournament_id", "invitation_id"}
    return table.name.startswith("puzzle") or of_members.isdisjoint(table.c.keys())


def _broken_groups(world: World, tables: Sequence[Table]) -> list[Group]:
    """Return a group for each table, in a server of its own where the whole server is damaged."""
    groups = []
    for number, table in enumerate(tables):
        guild = world.env.create_guild() if _is_of_server(table) else world.guild
        names = (f"{name}{number}" for name in ("alan", "bert", "cleo"))
        groups.append(Group(world, guild, *names))
    return groups


@pytest.mark.parametrize("tables", _TOGETHER, ids=lambda tables: "-".join(map(str, tables)))
async def test_a_damaged_row_holds_up_nobody_else(
    world: World,
    restart: Restart,
    calendar: Calendar,
    caplog: pytest.LogCaptureFixture,
    tables: Sequence[Table],
) -> None:
    """Others' deadlines, challenges, owed moves, tournaments and achievements all go on.

    For each table, all of its rows are damaged that belong to three members or to their server.
    Each line of the log names what is damaged, and no loop fails as a whole.
    """
    broken = _broken_groups(world, tables)
    sound = Group(world, world.guild, "dora", "emil", "finn")
    for group in (*broken, sound):
        await group.act()
    await world.env.advance_time(6)
    for group in (*broken, sound):
        group.channels += group.channels[3].threads
        await group.store_more()
    for group, table in zip(broken, tables, strict=True):
        assert await group.damage(table), table
    caplog.clear()
    await restart()
    await world.env.advance_time(10)
    for hours in (20, 4, 30):
        await sound.members[0].slash(sound.channels[0], "rules")
        calendar.ahead += hours * HOUR
        await world.env.advance_time(22)
    for group in broken:
        await group.look()
    told = [
        f"{line.getMessage()}: {line.exc_info and line.exc_info[1]}"
        for line in logged(caplog, logging.WARNING)
    ]
    assert [line for line in told if not _NAMED.search(line)] == []
    caplog.clear()
    await sound.look()
    assert [line for line in logged(caplog, logging.ERROR) if "interaction" in line.msg] == []
    assert await sound.found("coalesce(ending, '-'), honoured", "matches") == [
        ("-", 1),
        ("timeout", 1),
        ("-", 0),
        ("timeout", 1),
    ]
    assert await sound.found("computer_due", "matches") == [0, 0, 0, 0]
    assert await sound.found("status", "invitations") == ["begun", "begun", "lapsed"]
    for group in broken:
        assert "open" not in await group.found("status", "invitations")
    assert await sound.found("stage, shown = revision", "tournaments") == [("running", 1)]
    assert await sound.found("achievement", "achievements") == ["fork"]
    assert await sound.found("role_id", "honour_roles") == []
