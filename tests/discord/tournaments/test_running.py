"""Running tournaments: threads that go, messages that go, corrections, named channels, time."""

import asyncio
import re
import time
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models import channel as channels
from simcord.backend.models.channel import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType
from simcord.http import client

from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.gateway.test_delivery import CALLBACK, FAULTS, FailingOnce
from tests.discord.matches.passing import HOUR, MINUTE, pass_time
from tests.discord.tournaments.playing import DRAW, Club
from tests.discord.world import World, labels, notified, refused, text


@pytest.fixture
def club(world: World) -> Club:
    return Club(world, 3)


def delete(club: Club, thread: ChannelHandle) -> None:
    club.world.env.backend.delete_channel(thread.id)


@pytest.mark.parametrize("left", [1, 0], ids=["another is left", "none is left"])
async def test_a_deleted_channel_of_the_tournament(left: int, club: Club) -> None:
    """Its games are played in another one that was named, or where the tournament's message is."""
    named = [club.another("first"), club.another("second")][: 1 + left]
    await club.create(format="round_robin", channels=" ".join(one.mention for one in named))
    delete(club, named[0])
    await club.join_all()
    await club.on()
    assert club.boards(named[1] if left else club.channel)


@pytest.mark.parametrize("left", [1, 0], ids=["another is left", "none is left"])
async def test_a_named_channel_in_which_the_bot_may_not_post_any_more(
    left: int, club: Club
) -> None:
    """Its games are played in another one that was named, or where the tournament's message is."""
    named = [club.another("first"), club.another("second")][: 1 + left]
    await club.create(format="round_robin", channels=" ".join(one.mention for one in named))
    me = club.world.guild.me
    assert me is not None
    send = discord.Permissions(send_messages=True).value
    denied = Overwrite(me.id, OverwriteType.MEMBER, deny=send)
    club.world.env.backend.set_overwrite(named[0].id, denied)
    await club.join_all()
    await club.on()
    assert club.boards(named[1] if left else club.channel)


async def test_a_permission_that_comes_back(club: Club) -> None:
    """The message says what is missing once, and stops saying so when it is there again."""
    world = club.world
    await club.create(start="button")
    me = world.guild.me
    assert me is not None
    send = discord.Permissions(send_messages=True).value
    before = world.env.backend.get_channel(club.channel.id).overwrites
    world.env.backend.set_overwrite(
        club.channel.id, Overwrite(me.id, OverwriteType.MEMBER, 0, send)
    )
    await next(iter(club.players.values())).slash(club.channel, "tournament join")
    await club.on()
    assert "I need *Send Messages*" in text(club.message())
    edits = [request for request in world.env.http_requests if request.method == "PATCH"]
    await club.on(100)
    now = [request for request in world.env.http_requests if request.method == "PATCH"]
    assert len(now) == len(edits)
    world.env.backend.edit_channel(club.channel.id, {}, overwrites=before)
    await club.on(35)
    assert "I need" not in text(club.message())


async def test_a_deleted_thread(club: Club) -> None:
    """The game goes on in another one, as it stood, and the players are called there."""
    await club.begin(format="round_robin")
    (game,) = club.games()
    await club.play(game, ["b2"])
    delete(club, game)
    await club.on()
    (moved,) = club.games()
    assert moved.id != game.id
    assert "your game in round 1 of the tournament goes on here" in text(moved.history()[0])
    assert "Last move: ❌ b2" in text(club.boards(moved)[-1])
    await club.play(moved, ["a1", "b1", "a2", "b3"])
    await club.on()
    assert await club.world.sql("SELECT count(*) FROM tournament_games WHERE how = 'played'") == [
        (1,)
    ]


async def test_a_draw_offered_in_a_deleted_thread(club: Club) -> None:
    """The offer went with its question, and can be made again in the new thread."""
    await club.begin(format="round_robin")
    (game,) = club.games()
    asker, other = await club.seated(game)
    await asker.slash(game, "draw")
    delete(club, game)
    await club.on()
    (moved,) = club.games()
    await asker.slash(moved, "draw")
    assert notified(moved.history()[-1], club.world.env) == [other.id]


@pytest.mark.parametrize("away", [False, True], ids=["seen", "while the bot was away"])
async def test_its_channel_is_deleted(
    away: bool, club: Club, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is cancelled, and its games are called off: nobody loses one that can't be played."""
    await club.begin(format="round_robin")
    (game,) = club.games()
    await club.play(game, ["b2"])
    elsewhere = club.another("elsewhere")
    with monkeypatch.context() as patched:
        if away:  # so it hears of nothing
            patched.setattr(club.world.env.backend, "emit", lambda *_: None)
        delete(club, game)
        delete(club, club.channel)
    if away:
        await restart()
    await club.on()
    assert await club.world.sql("SELECT stage, kind FROM tournaments, tournament_notes") == [
        ("cancelled", "deleted")
    ]
    assert await club.world.sql("SELECT ending FROM matches") == [("called_off",)]
    shown = await club.organiser.slash(elsewhere, "tournament show", tournament="1")
    assert shown.response is not None
    assert "cancelled" in text(shown)
    for _ in range(2):
        await club.organiser.click(shown.response, label="▶")
    assert "channel of the tournament was deleted" in text(club.world.now(shown.response))


async def test_its_channel_is_deleted_after_its_end(club: Club, calendar: Calendar) -> None:
    """A change of it then, as by an erasure, is shown nowhere, and isn't tried for ever."""
    await club.begin(format="round_robin", places=3)
    for _ in range(3):
        await club.play_all()
        await club.on()
    delete(club, club.channel)
    (player, *_) = club.players.values()
    asked = await player.slash(club.world.channel, "mydata delete")
    assert asked.response is not None
    await player.click(asked.response, label="Yes, delete my data")
    await pass_time(club.world, calendar, HOUR)
    due = "SELECT stage, told, shown = revision FROM tournaments"
    assert await club.world.sql(due) == [("ended", 1, 1)]
    before = len(club.world.env.http_requests)
    await pass_time(club.world, calendar, 2 * HOUR)
    assert len(club.world.env.http_requests) == before


async def test_one_that_can_not_be_read(
    club: Club, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a start, the others look for the threads that were deleted meanwhile all the same.

    They can be named as before.
    """
    await club.begin(format="round_robin")
    club.channel = club.another("other")
    await club.begin(format="round_robin")
    (game,) = club.games()
    await club.world.sql("UPDATE tournaments SET options = '{' WHERE id = 1")
    with monkeypatch.context() as patched:
        patched.setattr(club.world.env.backend, "emit", lambda *_: None)
        delete(club, game)
    await restart()
    await club.on()
    (moved,) = club.games()
    assert moved.id != game.id
    shown = await club.organiser.slash(club.channel, "tournament show")
    assert "**Standings**" in text(shown)


async def test_a_game_that_can_not_be_written(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of its round whose thread takes longer is opened once, and this one follows later."""
    club, http = Club(world, 4), type(world.env.bot.http)
    request = http.request

    async def slowly(one: Any, route: discord.http.Route, **kwargs: Any) -> Any:
        if "#1.1.2.1" in str(kwargs.get("json")):
            await asyncio.sleep(7)
        return await request(one, route, **kwargs)

    monkeypatch.setattr(http, "request", slowly)
    await world.sql(
        "CREATE TRIGGER refusing BEFORE UPDATE OF channel_id ON tournament_games"
        " WHEN NEW.\"table\" = 1 BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    await club.create(format="round_robin", start="900")
    await club.join_all()
    await pass_time(world, calendar, 16 * MINUTE)
    await club.on(20)
    assert len(club.games()) == 1
    await world.sql("DROP TRIGGER refusing")
    await club.on()
    assert len(club.games()) == len(club.channel.threads) == 2


async def test_a_thread_in_which_somebody_plays(club: Club) -> None:
    """The game waits for the end of the other one, and nothing changes meanwhile."""
    await club.world.sql(
        "CREATE TRIGGER refusing BEFORE INSERT ON matches WHEN NEW.tournament_id IS NOT NULL"
        " BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    await club.begin(format="round_robin")
    (thread,) = club.channel.threads
    guest = next(iter(club.players.values()))
    await guest.slash(thread, "play tictactoe", level="easy")
    await club.world.sql("DROP TRIGGER refusing")
    await club.on(20)
    before = await club.world.sql("SELECT revision FROM tournaments")
    await club.on(60)
    assert await club.world.sql("SELECT revision FROM tournaments") == before
    await club.world.resign(guest, thread)
    await club.on(40)
    assert [game.id for game in club.games()] == [thread.id]
    assert len(await club.seated(thread)) == 2


async def test_a_board_on_which_the_first_player_could_force_a_win(club: Club) -> None:
    """The swap rule is on, as it is between members by /play, unless the organiser turns it off."""
    await club.begin(format="round_robin", rows=4, line=3)
    (game,) = club.games()
    await club.play(game, ["b2"])
    assert "Swap sides" in labels(game.history()[-1])
    await club.play(game, ["swap"])
    assert "swap" in text(game.history()[-1])
    club.channel = club.another("without")
    await club.begin(format="round_robin", rows=4, line=3, swap=False)
    (game,) = club.games()
    await club.play(game, ["b2"])
    assert "Swap sides" not in labels(game.history()[-1])


async def test_a_board_on_which_who_begins_decides(club: Club) -> None:
    """Its matches aren't rated, and say so: they would count with a rematch, and have none."""
    await club.create(format="round_robin", variant="torus")
    assert "Its matches aren't rated." in text(club.message())
    await club.join_all()
    await club.on()
    (game,) = club.games()
    assert "rematch" not in text(game.history()[-1])
    await club.play(game, ["a1", "b1", "a2", "b2", "a3"])
    final = text(game.history()[-1])
    assert "This tournament isn't rated" in final and "Rematch" not in final


async def test_a_channel_for_announcements(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord takes threads of no other kind there than those for announcements."""
    kind = discord.ChannelType.news_thread.value
    # simcord knows these channels, and not their threads.
    monkeypatch.setattr(channels, "THREAD_TYPES", (kind,))
    club.channel = club.world.guild.create_news_channel("news")
    await club.begin(format="round_robin")
    (thread,) = club.games()
    assert club.world.env.backend.get_channel(thread.id).type == kind
    await club.play(thread)
    await club.on()
    assert len(club.games()) == 1 and club.games()[0].id != thread.id


async def test_a_deleted_message(club: Club) -> None:
    """It is posted again with the next change."""
    await club.create(start="button")
    message = club.message()
    club.world.env.backend.delete_message(club.channel.id, message.id)
    await club.join_all()
    await club.on()
    assert "3 of 3" in text(club.message())
    assert club.message().id != message.id


async def test_a_correction_ends_the_game_with_a_trace(club: Club) -> None:
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
    final = text(game.history()[-1])
    assert "called this match off" in final and "how it counts in the tournament" in final
    corrected = await club.world.sql("SELECT kind, name, result FROM tournament_notes")
    assert corrected == [("corrected", "olga", "? 0-1")]
    shown = await club.organiser.slash(club.channel, "tournament show")
    page = shown.response
    assert page is not None
    await club.organiser.click(page, label="▶")
    assert "**Round 2 of 3**" in text(club.world.now(page))
    await club.organiser.click(page, label="▶")
    assert "**olga** set round 1" in text(club.world.now(page))


async def test_a_correction_after_the_end_is_announced(club: Club, restart: Restart) -> None:
    """The end is told again, once, if the first three have changed, and only then."""
    await club.begin(format="round_robin")
    for _ in range(3):
        await club.play_all()
        await club.on()
    (first,) = [text(m) for m in club.channel.history() if "🥇" in text(m)]
    assert "The tournament is over" in first
    ((*key,), *_) = await club.world.sql(
        "SELECT round, \"table\", game FROM tournament_games WHERE how = 'played' ORDER BY round"
    )
    game = ".".join(map(str, key))
    for result in ("first", "second", "second"):
        corrected = await club.organiser.slash(
            club.channel, "tournament result", game=game, result=result
        )
        assert "The result is entered" in refused(corrected)
        await club.on()
        await restart()
    _, again = [text(m) for m in club.channel.history() if "🥇" in text(m)]
    assert "Final standings after a correction" in again
    ranked = await club.world.sql("SELECT name FROM tournament_entrants ORDER BY rank")
    assert [name for (name,) in ranked] == re.findall(r"[🥇🥈🥉] \*\*(\w+)\*\*", again)


async def test_named_channels_have_a_match_at_a_time(club: Club) -> None:
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


@pytest.mark.parametrize("chosen", ["stay", "go"])
async def test_final_boards_in_a_named_channel(club: Club, mod: MemberActor, chosen: str) -> None:
    """They go when the next game begins there if the server wants that."""
    hall = club.another("hall")
    await mod.slash(club.channel, "settings set", final_boards=chosen)
    await club.begin(format="round_robin", channels=f"<#{hall.id}>")
    await club.play(hall)
    await club.on(12)
    assert len(club.boards(hall)) == 1
    finals = [message for message in hall.history() if "Replay" in labels(message)]
    assert len(finals) == (chosen == "stay")


async def test_a_named_channel_in_which_a_game_rests(club: Club, calendar: Calendar) -> None:
    """A game against the computer that nobody plays is put away for that of the tournament."""
    hall = club.world.guild.create_text_channel("hall")
    await club.world.alice.slash(hall, "play tictactoe")
    await club.begin(format="round_robin", channels=f"<#{hall.id}>")
    await pass_time(club.world, calendar, 29 * MINUTE)
    await club.on()
    assert "it's time for your game" not in "".join(map(text, hall.history()))
    await pass_time(club.world, calendar, MINUTE)
    await club.on()
    put_away, called, _ = map(text, hall.history())
    assert "💤" in put_away and "it's time for your game" in called
    assert len(await club.seated(hall)) == 2


async def test_a_game_that_is_called_off(club: Club, mod: MemberActor) -> None:
    """In a knockout it is replayed, and nobody is told that it was a draw."""
    await club.begin(format="knockout")
    (game,) = club.games()
    await mod.slash(game, "endgame")
    await club.on()
    (replay,) = club.games()
    assert "nobody won your last game" in text(replay.history()[0])


async def test_a_tie_that_ends_by_draw_odds(club: Club) -> None:
    """Its threads have different names, and the drawn end tells who goes on."""
    await club.begin(format="knockout")
    names, threads = list[str](), list[ChannelHandle]()
    for _ in range(3):
        (game,) = club.games()
        names.append(str(game.name).split(" · ")[0])
        threads.append(game)
        _, second = await club.seated(game)
        await club.play(game, DRAW)
        await club.on()
    assert len({*names}) == 3 and "Round 1, game 3:" in names[2]
    assert "this draw counts ½ for each; in a knockout" in text(threads[1].history()[-1])
    told = f"In the tournament this draw counts as a win for **{second.name}**."
    assert told in text(threads[2].history()[-1])
    assert "Round 2 of 2" in text(club.message()), "the draw has decided"


async def test_one_of_an_odd_number_sits_out(club: Club) -> None:
    """Of an odd number one sits out in each round of a round robin, and the message says who."""
    await club.begin(format="round_robin")
    (game,) = club.games()
    shown = text(club.message())
    (resting,) = [who.name for who in club.players.values() if who.name not in str(game.name)]
    assert f"**{resting}** has a bye." in shown
    assert shown.count("bye") == 1


@pytest.mark.parametrize(
    ("kind", "name"), [("round_robin", "Sonneborn-Berger"), ("swiss", "Buchholz")]
)
async def test_what_breaks_ties(club: Club, kind: str, name: str) -> None:
    """The standings say what the number after the points is, once somebody has one."""
    await club.begin(format=kind)
    explained = f"**Standings**\n-# The second number breaks ties: {name}."
    for _ in range(3):
        for game in club.games():
            await club.play(game)
        await club.on()
    assert explained in text(club.message())
    shown = await club.organiser.slash(club.channel, "tournament show")
    assert explained in text(shown)


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


async def cancel(club: Club) -> None:
    asked = await club.organiser.slash(club.channel, "tournament cancel")
    assert asked.response is not None
    await club.organiser.click(asked.response, label="Yes, cancel the tournament")
    await club.on()


async def test_a_game_of_a_cancelled_tournament(club: Club) -> None:
    """It goes on as any other match: with undo, and with a rematch after its end."""
    await club.begin(format="round_robin")
    (game,) = club.games()
    await club.play(game, ["b2", "a1"])
    await cancel(club)
    asker, other = await club.seated(game)
    await asker.slash(game, "undo")
    assert notified(game.history()[-1], club.world.env) == [other.id]
    await club.play(game, ["b1", "a2", "b3"])
    assert "Rematch" in labels(game.history()[-1])


@pytest.mark.parametrize("away", [False, True], ids=["seen", "while the bot was away"])
async def test_a_deleted_thread_of_a_cancelled_tournament(
    away: bool,
    club: Club,
    calendar: Calendar,
    restart: Restart,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its game is called off: nobody loses one on time that can't be played."""
    await club.begin(format="round_robin", clock=HOUR)
    (game,) = club.games()
    await club.play(game, ["b2", "a1"])
    await cancel(club)
    with monkeypatch.context() as patched:
        if away:  # so it hears of nothing
            patched.setattr(club.world.env.backend, "emit", lambda *_: None)
        delete(club, game)
    if away:
        await restart()
    await pass_time(club.world, calendar, 2 * HOUR)
    await pass_time(club.world, calendar, 2 * HOUR)
    assert await club.world.sql("SELECT ending, rated_as FROM matches") == [("called_off", None)]


async def test_a_named_channel_of_two_tournaments(club: Club) -> None:
    """When it is deleted, the game that is being played there goes elsewhere."""
    arena = club.another("arena")
    given = {"format": "round_robin", "channels": arena.mention}
    await club.create(**given)
    earlier, club.channel = club.channel, club.another("another")
    await club.begin(**given)
    await cancel(club)
    await club.play(arena)
    club.channel = earlier
    for player in club.players.values():
        await player.slash(earlier, "tournament join")
    await club.on()
    assert club.boards(arena)
    delete(club, arena)
    await club.on()
    assert club.boards(earlier)


async def test_a_new_tournament_where_another_was_played(club: Club) -> None:
    """It is the one that members of the channel mean, also while the other one goes on there."""
    arena = club.another("arena")
    await club.begin(format="round_robin", channels=arena.mention)
    club.channel = arena
    await club.create(start="button", places=4)
    (player, *_) = club.players.values()
    assert "You're in" in refused(await player.slash(arena, "tournament join"))
    assert "**Standings**" in text(await player.slash(arena, "tournament show"))
    for _ in range(3):
        await club.play(arena)
        await club.on()
    assert "already joined" in refused(await player.slash(arena, "tournament join"))
    assert "places are taken" in text(await player.slash(arena, "tournament show"))


async def test_a_member_who_joins_before_the_creation_is_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord may show the message long before it tells the bot so: it stays the only one."""
    adapter: Any = client.FakeWebhookAdapter
    request = adapter.request

    async def late(one: Any, route: Any, *args: Any, **kwargs: Any) -> Any:
        answer = await request(one, route, *args, **kwargs)
        ends = time.perf_counter() + 0.1
        while time.perf_counter() < ends:  # noqa: ASYNC110 - simcord's clock stands still
            await asyncio.sleep(0)
        return answer

    monkeypatch.setattr(adapter, "request", late)
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
    """If nobody can tell whether the answer has arrived, one message stays all the same."""
    env = club.world.env
    FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    env.inject_error("GET", "/webhooks/*/messages/@original", times=None)
    if not posts:
        env.inject_error("POST", "/channels/*/messages", times=None)
    await club.create(start="button")
    env.backend.faults.clear()
    await club.join_all()
    await club.on(40)
    assert "**3 of 3**" in text(club.message())


async def test_a_creation_whose_answer_was_not_noted(club: Club) -> None:
    """A bot that was killed right after the answer doesn't post a second message."""
    await club.create(start="button")
    await club.world.sql("UPDATE tournaments SET message_id = NULL, shown = -1")
    await club.join_all()
    await club.on()
    assert "**3 of 3**" in text(club.message())
