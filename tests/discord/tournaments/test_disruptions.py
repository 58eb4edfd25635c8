"""Threads, messages and channels of tournaments that are deleted or closed to the bot."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from simcord.actors import MemberActor

from bot.gateway import requests
from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, CHANGE, IN_CHANNEL, THREAD, on_its_way
from tests.discord.conftest import Restart
from tests.discord.failing import failing
from tests.discord.matches.passing import HOUR, MINUTE, pass_time
from tests.discord.tournaments.playing import RETRIED, Club
from tests.discord.world import World, answer_to, notified, text


async def test_a_deleted_thread(club: Club) -> None:
    """The game goes on in another one, as it stood, and the players are called there.

    Discord makes no second message of a nonce.
    """
    (game,) = await club.begin(format="round_robin")
    await club.play(game, ["b2"])
    club.delete(game)
    await club.on()
    (moved,) = club.games()
    assert moved.id != game.id
    call = moved.history()[0]
    assert "your game in round 1 of the tournament goes on here" in text(call)
    assert len(notified(call, club.world.env)) == 2
    assert "Last move: ❌ b2" in text(club.boards(moved)[-1])
    await club.play(moved, ["a1", "b1", "a2", "b3"])
    await club.on()
    assert await club.world.sql("SELECT count(*) FROM tournament_games WHERE how = 'played'") == [
        (1,)
    ]


async def test_a_deleted_thread_gives_nobody_more_time(club: Club, calendar: Calendar) -> None:
    """The clock goes on in the next one, with a few minutes at least.

    A moderator who plays could otherwise delete the thread again and again on their own turn.
    """
    (game,) = await club.begin(format="round_robin")
    ((deadline,),) = await club.world.sql("SELECT deadline FROM matches")
    await pass_time(club.world, calendar, 12 * HOUR)
    club.delete(game)
    await club.on()
    assert await club.world.sql("SELECT deadline FROM matches") == [(deadline,)]
    (moved,) = club.games()
    assert "The clock keeps running." in text(moved.history()[0])
    assert f"<t:{deadline}:R>" in text(club.boards(moved)[-1])
    await pass_time(club.world, calendar, 12 * HOUR - MINUTE)
    club.delete(moved)
    await club.on()
    ((put_off,),) = await club.world.sql("SELECT deadline FROM matches")
    assert 3 * MINUTE < put_off - deadline < 5 * MINUTE


async def test_a_deleted_thread_and_a_failed_call_to_the_next(club: Club) -> None:
    """The players are called at the next try, and go on there."""
    (game,) = await club.begin(format="round_robin")
    with failing(club.world):
        club.world.env.inject_error(*IN_CHANNEL, status=503, times=1)
        club.delete(game)
        await club.on()
    await club.on(RETRIED)
    (moved,) = club.games()
    assert len(notified(moved.history()[0], club.world.env)) == 2
    await club.play(moved)


async def test_a_thread_deleted_while_its_game_is_opened(
    club: Club, mod: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread is opened at once; an end that only the sweep finds is entered soon after."""
    deleted: list[int] = []

    def delete() -> None:
        (thread,) = club.channel.threads
        deleted.append(thread.id)
        club.delete(thread)

    on_its_way(monkeypatch, IN_CHANNEL, "time for your game", before=delete, times=1)
    await club.begin(format="round_robin")
    await club.on()
    (moved,) = club.games()
    assert deleted and moved.id not in deleted
    await mod.slash(moved, "endgame")
    await club.on(HOUR / 60)
    assert await club.world.sql("SELECT count(*) FROM tournament_games WHERE how = 'played'") == [
        (1,)
    ]


async def test_a_deleted_thread_of_a_match_that_can_not_be_read(club: Club) -> None:
    """It is called off, so the game counts as a draw, and the next one begins."""
    (game,) = await club.begin(format="round_robin")
    await club.world.sql("UPDATE matches SET options = '{'")
    club.delete(game)
    await club.on()
    first, _ = await club.world.sql("SELECT how, points_first FROM tournament_games ORDER BY round")
    assert first == ("played", 0.5)
    (following,) = club.games()
    assert following.id != game.id


async def test_a_draw_offered_in_a_deleted_thread(club: Club) -> None:
    """The offer went with its question, and can be made again in the new thread."""
    (game,) = await club.begin(format="round_robin")
    asker, other = await club.seated(game)
    await asker.slash(game, "draw")
    club.delete(game)
    await club.on()
    (moved,) = club.games()
    await asker.slash(moved, "draw")
    assert notified(moved.history()[-1], club.world.env) == [other.id]


async def test_a_deleted_message(club: Club) -> None:
    """Each time it is posted again with the next change.

    Discord makes no second message of a nonce.
    """
    await club.create(start="button")
    for player in club.players.values():
        club.world.env.backend.delete_message(club.channel.id, club.message().id)
        await player.slash(club.channel, "tournament join")
        await club.on()
        assert player.name in text(club.message())


@pytest.mark.parametrize("away", [False, True], ids=["seen", "while the bot was away"])
async def test_a_tournament_whose_channel_is_deleted(
    away: bool, club: Club, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is cancelled, and its games are called off, so that nobody loses an unplayable game.

    A database that is away when a start looks for the channel only puts that off.
    """
    (game,) = await club.begin(format="round_robin")
    await club.play(game, ["b2"])
    elsewhere = club.another("elsewhere")
    with monkeypatch.context() as patched:
        if away:  # so the bot isn't told of the deletion
            patched.setattr(club.world.env.backend, "emit", lambda *_: None)
        club.delete(game)
        club.delete(club.channel)
    if away:
        await club.world.sql("ALTER TABLE tournaments RENAME TO hidden")
        await restart()
        await club.on()
        await club.world.sql("ALTER TABLE hidden RENAME TO tournaments")
    await club.on()
    assert await club.world.sql("SELECT stage, kind FROM tournaments, tournament_notes") == [
        ("cancelled", "deleted")
    ]
    assert await club.world.sql("SELECT ending FROM matches") == [("stranded",)]
    shown = await club.organiser.slash(elsewhere, "tournament show", tournament="1")
    assert "cancelled" in text(shown)
    for _ in range(2):
        await club.organiser.click(answer_to(shown), label="Next")
    assert "channel of the tournament was deleted" in text(club.world.now(answer_to(shown)))


async def test_a_tournament_whose_channel_is_deleted_after_its_end(
    club: Club, calendar: Calendar
) -> None:
    """A later change, as by a correction, isn't shown or announced, nor tried for ever."""
    await club.begin(format="round_robin", places=3)
    for _ in range(3):
        await club.play_all()
        await club.on()
    club.delete(club.channel)
    elsewhere, values = club.world.guild.create_text_channel("elsewhere"), {"tournament": "1"}
    values |= {"game": "1.1.1", "result": "nobody"}
    await club.organiser.slash(elsewhere, "tournament result", **values)
    await pass_time(club.world, calendar, HOUR)
    due = "SELECT stage, told, shown = revision FROM tournaments"
    assert await club.world.sql(due) == [("ended", 1, 1)]
    before = len(club.world.env.http_requests)
    await pass_time(club.world, calendar, 2 * HOUR)
    assert len(club.world.env.http_requests) == before


async def _asks_nothing_more(club: Club) -> None:
    """Check that after a while the bot makes no more requests."""
    await club.on(100)
    asked = len(club.world.env.http_requests)
    await club.on(100)
    assert not club.world.env.http_requests[asked:]


@contextmanager
def denied(club: Club, **permissions: bool) -> Iterator[None]:
    """Deny the bot permissions in the tournament's channel in this context."""
    backend = club.world.env.backend
    before = backend.get_channel(club.channel.id).overwrites
    club.deny(club.channel, **permissions)
    yield
    backend.edit_channel(club.channel.id, {}, overwrites=before)


async def test_a_permission_that_comes_back(club: Club) -> None:
    """The message says what is missing, and stops saying so when the bot has it again."""
    world = club.world
    await club.create(start="button")
    with denied(club, send_messages=True):
        await next(iter(club.players.values())).slash(club.channel, "tournament join")
        await club.on()
        assert "I need *Send Messages*" in text(club.message())
        edits = [request for request in world.env.http_requests if request.method == "PATCH"]
        await club.on(100)
        now = [request for request in world.env.http_requests if request.method == "PATCH"]
        assert len(now) == len(edits)
    await club.on(RETRIED)
    assert "I need" not in text(club.message())


async def test_a_permission_that_was_missing_from_the_first_message_on(club: Club) -> None:
    """The message stops saying so when the bot has the permission, even without other changes."""
    world = club.world
    world.env.inject_error(*CALLBACK)
    world.env.inject_error("POST", f"/channels/{club.channel.id}/messages")
    await club.create(start="button")
    with denied(club, send_messages_in_threads=True):
        await club.on(60)
        assert "I need *Send Messages in Threads*" in text(club.message())
    await club.on(RETRIED)
    assert "I need" not in text(club.message())


@pytest.mark.parametrize("start", ["full", "15m"])
async def test_a_start_where_a_permission_is_missing(
    start: str, club: Club, calendar: Calendar
) -> None:
    """At its time it waits for its organiser, even once the permission is back."""
    await club.create(format="round_robin", start=start)
    with denied(club, create_public_threads=True):
        await club.join_all()
        calendar.ahead += 15 * MINUTE
        await club.on(RETRIED)
        assert "I need *Create Public Threads*" in text(club.message())
        assert "It starts when **olga** or a moderator presses *Start*" in text(club.message())
    calendar.ahead += HOUR // 10
    await club.on(RETRIED)
    assert not club.games() and "I need" not in text(club.message())
    await club.organiser.slash(club.channel, "tournament start")
    await club.on()
    assert club.games()


@pytest.mark.parametrize("over", [False, True], ids=["open", "over"])
async def test_a_deleted_message_where_the_bot_may_not_write(over: bool, club: Club) -> None:
    """The bot doesn't try again and again; the message is posted when the permission is back."""
    world = club.world
    await club.create(start="button")
    with denied(club, send_messages=True):
        world.env.backend.delete_message(club.channel.id, club.message().id)
        if over:
            await world.sql("UPDATE tournaments SET stage = 'ended', revision = revision + 1")
        else:
            await next(iter(club.players.values())).slash(club.channel, "tournament join")
        await _asks_nothing_more(club)
    await club.on(RETRIED)
    assert ("player0" in text(club.message())) is not over


async def test_a_tournament_that_can_not_be_read_at_a_start(
    club: Club, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a start, the others still look for the threads that were deleted meanwhile.

    Commands can name them as before.
    """
    await club.begin(format="round_robin")
    club.channel = club.another("other")
    (game,) = await club.begin(format="round_robin")
    await club.world.sql("UPDATE tournaments SET options = '{' WHERE id = 1")
    with monkeypatch.context() as patched:
        patched.setattr(club.world.env.backend, "emit", lambda *_: None)
        club.delete(game)
    await restart()
    await club.on()
    (moved,) = club.games()
    assert moved.id != game.id
    shown = await club.organiser.slash(club.channel, "tournament show")
    assert "**Standings**" in text(shown)


async def test_a_thread_of_which_discord_tells_nothing(
    club: Club, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a start the bot asks whether the thread exists, which holds up no tournament."""
    (game,) = await club.begin(format="round_robin")
    # As if archived: Discord lists only active threads to a bot that connects.
    club.world.env.backend.guilds[club.world.guild.id].thread_ids.remove(game.id)
    edits, edited = on_its_way(monkeypatch, CHANGE), list[bool]()

    async def hang() -> None:
        try:
            await asyncio.sleep(1000)
        finally:
            edited.append(bool(edits))

    on_its_way(monkeypatch, ("GET", f"/channels/{game.id}"), before=hang)
    await club.world.sql("UPDATE tournaments SET shown = 0")
    # Longer than the test waits for a start. The usual ten seconds would end within that time.
    monkeypatch.setattr(requests, "_SECONDS", RETRIED - 5)
    await restart()
    await club.on(RETRIED)
    assert edited == [True], "the tournament's message"


async def test_a_thread_that_opens_after_a_cancellation(
    world: World, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is archived, since no game of the tournament is opened any more."""
    cancel = partial(world.sql, "UPDATE tournaments SET stage = 'cancelled', ended_at = 1")
    on_its_way(monkeypatch, THREAD, after=cancel)
    assert await club.begin(format="round_robin") == []
    (thread,) = club.channel.threads
    opened = world.env.backend.channels[thread.id].thread_metadata
    assert opened is not None and opened.archived


async def test_a_deleted_channel_of_a_tournament_that_can_not_be_read(club: Club) -> None:
    """The other tournaments of the channel, and the match that is played there, still end."""
    world = club.world
    for _ in range(2):
        await club.begin(format="round_robin")
    await world.challenge(club.channel)
    await world.sql("UPDATE tournaments SET options = '{' WHERE id = 1")
    club.delete(club.channel)
    await club.on()
    assert await world.sql("SELECT stage FROM tournaments ORDER BY id") == [
        ("running",),
        ("cancelled",),
    ]
    ended = "SELECT ending FROM matches WHERE tournament_id IS NULL"
    assert await world.sql(ended) == [("stranded",)]


async def test_a_channel_that_the_bot_sees_no_more(club: Club) -> None:
    """The bot makes no vain requests; with the permission back, it goes on to the end."""
    await club.begin()
    for _ in range(2):  # the semifinal, in which one has a bye, and the final
        with denied(club, view_channel=True):
            await club.play(club.games()[-1])
            await _asks_nothing_more(club)
        await club.on(RETRIED)
    assert "The tournament is over" in text(club.channel.last_message)


async def test_an_end_that_can_not_be_noted(club: Club) -> None:
    """It is announced once, although Discord forgets nonces."""
    world = club.world
    await club.begin()
    await club.play_all()
    await club.on()
    await world.sql(
        "CREATE TRIGGER refusing BEFORE UPDATE OF told ON tournaments"
        " WHEN NEW.told BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    await club.play_all()
    await club.on(40 * MINUTE)
    announced = [one for one in club.channel.history() if "The tournament is over" in text(one)]
    assert len(announced) == 1
    await world.sql("DROP TRIGGER refusing")
    await club.on(40 * MINUTE)
    assert await world.sql("SELECT told FROM tournaments") == [(1,)]
    assert "The tournament is over" in text(club.channel.last_message)


async def test_an_end_where_the_bot_may_not_write(club: Club) -> None:
    """The message shows the end at once; it is announced when the permission is back."""
    world = club.world
    await club.begin()
    await club.play_all()
    await club.on()
    with denied(club, send_messages=True):
        await club.play_all()
        await _asks_nothing_more(club)
        ((again,),) = await world.sql("SELECT retry_at FROM tournaments")
        assert again > world.clock(), "it isn't looked at in every round"
        assert "🏆 **player" in text(club.message())
        assert "I need" not in text(club.message()), "nothing more is to come there"
    with denied(club, create_public_threads=True):
        await club.on(RETRIED)
    assert "The tournament is over" in text(club.channel.last_message), "it needs no threads"


async def test_a_tournament_without_permissions_is_looked_at_ever_more_seldom(
    club: Club, calendar: Calendar
) -> None:
    """They may never come back; but even after a month, it goes on within an hour once they do."""
    await club.create(start="button")
    with denied(club, create_public_threads=True):
        await club.join_all()
        for hours, minutes in ((5, 30), (30 * 24, 60)):
            calendar.ahead += hours * HOUR
            await club.on(RETRIED)
            ((again,),) = await club.world.sql("SELECT retry_at FROM tournaments")
            assert minutes * 60 - RETRIED <= again - calendar() < (minutes + 1) * 60
        assert "I need" in text(club.message())
    calendar.ahead += HOUR
    await club.on(RETRIED)
    assert "I need" not in text(club.message())
