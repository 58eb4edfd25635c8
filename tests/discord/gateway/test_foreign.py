"""Presses and commands in places where the things that they name don't exist are refused in words.

Discord lets members forward a board. And after a restored backup, new matches may get ids that
older buttons elsewhere name.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, get_type_hints

import discord
import pytest
from simcord.enums import ComponentType, InteractionType
from simcord.results import to_discord_message
from sqlalchemy import select

from bot.db.tables import metadata
from bot.gateway.components import Press
from bot.identity import InvitationId, MatchId, PuzzleId, TournamentId
from bot.leaderboard.model import TurnPage
from bot.moderation.model import TurnGames
from tests.bot.gateway.kinds import STANDING
from tests.discord.gateway.emitting import sent
from tests.discord.puzzles.solving import give, open_puzzle
from tests.discord.world import ALICE_WINS, World, logged, refused, text

_COMMANDS = (
    "move board hint analyse rematch restart unrated resign leaderboard games endgame"
).split()
_SETTLED_SECONDS = 30
_NOTHING_THERE = re.compile("only for servers|No match|Nobody can")

# The ids of all things that `played` makes.
_MADE: dict[Any, list[int]] = {
    MatchId: [1, 2],
    InvitationId: [3, 4],
    TournamentId: [1],
    PuzzleId: [1],
}


def presses(where: str) -> Iterator[Press]:
    """Yield each button of any version that names a thing, for all such things.

    In direct messages, yield those of a server's lists as well.
    """
    for press in STANDING.values():
        if where == "direct" and isinstance(press, TurnGames | TurnPage):
            yield press
        for name, hint in get_type_hints(type(press)).items():
            # The puzzles of a server are for all its channels.
            if hint in _MADE and not (where == "hidden" and hint is PuzzleId):
                yield from (replace(press, **{name: hint(number)}) for number in _MADE[hint])


async def played(world: World) -> None:
    """Begin one thing of each kind, in channels that only alice, bob and olga see.

    That is a match with an offer, one that has ended, an open table, a challenge, a tournament and
    a puzzle. The work in the background is done by then; otherwise it would change rows meanwhile.
    """
    may = discord.Permissions(manage_events=True)
    role = world.guild.create_role("organisers", permissions=may)
    olga = world.guild.add_member(world.env.create_user("olga"), roles=[role])
    hidden = partial(world.channel_for, world.me, world.alice, world.bob, olga)

    for moves in ("a1", ALICE_WINS):
        world.channel = hidden()
        await world.played(moves)
        if moves == "a1":
            await world.alice.slash(world.channel, "draw")
    await world.alice.slash(hidden(), "play tribolo", open=True)
    await world.alice.slash(hidden(), "play tictactoe", against=world.bob)
    tournament = hidden()
    await olga.slash(tournament, "tournament create tictactoe")
    await world.alice.slash(tournament, "tournament join")
    await give(world)
    await open_puzzle(world, world.alice)
    await world.env.advance_time(_SETTLED_SECONDS)


async def stored(world: World) -> dict[str, list[Any]]:
    """Return all rows."""
    async with world.database.connect() as connection:
        return {
            table.name: list((await connection.execute(select(table))).all())
            for table in metadata.sorted_tables
        }


def shown(world: World) -> list[tuple[int, str]]:
    """Return all messages that everybody in their channels sees."""
    return [
        (one.id, text(to_discord_message(world.env, one)))
        for messages in world.env.backend.messages.values()
        for one in messages.values()
        if not one.is_ephemeral
    ]


@pytest.mark.parametrize("where", ["server", "direct", "hidden"])
async def test_a_press_on_something_elsewhere(world: World, where: str) -> None:
    """It reveals nothing and changes nothing, even for members who may press that where it is.

    They press on another server, and in direct messages with the bot. On the same server, a member
    presses who doesn't see the channel of the thing.
    """
    await played(world)
    there = World(world.env, world.database, world.clock, world.people)
    member, channel_id = world.alice.id, there.channel.id
    if where == "direct":
        channel_id = world.env.backend.get_dm_channel(member).id
    elif where == "hidden":
        member, channel_id = world.carol.id, world.guild.create_text_channel("open").id
    before = await stored(world), shown(world)
    for press in presses(where):
        data = {"custom_id": press.custom_id, "component_type": ComponentType.BUTTON}
        told = await sent(world, member, channel_id, InteractionType.MESSAGE_COMPONENT, data)
        assert not re.search("bob|olga|Tribolo", refused(told)), press
    assert (await stored(world), shown(world)) == before


async def test_a_command_in_a_direct_message(world: World) -> None:
    """A command that needs a match or a server is refused in words."""
    await world.tell_commands()
    channel_id = world.env.backend.get_dm_channel(world.alice.id).id
    for name in _COMMANDS:
        command = world.env.backend.find_command(name, None)
        assert command is not None
        options = [{"name": "where", "type": 3, "value": "a1"}] if name == "move" else []
        data = {"id": command["id"], "name": name, "type": 1, "options": options}
        result = await sent(
            world, world.alice.id, channel_id, InteractionType.APPLICATION_COMMAND, data
        )
        assert _NOTHING_THERE.search(refused(result)), name


async def test_no_button_is_unknown(world: World) -> None:
    """Every kind of press has a handler, which may refuse it since the match doesn't exist."""
    for custom_id in STANDING:
        message = await world.made_up(custom_id)
        answer = (await world.alice.click(message, custom_id=custom_id)).response
        assert answer is None or "know this button" not in text(answer), custom_id


_OLD: dict[str, dict[str, Any]] = {
    "command": {"name": "oldgame"},
    "option": {"name": "move", "options": [{"type": 3, "name": "square", "value": "b2"}]},
    "menu": {"name": "Old", "type": 2, "target_id": "5", "resolved": {}},
}


@pytest.mark.parametrize("old", _OLD)
async def test_commands_of_another_version(
    world: World, caplog: pytest.LogCaptureFixture, old: str
) -> None:
    """They aren't logged as a failure, and the asker is told that they are of another version."""
    data = {"id": "1", "type": 1, **_OLD[old]}
    kind, who = InteractionType.APPLICATION_COMMAND, world.alice.id
    answer = await sent(world, who, world.channel.id, kind, data)
    assert "don't know this command" in refused(answer)
    assert not logged(caplog, logging.WARNING)
    assert world.env.errors  # discord.py's own


async def test_choices_for_commands_of_another_version(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """A member who types in their options is offered no choices, and nothing is logged."""
    option = {"type": 3, "name": "where", "value": "b", "focused": True}
    data = {"id": "1", "type": 1, "name": "oldmove", "options": [option]}
    kind, who = InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, world.alice.id
    answer = await sent(world, who, world.channel.id, kind, data)
    assert not answer.acknowledged
    assert not logged(caplog, logging.WARNING)
    assert world.env.errors  # discord.py's own
