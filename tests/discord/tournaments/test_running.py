"""Running tournaments: threads that go, messages that go, corrections, named channels, time."""

import pytest
from simcord.builders import ChannelHandle

from tests.conftest import Calendar
from tests.discord.matches.passing import HOUR, MINUTE, pass_time
from tests.discord.tournaments.playing import Club
from tests.discord.world import World, refused, text


@pytest.fixture
def club(world: World) -> Club:
    return Club(world, 3)


def delete(club: Club, thread: ChannelHandle) -> None:
    club.world.env.backend.delete_channel(thread.id)


async def test_a_deleted_thread(club: Club) -> None:
    """The game goes on in another one, as it stood, and the players are called there."""
    await club.begin(format="round_robin")
    (game,) = club.games()
    await club.play(game, ["b2"])
    delete(club, game)
    await club.on()
    (moved,) = club.games()
    assert moved.id != game.id
    assert "time for your game" in text(moved.history()[0])
    assert "Last move: ❌ b2" in text(club.boards(moved)[-1])
    await club.play(moved, ["a1", "b1", "a2", "b3"])
    await club.on()
    assert await club.world.sql("SELECT count(*) FROM tournament_games WHERE how = 'played'") == [
        (1,)
    ]


async def test_a_deleted_message(club: Club) -> None:
    """It is posted again with the next change."""
    await club.create(start="button")
    message = club.message()
    club.world.env.backend.delete_message(club.channel.id, message.id)
    await club.join_all()
    await club.on()
    assert "3 of 3" in text(club.message())
    assert club.message().id != message.id


async def test_a_correction(club: Club) -> None:
    """The organiser enters a result: the game is called off, and a trace says who did it."""
    await club.begin(format="round_robin")
    (game,) = club.games()
    values = {"game": "1.2.1", "result": "second"}
    (key,) = await club.world.sql(
        'SELECT round, "table", game FROM tournament_games WHERE match_id IS NOT NULL'
    )
    values["game"] = ".".join(map(str, key))
    (player, *_) = club.players.values()
    told = refused(await player.slash(club.channel, "tournament result", **values))
    assert "Only" in told and "olga" in told
    told = refused(await club.organiser.slash(club.channel, "tournament result", **values))
    assert "**0–1**" in told
    await club.on()
    assert "called this match off" in text(game.history()[-1])
    corrected = await club.world.sql("SELECT kind, name, result FROM tournament_notes")
    assert corrected == [("corrected", "olga", "? 0-1")]
    shown = await club.organiser.slash(club.channel, "tournament show")
    page = shown.response
    assert page is not None
    await club.organiser.click(page, label="▶")
    assert "Games of this round" in text(club.world.now(page))
    await club.organiser.click(page, label="▶")
    assert "**olga** set round 1" in text(club.world.now(page))


async def test_named_channels(club: Club) -> None:
    """One match at a time in each, the others wait for it; no thread is opened."""
    hall = club.world.guild.create_text_channel("hall")
    await club.begin(format="double_round_robin", channels=f"<#{hall.id}>")
    for _ in range(6):
        await club.play(hall)
        await club.on(12)
    assert "is over" in text(club.channel.last_message)
    assert not club.channel.threads
    counted = await club.world.sql("SELECT count(*), count(DISTINCT channel_id) FROM matches")
    assert counted == [(6, 1)]


async def test_a_start_in_time(club: Club, calendar: Calendar) -> None:
    """It starts at its time by itself, or is cancelled if too few have joined."""
    await club.create(start="900", places=9)
    await club.join_all()
    await pass_time(club.world, calendar, 14 * MINUTE)
    assert not club.games()
    await pass_time(club.world, calendar, 2 * MINUTE)
    await club.on()
    assert len(club.games()) == 1
    club.channel = club.another("other")
    await club.create(start="3600", places=9)
    await pass_time(club.world, calendar, HOUR)
    await club.on()
    assert "too few" in text(club.message())
