"""Running tournaments: when they start, whom they pair, and on which terms they play."""

import asyncio
from functools import partial

import discord
import pytest
from simcord.backend.models import channel as channels
from simcord.builders import ChannelHandle

from tests.conftest import Calendar
from tests.discord.calls import THREAD, on_its_way
from tests.discord.conftest import Restart
from tests.discord.matches.passing import (
    DAY,
    HOUR,
    MINUTE,
    ROUND,
    add_again,
    begin_outage,
    end_outage,
    pass_time,
    remove,
)
from tests.discord.tournaments.playing import DRAW, RETRIED, Club
from tests.discord.world import LOOKING, World, answer_to, labels, notified, refused, text


async def test_a_game_that_can_not_be_written(
    world: World, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another game of the round, whose thread takes longer, is opened once; this comes later."""
    club = Club(world, 4)
    on_its_way(monkeypatch, THREAD, "#1.1.2.1", before=partial(asyncio.sleep, 7))
    await world.sql(
        "CREATE TRIGGER refusing BEFORE UPDATE OF channel_id ON tournament_games"
        " WHEN NEW.\"table\" = 1 BEGIN SELECT RAISE(ABORT, 'refused'); END"
    )
    await club.create(format="round_robin", start="15m")
    await club.join_all()
    await pass_time(world, calendar, 15 * MINUTE)
    await club.on(20)
    assert len(club.games()) == 1
    await world.sql("DROP TRIGGER refusing")
    await club.on(RETRIED)
    assert len(club.games()) == len(club.channel.threads) == 2


async def test_a_change_by_another_process(club: Club) -> None:
    """If the tournament changes between a step's read and write, the step is repeated later."""
    await club.create(format="round_robin")
    await club.world.sql(
        "CREATE TRIGGER meanwhile BEFORE UPDATE OF revision ON tournaments"
        " WHEN OLD.stage = 'running' BEGIN SELECT RAISE(IGNORE); END"
    )
    await club.join_all()
    await club.on()
    assert not club.games()
    await club.world.sql("DROP TRIGGER meanwhile")
    await club.on()
    assert club.games()


async def test_a_thread_in_which_somebody_plays(club: Club) -> None:
    """The game waits for the end of the match there, and nothing changes meanwhile."""
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


async def test_standings_before_the_first_point(world: World) -> None:
    """The message has none until somebody has a point; until then, its details list everybody."""
    club = Club(world, 4)
    game, _ = await club.begin(format="swiss", rounds=2)
    assert "Standings" not in text(club.message())
    details = text(await club.organiser.slash(club.channel, "tournament show"))
    assert "Standings" in details and details.count("**player") == 4
    await club.play(game, DRAW)
    assert "Standings" in text(club.message())


async def test_a_board_on_which_the_first_player_could_force_a_win(club: Club) -> None:
    """The swap rule is on, as it is between members by /play, unless the organiser turns it off."""
    (game,) = await club.begin(format="round_robin", rows=4, line=3)
    await club.play(game, ["b2"])
    assert "Swap sides" in labels(game.history()[-1])
    await club.play(game, ["swap"])
    assert "swap" in text(game.history()[-1])
    club.channel = club.another("without")
    (game,) = await club.begin(format="round_robin", rows=4, line=3, swap=False)
    await club.play(game, ["b2"])
    assert "Swap sides" not in labels(game.history()[-1])


async def test_a_board_on_which_who_begins_decides(club: Club) -> None:
    """Its games say that they aren't rated: they would only count with a rematch, which they lack.

    They have no hints either, unlike other unrated matches. Asking for rated games is refused.
    """
    told = refused(await club.create(format="round_robin", variant="torus", rated=True))
    assert "The first player can force a win on this board" in told and "`rated`" in told
    await club.create(format="round_robin", variant="torus")
    assert "Its games aren't rated." in text(club.message())
    await club.join_all()
    await club.on()
    (game,) = club.games()
    board = game.history()[-1]
    assert "rematch" not in text(board) and labels(board) == ["Resign", "Draw"]
    await club.play(game, ["a1", "b1", "a2", "b2", "a3"])
    final = game.history()[-1]
    assert "This tournament isn't rated" in text(final)
    assert labels(final) == LOOKING


async def test_a_channel_for_announcements(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """There, Discord only takes announcement threads."""
    kind = discord.ChannelType.news_thread.value
    # simcord knows these channels, and not their threads.
    monkeypatch.setattr(channels, "THREAD_TYPES", (kind,))
    club.channel = club.world.guild.create_news_channel("news")
    (thread,) = await club.begin(format="round_robin")
    assert club.world.env.backend.get_channel(thread.id).type == kind
    await club.play(thread)
    await club.on()
    assert len(club.games()) == 1 and club.games()[0].id != thread.id


async def test_a_thread_lasts_as_long_as_a_move(club: Club) -> None:
    """Of Discord's four times to archive an idle thread, it gets the next longer one."""
    (thread,) = await club.begin(format="round_robin", clock=4 * HOUR)
    stored = club.world.env.backend.get_channel(thread.id)
    assert stored.thread_metadata is not None
    assert stored.thread_metadata.auto_archive_duration * MINUTE == DAY


async def test_a_tie_that_ends_by_draw_odds(club: Club) -> None:
    """Its threads have different names; offers and final boards say what a draw leads to.

    The last game's boards say whom a draw favours.
    """
    again = "In a knockout, a drawn game is played again."
    await club.begin(format="knockout")
    names, threads, decides = list[str](), list[ChannelHandle](), list[bool]()
    offers = list[tuple[bool, bool]]()
    for _ in range(3):
        (game,) = club.games()
        names.append(str(game.name).split(" · ")[0])
        threads.append(game)
        first, second = await club.seated(game)
        await club.play(game, DRAW[:-1])
        favoured = f"This game decides: a draw counts as a win for **{second.name}**."
        decides.append(favoured in text(game.last_message))
        offer = text(answer_to(await first.slash(game, "draw")))
        offers.append((again in offer, favoured in offer))
        await club.play(game, DRAW[-1:])
        await club.on()
    assert decides == [False, False, True]
    assert offers == [(True, False), (True, False), (False, True)]
    assert len({*names}) == 3 and "Round 1, game 3:" in names[2]
    finals = [text(thread.history()[-1]) for thread in threads]
    assert [again in final for final in finals] == [True, True, False]
    odds = f"In the tournament this draw counts as a win for **{second.name}**."
    assert odds in finals[2]
    assert "Round 2 of 2" in text(club.message()), "the draw has decided"


async def test_draw_odds_end_with_a_cancelled_tournament(club: Club) -> None:
    """The deciding game goes on as an ordinary match, in which a draw lets nobody win."""
    await club.begin(format="knockout")
    for _ in range(2):
        await club.play_all(DRAW)
        await club.on()
    (game,) = club.games()
    await club.play(game, DRAW[:1])
    assert "This game decides" in text(club.boards(game)[-1])
    assert f"<#{game.id}>, and a draw counts as a win for" in text(club.message())
    await club.cancel()
    await club.play(game, DRAW[1:2])
    assert "This game decides" not in text(club.boards(game)[-1])


async def test_a_start_in_time(club: Club, calendar: Calendar) -> None:
    """It starts at its time by itself, or is cancelled if too few have joined."""
    await club.create(start="15m", places=9)
    await club.join_all()
    await pass_time(club.world, calendar, 14 * MINUTE)
    assert not club.games()
    await pass_time(club.world, calendar, MINUTE)
    await club.on()
    assert len(club.games()) == 1
    club.channel = club.another("other")
    await club.create(start="1h", places=9)
    await pass_time(club.world, calendar, HOUR)
    await club.on()
    assert "too few" in text(club.message())


async def test_an_outage_when_a_tournament_is_to_start(club: Club, calendar: Calendar) -> None:
    """The start is put off: afterwards there are some minutes to join."""
    await club.create(start="1h", places=9)
    await club.join_all()
    await pass_time(club.world, calendar, 50 * MINUTE)
    await begin_outage(club.world)
    for _ in range(5):
        await pass_time(club.world, calendar, 4 * MINUTE)
    await end_outage(club.world)
    await club.on()
    ((starts_at,),) = await club.world.sql("SELECT starts_at FROM tournaments")
    assert 5 * MINUTE < starts_at - calendar() <= 10 * MINUTE
    assert f"<t:{starts_at}:R>" in text(club.message())
    assert not club.games()
    await pass_time(club.world, calendar, starts_at - calendar())
    await club.on()
    assert len(club.games()) == 1


@pytest.mark.parametrize("removed", [False, True])
async def test_a_start_while_the_bot_was_away(
    club: Club, calendar: Calendar, restart: Restart, removed: bool
) -> None:
    """It is put off, as nobody could join, after downtime and after a removal from the server."""
    world, (*early, late) = club.world, club.players.values()
    await club.create(start="2h", places=9)
    for player in early:
        await player.slash(club.channel, "tournament join")
    if removed:
        await remove(world)
        await pass_time(world, calendar, 3 * DAY)
        await add_again(world)
    else:
        calendar.ahead += 9 * HOUR
        await restart()
    await club.on()
    ((starts_at,),) = await world.sql("SELECT starts_at FROM tournaments")
    assert 9 * MINUTE < starts_at - calendar() <= 10 * MINUTE
    assert f"It starts <t:{starts_at}:f>" in text(club.message())
    await late.slash(club.channel, "tournament join")
    await pass_time(world, calendar, 10 * MINUTE)
    await club.on()
    assert len(club.games()) == 1


async def test_a_start_that_is_held_up(club: Club, calendar: Calendar) -> None:
    """A start some minutes late isn't put off: other tournaments had their turn meanwhile."""
    await club.create(start="1h", places=9)
    await club.join_all()
    calendar.ahead += HOUR + 4 * MINUTE
    await club.on()
    assert len(club.games()) == 1


async def test_a_start_without_a_permission_that_has_been_missing_for_long(
    club: Club, calendar: Calendar
) -> None:
    """It isn't put off hour after hour, but left to the button: the organiser knows the time."""
    await club.create(start="2d", places=9)
    club.deny(club.channel, create_public_threads=True)
    await club.join_all()
    # It is looked for at its time, but its failing message is tried again only an hour later.
    for seconds in (DAY, DAY - 2 * MINUTE, 2 * MINUTE - ROUND, HOUR):
        await pass_time(club.world, calendar, seconds)
    assert await club.world.sql("SELECT stage, starts_at FROM tournaments") == [("open", None)]


async def test_a_full_tournament_of_which_some_have_left_the_server(world: World) -> None:
    """It doesn't start without them: their places are free again, and it starts once it is full."""
    club = Club(world, 7)
    first, second, *others = club.players.values()
    await club.create(format="round_robin", places=5)
    for player in (first, second, *others[:2]):
        await player.slash(club.channel, "tournament join")
    world.guild.remove_member(first)
    world.guild.remove_member(second)
    await others[2].slash(club.channel, "tournament join")
    await club.on()
    assert "**3 of 5**" in text(club.message()) and "player0" not in text(club.message())
    for player in others[3:]:
        await player.slash(club.channel, "tournament join")
    await club.on()
    assert len(club.games()) == 2


async def test_a_game_of_a_cancelled_tournament(club: Club) -> None:
    """It goes on as an ordinary match, with undo, and with a rematch after its end.

    Its board says so at once, and notifies nobody.
    """
    (game,) = await club.begin(format="round_robin")
    assert "A tournament game" in text(game.history()[-1])
    await club.cancel()
    (board,) = club.boards(game)
    assert "A tournament game" not in text(board)
    assert notified(board, club.world.env) == []
    await club.play(game, ["b2", "a1"])
    asker, other = await club.seated(game)
    await asker.slash(game, "undo")
    assert notified(game.history()[-1], club.world.env) == [other.id]
    await club.play(game, ["b1", "a2", "b3"])
    assert "Rematch" in labels(game.history()[-1])
