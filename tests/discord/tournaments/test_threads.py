"""The threads of tournaments within Discord's limits."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor

from bot.client import Rowbot
from bot.gateway.requests import Requests
from bot.gateway.threads import Threads
from bot.logs import FORMATTERS
from tests.conftest import Calendar
from tests.discord.archiving import archive, reopen
from tests.discord.calls import REMOVAL, THREAD, Sent, intercept, on_its_way
from tests.discord.conftest import Restart
from tests.discord.failing import failing
from tests.discord.matches.passing import HOUR, MINUTE
from tests.discord.tournaments.playing import RETRIED, Club
from tests.discord.world import World, labels, text
from tests.fuzzing.timers import simulate_all_time

_LIMIT_SECONDS = 280
# Within this time the bot looks for threads to archive.
_LOOKS = 60


def limit_threads(world: World, patch: pytest.MonkeyPatch, most: int) -> list[Sent]:
    """Let Discord take `most` new threads in 280 seconds; discord.py waits within further calls.

    Returns a list that is filled with all calls for one.
    """
    simulate_all_time(patch)
    patch.setattr("bot.gateway.requests._SECONDS", 0.5)  # real ones
    asked, opened = list[Sent](), list[float]()

    async def way(sent: Sent, carry_out: Callable[[], Awaitable[Any]]) -> Any:
        if not sent.fits(THREAD):
            return await carry_out()
        asked.append(sent)
        now = world.env.now().timestamp()
        of_late = [moment for moment in opened if moment > now - _LIMIT_SECONDS]
        if len(of_late) >= most:
            await asyncio.sleep(of_late[0] + _LIMIT_SECONDS - now)
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


async def test_a_round_after_one_that_was_held_up(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is shown before its threads, as any round."""
    club, seen = Club(world, 4), list[bool]()
    with failing(world):
        refuse_threads(world, 160006, "Maximum number of active threads reached (1000)")
        await club.begin(format="swiss", rounds=2)
    await club.on(RETRIED)
    on_its_way(monkeypatch, THREAD, before=lambda: seen.append("Round 2" in text(club.message())))
    await club.play_all()
    await club.on()
    assert seen == [True, True]


async def test_a_limit_on_new_threads(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other games open once it is over; until then, results count, and little is tried."""
    asked = limit_threads(world, monkeypatch, 2)
    club = Club(world, 8)
    await club.begin(format="swiss", rounds=3)
    await club.on(20)
    await club.play(club.games()[0])
    await club.on(100)
    said = text(club.message())
    assert "Round 1 of 3" in said and "**Standings" in said and "a few threads at a time" in said
    assert len(asked) <= 5
    await club.on(260)
    assert len(club.channel.threads) == 4 and len(club.games()) == 3
    assert "a few threads at a time" not in text(club.message())


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


def refuse_threads(world: World, code: int, message: str, times: int | None = None) -> None:
    """Let Discord refuse the next new threads, by default all."""
    world.env.inject_error(*THREAD, status=400, code=code, message=message, times=times)


def notices(club: Club) -> list[str]:
    """Return the names of the threads of which Discord has told the club's channel."""
    kind = discord.MessageType.thread_created
    return [message.content for message in club.channel.history() if message.type is kind]


async def test_discord_tells_the_channel_of_each_thread(world: World) -> None:
    """The bot removes that, as it would bury the tournament's message; other threads stay told.

    These are members' threads, and the bot's own for matches in the busy channel. A message that
    somebody has removed before is no obstacle.
    """
    club, backend = Club(world, 8), world.env.backend
    backend.create_thread(club.channel.id, "chess", club.organiser.id)
    match = "Tic-tac-toe · alice"
    backend.create_thread(club.channel.id, match, backend.bot_user.id)
    world.env.inject_error(*REMOVAL, status=404, code=10008)
    await club.begin(format="swiss", rounds=3)
    assert len(club.games()) == 4
    assert notices(club)[:2] == ["chess", match] and len(notices(club)) == 3
    await club.play_all()
    await club.on()
    assert notices(club) == ["chess", match]


async def test_as_many_active_threads_as_discord_allows(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """The message says so and what to do, and the log where."""
    club = Club(world, 4)
    caplog.handler.setFormatter(FORMATTERS["text"]())
    with failing(world):
        refuse_threads(world, 160006, "Maximum number of active threads reached (1000)")
        await club.begin(format="round_robin")
        assert "This server has as many active threads as Discord allows." in text(club.message())
        edits = len([one for one in world.env.http_requests if one.method == "PATCH"])
        await club.on(50)
        assert len([one for one in world.env.http_requests if one.method == "PATCH"]) == edits
    told, *_ = [line for line in caplog.text.splitlines() if "put off" in line]
    assert f"server={world.guild.id} channel={club.channel.id}" in told
    await club.on(RETRIED)
    assert club.games() and "active threads" not in text(club.message())


async def test_a_large_round_without_room_for_its_threads(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not every game asks for a thread that Discord can only refuse."""
    club, asked = Club(world, 14), list[None]()
    on_its_way(monkeypatch, THREAD, before=lambda: asked.append(None))
    with failing(world):
        refuse_threads(world, 160006, "Maximum number of active threads reached (1000)")
        await club.begin(format="swiss", rounds=3)
        assert 1 <= len(asked) <= 5


async def test_a_thread_that_discord_refuses(world: World) -> None:
    """The message tells why in Discord's words, such as a name that AutoMod blocks.

    The other games open.
    """
    club = Club(world, 4)
    with failing(world):
        refuse_threads(world, 200001, "Title was blocked by automatic moderation", times=1)
        await club.begin(format="round_robin")
        said = text(club.message())
        assert "Discord refuses to open a game: “Title was blocked" in said
        assert len(club.games()) == 1
    await club.on(RETRIED)
    assert len(club.games()) == 2 and "refuses" not in text(club.message())


async def test_a_thread_that_discord_fails_to_open(world: World) -> None:
    """The message says nothing of that: it passes by itself, and nobody could help."""
    club = Club(world, 4)
    with failing(world):
        world.env.inject_error(*THREAD, status=503, times=None)
        await club.begin(format="round_robin")
        assert "Round 1" in text(club.message()) and "refuses" not in text(club.message())
    await club.on(RETRIED)
    assert len(club.games()) == 2


async def test_a_round_that_opens_little_by_little(world: World, calendar: Calendar) -> None:
    """Once some games open, the others are tried as soon as at first, however long it has taken."""
    club = Club(world, 8)
    with failing(world):
        refuse_threads(world, 160006, "Maximum number of active threads reached (1000)")
        await club.begin(format="swiss", rounds=3)
        calendar.ahead += 2 * HOUR
    with failing(world):
        refuse_threads(world, 200001, "Title was blocked by automatic moderation", times=1)
        await club.on()
        assert len(club.games()) == 3
    await club.on(RETRIED)
    assert len(club.games()) == 4


def active(club: Club) -> list[str]:
    """Return the names of the club's threads that aren't archived."""
    stored = club.world.env.backend.channels
    states = ((str(one.name), stored[one.id].thread_metadata) for one in club.channel.threads)
    return [name for name, state in states if state is None or not state.archived]


async def test_the_thread_of_a_finished_game(
    club: Club, calendar: Calendar, restart: Restart
) -> None:
    """It is archived after an hour, by whichever bot runs then; those of other games aren't."""
    (game,) = await club.begin(format="round_robin")
    await club.play(game)
    calendar.ahead += 50 * MINUTE
    await club.on(_LOOKS)
    both = active(club)
    assert len(both) == 2
    await restart()
    calendar.ahead += 20 * MINUTE
    await club.on(_LOOKS)
    assert active(club) == both[1:]
    calendar.ahead += HOUR
    reopen(club.world, game)
    await club.on(_LOOKS)
    assert active(club) == both, "somebody has written there"


async def test_only_its_own_threads_are_looked_up(club: Club, simcord_bot: Rowbot) -> None:
    """Members may have hundreds of threads on a server, and none of them is a game's."""
    world = club.world
    world.env.backend.create_thread(club.channel.id, "chess", club.organiser.id)
    games = await club.begin(format="round_robin")
    threads = Threads(simcord_bot, Requests())
    assert threads.own_active(world.clock() + MINUTE) == [game.id for game in games]


async def test_a_thread_in_which_members_talk(club: Club) -> None:
    """It isn't archived until an hour after the last message."""
    (game,) = await club.begin(format="round_robin")
    await club.play(game)
    talker = next(iter(club.players.values()))
    await club.world.leap(50 * MINUTE)
    await talker.send(game, "Well played!")
    await club.world.leap(50 * MINUTE)
    await club.on(_LOOKS)
    assert len(active(club)) == 2
    await club.world.leap(10 * MINUTE)
    await club.on(_LOOKS)
    assert len(active(club)) == 1


async def test_a_thread_that_discord_does_not_archive(world: World, calendar: Calendar) -> None:
    """The bot tries once an hour, and archives the others."""
    club = Club(world, 4)
    await club.begin(format="swiss", rounds=1)
    first = club.games()[0]
    await club.play_all()
    route = ("PATCH", f"/channels/{first.id}")
    world.env.inject_error(*route, status=403, code=50001, message="Missing Access")
    calendar.ahead += HOUR
    await club.on(_LOOKS)
    assert active(club) == [first.name]
    await club.on(10 * _LOOKS)
    tried = [one for one in world.env.http_requests if (one.method, one.path) == route]
    assert len(tried) == 1
    calendar.ahead += HOUR
    await club.on(_LOOKS)
    assert active(club) == []


async def test_a_thread_that_discord_fails_to_archive(world: World, calendar: Calendar) -> None:
    """It doesn't hold up the others."""
    club = Club(world, 4)
    await club.begin(format="swiss", rounds=1)
    first = club.games()[0]
    await club.play_all()
    calendar.ahead += HOUR
    with failing(world):
        world.env.inject_error("PATCH", f"/channels/{first.id}", times=None)
        await club.on(3 * _LOOKS)
    assert active(club) == [first.name]


async def test_a_thread_in_which_another_match_is_played(club: Club, calendar: Calendar) -> None:
    """It isn't archived until an hour after that match."""
    (game,) = await club.begin(format="round_robin", clock=4 * HOUR)
    await club.play(game)
    guest = next(iter(club.players.values()))
    await guest.slash(game, "play tictactoe", level="easy")
    calendar.ahead += 2 * HOUR
    await club.on(_LOOKS)
    assert len(active(club)) == 2
    await club.world.resign(guest, game)
    await club.on(_LOOKS)
    assert len(active(club)) == 2
    calendar.ahead += HOUR
    await club.on(_LOOKS)
    assert len(active(club)) == 1


async def test_a_result_for_a_game_in_an_archived_thread(
    club: Club, mod: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The only final board shows it, in the thread that its message reopens."""
    (game,) = await club.begin(format="round_robin")
    await mod.slash(game, "endgame")
    await club.on()
    await archive(club.world, monkeypatch, game)
    await club.correct("first")
    await club.on()
    (final,) = [text(m) for m in game.history() if "tic-tac-toe" in text(m).lower()]
    assert "decided this game" in final and len(active(club)) == 2
