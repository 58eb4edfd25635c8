"""A new tournament is shown once, whatever happens to the answer that shows it."""

import asyncio
import time
from functools import partial

import pytest

from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, IN_CHANNEL, on_its_way
from tests.discord.failing import FAULTS, FailingOnce
from tests.discord.matches.passing import DAY, HOUR, MINUTE
from tests.discord.tournaments.playing import Club
from tests.discord.world import World, answer_to, refused, text


async def test_a_member_who_joins_before_the_creation_is_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if Discord shows the message long before its reply, it stays the only one."""
    # simcord's clock stands still.
    on_its_way(monkeypatch, CALLBACK, after=partial(asyncio.to_thread, time.sleep, 0.1))
    club = Club(world, 3, pictures=True)
    joined = world.on_sight({"to:1:join": next(iter(club.players.values()))})
    await club.create(start="button")
    await club.on()
    assert "You're in" in refused(joined[0])
    assert "**1 of 3**" in text(club.message())


@pytest.mark.parametrize("posts", [True, False])
async def test_a_creation_whose_answer_arrived_after_all(
    club: Club, monkeypatch: pytest.MonkeyPatch, posts: bool
) -> None:
    """If the bot can't find out whether the answer arrived, there is still only one message."""
    env = club.world.env
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    env.inject_error("GET", "/webhooks/*/messages/@original", times=None)
    if not posts:
        env.inject_error(*IN_CHANNEL, times=None)
    await club.create(start="button")
    env.backend.faults.clear()
    await club.join_all()
    await club.on(40)
    assert "**3 of 3**" in text(club.message())


async def test_times_are_suggested(club: Club) -> None:
    """They are autocompleted; as choices, they would leave room for only two more games."""
    command, organiser = "tournament create tictactoe", club.organiser
    starts = await organiser.autocomplete(club.channel, command, "start", "")
    assert [choice["value"] for choice in starts][:3] == ["full", "button", "15m"]
    hours = await organiser.autocomplete(club.channel, command, "start", "1 HOUR")
    assert [(choice["name"], choice["value"]) for choice in hours] == [("In 1 hour", "1h")]
    clocks = await organiser.autocomplete(club.channel, command, "clock", "day")
    assert [choice["value"] for choice in clocks] == [days * DAY for days in (2, 3, 5, 7)]
    clocks_first = await organiser.autocomplete(club.channel, command, "clock", "")
    assert [choice["value"] for choice in clocks_first][:2] == [5 * MINUTE, 10 * MINUTE]
    assert [choice["value"] for choice in clocks_first][-2:] == [MINUTE, 2 * MINUTE]
    await club.create(start=hours[0]["value"], clock=clocks[0]["value"])
    assert "time per move: 2 days" in text(club.message())


async def test_a_time_is_typed(club: Club, calendar: Calendar) -> None:
    """Any duration, which is suggested in words, or a timestamp of Discord, up to 30 days ahead."""
    command, organiser = "tournament create tictactoe", club.organiser
    typed = await organiser.autocomplete(club.channel, command, "start", f"2d{100 * ' '}5h")
    assert [(choice["name"], choice["value"]) for choice in typed] == [
        ("In 2 days 5 hours", "2d 5h")
    ]
    soon, latest = calendar() + 100, calendar() + 30 * DAY
    for start in ("0m", "30d 1m", "53", "tomorrow", f"<t:{soon - 100}>", f"<t:{latest + 1}:F>"):
        told = refused(await organiser.slash(club.channel, command, start=start))
        assert "`2d 5h`" in told and "from `1m` to `30d`" in told, start
    for start, moment in (
        ("2d 5h", calendar() + 53 * HOUR),
        ("30D", latest),
        (f"<t:{soon}:F>", soon),
    ):
        club.channel = club.another(f"at {moment}")
        await club.create(start=start)
        assert f"It starts <t:{moment}:f>" in text(club.message())


@pytest.mark.parametrize(("wanted", "told"), [(None, 3), (5, 5), (9, 7)])
async def test_the_rounds_are_told_before_the_start(
    club: Club, wanted: int | None, told: int
) -> None:
    """It has the rounds of a full tournament: with 8 places nobody has an eighth opponent."""
    chosen = {} if wanted is None else {"rounds": wanted}
    await club.create(format="swiss", places=8, **chosen)
    line = f"Rounds: up to **{told}**, depending on the number of players."
    assert line in text(club.message())
    shown = answer_to(await club.world.alice.slash(club.channel, "tournament show"))
    assert line in text(shown)


@pytest.mark.parametrize(
    ("options", "warned"),
    [
        ({}, True),
        ({"rows": 5, "line": 4, "swap": True}, True),
        ({"rows": 4, "line": 3}, False),
        ({"rows": 3, "variant": "misere"}, False),
        ({"format": "swiss"}, False),
        ({"format": "round_robin"}, False),
    ],
    ids=str,
)
async def test_a_knockout_on_a_drawn_board(
    club: Club, options: dict[str, object], warned: bool
) -> None:
    """Before the start its organiser is told what suits such a board better; then it's too late."""
    await club.create(**options)
    remedy = "Swiss, a round robin, or another board suits it better."
    assert (remedy in text(club.message())) is warned
    await club.join_all()
    await club.on()
    assert remedy not in text(club.message())
