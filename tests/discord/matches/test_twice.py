"""A command that comes twice, as to both processes of an update, is carried out once."""

from typing import Any

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
