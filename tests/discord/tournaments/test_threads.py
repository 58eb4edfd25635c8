"""The threads of tournaments within Discord's limits."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest

from tests.discord.calls import THREAD, Sent, intercept, on_its_way
from tests.discord.tournaments.playing import Club
from tests.discord.world import World, labels, text

_LIMIT_SECONDS = 280


def limit_threads(world: World, patch: pytest.MonkeyPatch, most: int) -> list[Sent]:
    """Let Discord take `most` new threads in 280 seconds, as discord.py tells it.

    Returns a list that is filled with all calls for one.
    """
    asked, opened = list[Sent](), list[float]()

    async def way(sent: Sent, carry_out: Callable[[], Awaitable[Any]]) -> Any:
        if not sent.fits(THREAD):
            return await carry_out()
        asked.append(sent)
        now = world.env.now().timestamp()
        of_late = [moment for moment in opened if moment > now - _LIMIT_SECONDS]
        if len(of_late) >= most:
            raise discord.RateLimited(of_late[0] + _LIMIT_SECONDS - now)
        opened.append(now)
        return await carry_out()

    intercept(patch, way)
    return asked


async def test_a_round_is_shown_before_its_threads(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord may take minutes for them: until then, members would see Join and Start."""
    club, seen = Club(world, 8), list[tuple[bool, list[str]]]()

    def look() -> None:
        seen.append(("Round 1 of 3" in text(club.message()), labels(club.message())))

    on_its_way(monkeypatch, THREAD, before=look)
    await club.begin(format="swiss", rounds=3)
    assert seen == [(True, ["Leave", "Details"])] * 4


async def test_a_limit_on_new_threads(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other games open once it is over; until then, results count, and nothing is tried."""
    asked = limit_threads(world, monkeypatch, 2)
    club = Club(world, 8)
    game, _ = await club.begin(format="swiss", rounds=3)
    tried = len(asked)
    await club.play(game)
    await club.on(100)
    assert "Round 1 of 3" in text(club.message()) and "**Standings**" in text(club.message())
    assert len(asked) == tried
    await club.on(200)
    assert len(club.channel.threads) == 4 and len(club.games()) == 3


async def test_a_limit_that_holds_up_other_games_only(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game whose thread is open already begins, however many others wait for theirs."""
    club = Club(world, 14)
    await world.sql(
        "CREATE TRIGGER refusing BEFORE INSERT ON matches WHEN NEW.tournament_id IS NOT NULL"
        " BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    limit_threads(world, monkeypatch, 1)
    await club.create(format="swiss", rounds=3)
    await club.join_all()
    await club.on()
    assert len(club.channel.threads) == 1
    await world.sql("DROP TRIGGER refusing")
    await club.on(40)
    assert len(club.games()) == 1
