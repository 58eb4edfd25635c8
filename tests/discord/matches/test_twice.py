"""A command that comes twice, as to both processes of an update, is carried out once."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest

from tests.discord.world import World


@pytest.fixture
def given(world: World, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the interactions that have come so far."""
    emit, came = world.env.backend.emit, list[Any]()

    def note(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            came.append(payload)
        emit(event, payload)

    monkeypatch.setattr(world.env.backend, "emit", note)
    return came


@pytest.mark.parametrize(
    ("before", "command", "options"),
    [(0, "move", {"where": "d"}), (3, "undo", {}), (3, "restart", {})],
)
async def test_a_command_that_names_no_state(
    world: World, given: list[Any], before: int, command: str, options: dict[str, Any]
) -> None:
    """The second finds the first's id, and leaves the match and its one board as they are."""
    await world.alice.slash(world.channel, "play connectfour", level="easy")
    for _ in range(before):
        await world.alice.slash(world.channel, "move", where="a")
    played = (await world.stored()).match.ply
    await world.alice.slash(world.channel, command, **options)
    once = await world.sql("SELECT id, moves FROM matches")
    assert (await world.stored()).match.ply != played
    world.env.backend.emit("INTERACTION_CREATE", given[-1])
    await world.env.settle()
    assert await world.sql("SELECT id, moves FROM matches") == once
    assert len(world.channel.history()) == 1


@pytest.mark.parametrize("later", ["undo", "restart", "move"])
@pytest.mark.parametrize("earlier", ["undo", "restart", "move"])
async def test_a_command_that_another_has_followed(
    world: World, given: list[Any], earlier: str, later: str
) -> None:
    """A process that is slower than both commands doesn't carry the first out again."""
    await world.alice.slash(world.channel, "play connectfour", level="easy")
    for command in ("move", "move", earlier, later):
        options = {"where": "d"} if command == "move" else {}
        await world.alice.slash(world.channel, command, **options)
    once = await world.sql("SELECT id, moves FROM matches")
    world.env.backend.emit("INTERACTION_CREATE", given[-2])
    await world.env.settle()
    assert await world.sql("SELECT id, moves FROM matches") == once
    assert len(world.channel.history()) == 1


async def made(world: World) -> list[Any]:
    """Return the ids and the state of all that was made."""
    return [
        await world.sql("SELECT id, moves FROM matches"),
        await world.sql("SELECT id, status FROM invitations"),
        await world.sql("SELECT id, stage FROM tournaments"),
    ]


async def play(world: World) -> None:
    await world.alice.slash(world.channel, "play connectfour", level="easy")


async def accept(world: World) -> None:
    await world.challenge()


async def answer(world: World) -> None:
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    await world.bob.slash(world.channel, "answer", answer="accept")


async def challenge(world: World) -> None:
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)


async def table(world: World) -> None:
    await world.alice.slash(world.channel, "play tictactoe", open=True)


async def tournament(world: World) -> None:
    may = discord.Permissions(manage_events=True)
    roles = [world.guild.create_role("organisers", permissions=may)]
    olga = world.guild.add_member(world.env.create_user("olga"), roles=roles)
    await olga.slash(world.channel, "tournament create tictactoe")


async def draw(world: World) -> None:
    await world.challenge()
    await world.alice.slash(world.channel, "draw")
    await world.bob.click(world.last, label="Agree")


async def unrated(world: World) -> None:
    await world.challenge()
    await world.alice.slash(world.channel, "unrated")
    await world.bob.click(world.last, label="Agree")


async def rematch(world: World) -> None:
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.resign(world.alice)
    await world.alice.click(world.last, label="Rematch")


@pytest.mark.parametrize(
    "act", [play, challenge, table, tournament, accept, answer, draw, unrated, rematch]
)
async def test_a_command_that_is_refused_once_it_is_done(
    world: World, given: list[Any], act: Callable[[World], Awaitable[None]]
) -> None:
    """The second says nothing, since its refusal could arrive before the first one's board."""
    await act(world)
    await world.env.settle()
    once, public = await made(world), world.public()
    requests = len(world.env.backend.http_requests)
    world.env.backend.emit("INTERACTION_CREATE", given[-1])
    await world.env.settle()
    assert await made(world) == once
    sent = world.env.backend.http_requests[requests:]
    assert [one.path for one in sent if "callback" in one.path] == []
    assert world.public() == public
