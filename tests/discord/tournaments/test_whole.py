"""Whole tournaments, from the first member to the announcement of the end."""

from bot.render.emoji import ZERO_WIDTH
from tests.discord.conftest import Restart
from tests.discord.matches.passing import HOUR
from tests.discord.tournaments.playing import DRAW, WIN, Club
from tests.discord.world import World, labels, mentioned, notified, text


async def test_a_whole_knockout(world: World) -> None:
    """It starts when it is full; a draw is replayed with seats changed; the winner is announced."""
    club = Club(world, 4, pictures=True)
    await club.create(format="knockout")
    assert "0 of 4" in text(club.message())
    assert labels(club.message()) == ["Join", "Leave", "Start", "Details", "Rules"]
    await club.join_all()
    await club.on()
    first, second = club.games()
    assert "Round 1 of 2" in text(club.message())
    called = first.history()[0]
    assert len({*notified(called, world.env)}) == 2
    assert {*notified(called, world.env)} == {*mentioned(called, world.env)} <= {*club.players}
    (board,) = club.boards(first)
    assert labels(board) == ["Resign", "Draw"]
    assert "your move" in text(board) and not notified(board, world.env), (
        "the call has just done so"
    )
    assert "Still in" not in text(club.message()), "nobody is out yet"
    await club.play(first)
    await club.play(second, DRAW)
    won, drawn = (text(thread.history()[-1]) for thread in (first, second))
    assert "In a knockout, a drawn game is played again." in drawn and "½" not in drawn
    assert "this draw" not in won
    await club.on()
    replayed = club.games()
    assert [str(thread.name).split(" · ")[-1] for thread in replayed] == ["#1.1.2.2"]
    assert "sides swapped" in text(replayed[0].history()[0])
    await club.play_all(WIN)
    await club.on()
    (remaining,) = [line for line in text(club.message()).splitlines() if "Still in" in line]
    assert remaining.count("**player") == 2
    assert "**Standings**" not in text(club.message()), "who is still in has no rank"
    shown = await club.organiser.slash(club.channel, "tournament show")
    lines = text(shown).splitlines()
    assert sum(line.startswith("• **player") for line in lines) == 2
    assert sum(line.startswith(f"{ZERO_WIDTH}3. **player") for line in lines) == 2
    await club.play_all(WIN)
    await club.on()
    told = [text(m) for m in club.channel.history() if "is over" in text(m)]
    assert len(told) == 1
    assert all(medal in told[0] for medal in "🥇🥈🥉")
    assert "wins!" in text(club.message()) and labels(club.message()) == ["Details"]
    # Discord would number a list by itself, so no line with a rank begins one.
    ranks = [line[:3] for line in text(club.message()).splitlines() if line[1:3] == "3."]
    assert ranks == [f"{ZERO_WIDTH}3."] * 2
    assert [a.filename for a in club.message().attachments] == ["standings.png"]
    assert await world.sql("SELECT count(*) FROM tournament_entrants WHERE rank = 1") == [(1,)]


async def test_a_swiss_of_five(world: World, restart: Restart) -> None:
    """Three rounds with a bye each, over a restart in the middle; all have the same games."""
    club = Club(world, 5)
    await club.create(format="swiss", rounds=3, clock=HOUR, start="button", rated=False)
    await club.join_all()
    await club.organiser.click(club.message(), label="Start")
    for number in (1, 2, 3):
        await club.on()
        assert f"Round {number} of 3" in text(club.message())
        first, second = club.games()
        await club.play(first)
        if number == 2:
            await restart()
        await club.play(second, *([DRAW] if number == 1 else []))
        if number == 1:
            drawn = text(second.history()[-1])
            assert "In the tournament this draw counts ½ for each." in drawn
        await club.on()
    await club.on()
    assert "wins!" in text(club.message())
    games = await world.sql("SELECT first, second, how FROM tournament_games")
    assert len(games) == 9 and sum(how == "bye" for _, _, how in games) == 3
    pairs = [frozenset(pair) for *pair, how in games if how == "played"]
    assert len({*pairs}) == 6, "nobody meets twice"
    reasons = await world.sql("SELECT DISTINCT unrated, rated_as, clock FROM matches")
    assert reasons == [("tournament", None, HOUR)]
    shown = await club.organiser.slash(club.channel, "tournament show")
    assert "Standings" in text(shown)
