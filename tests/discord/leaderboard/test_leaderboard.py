"""A server's leaderboard: which matches count, and which members are listed."""

from dataclasses import replace

import pytest
from simcord.actors import MemberActor
from simcord.gateway import FakeWebSocket
from sqlalchemy import update

from bot.db.tables import matches
from bot.identity import MemberId, Person
from bot.ratings.store import ScoreStore
from tests.conftest import Calendar
from tests.discord.invitations.inviting import offer
from tests.discord.leaderboard.standings import (
    DAY,
    beaten,
    champion,
    joined,
    lines,
    own_line,
    standings,
    who,
)
from tests.discord.matches.passing import MINUTE
from tests.discord.world import ALICE_WINS, DRAWN, World, asked_for_members, labels, mentioned, text


@pytest.mark.parametrize("game", [None, "tribolo"])
async def test_an_empty_leaderboard(world: World, game: str | None) -> None:
    """It says how to be listed, and whether the server or this list has nobody."""
    options = {"game": game} if game else {}
    assert await standings(world, **options) == []
    assert "Nobody is on this list yet" in text(world.last) and "`/play`" in text(world.last)
    assert "members" in text(world.last) and "few matches yet" not in text(world.last)
    assert not labels(world.last)
    assert await standings(world, by="wins", **options) == []
    told = "Nobody is on this list yet" if game else "Nobody has finished a rated match here yet"
    assert told in text(world.last)
    assert await standings(world, by="wins", period="week") == []
    assert "Nobody is on this list yet" in text(world.last)


async def test_a_channel_whose_last_match_is_damaged(world: World) -> None:
    """Without the option `game`, the first game's list is shown."""
    await world.challenge(game="nineholes")
    await world.sql("UPDATE matches SET moves = 'x'")
    assert await standings(world) == []
    assert "Tic-tac-toe" in text(world.last)


async def test_without_a_game_the_list_is_of_one_that_members_play(world: World) -> None:
    """If the last match was against the computer, the server's last rated game is shown."""
    await world.challenge(game="nineholes")
    assert await standings(world) == []
    assert "Nine Holes" in text(world.last)
    await world.resign(world.alice)
    await world.alice.slash(world.channel, "play connectfour")
    await standings(world)
    assert "Tic-tac-toe" in text(world.last)
    await beaten(world, world.alice, world.bob, game="nineholes")
    await standings(world)
    assert "Nine Holes" in text(world.last)


async def test_the_game_last_rated_is_unknown(world: World) -> None:
    """If its row is of a version with more games, the first of all games is shown."""
    await beaten(world, world.alice, world.bob, game="nineholes")
    async with world.database.begin() as connection:
        await connection.execute(update(matches).values(game="chess"))
    await standings(world)
    assert "Tic-tac-toe" in text(world.last)


async def test_wins_draws_and_losses(world: World) -> None:
    """Members with a finished rated match are listed, by wins or by rating."""
    for moves in (ALICE_WINS, DRAWN, ALICE_WINS):
        await world.played(moves)
    assert await standings(world, by="wins") == [
        "#1 **alice** – 2 won · 1 drawn · 0 lost",
        "#2 **bob** – 0 won · 1 drawn · 2 lost",
    ]
    shown = await standings(world, by="wins", game="tictactoe")
    assert [line.split(" – ")[0] for line in shown] == ["#1 **alice**", "#2 **bob**"]
    assert await standings(world) == [
        "#1 **alice** – 1122? · 2 won · 1 drawn · 0 lost",
        "#2 **bob** – 878? · 0 won · 1 drawn · 2 lost",
    ]
    assert "**alice**" in own_line(world.last)


async def test_a_young_server(world: World) -> None:
    """Nobody leads by rating for having lost often.

    Only members with five matches were listed, so the one who had lost all of them was the first,
    and those who had beaten them weren't on the list.
    """
    await beaten(world, world.alice, world.bob, times=4)
    await beaten(world, world.carol, world.bob, times=2)
    assert who(await standings(world)) == ["alice", "carol", "bob"]
    assert "rank 1" in text(await world.alice.slash(world.channel, "profile"))


async def test_the_result_shows_the_rating_change(world: World) -> None:
    """The result shows each player's new rating and the change, and at first explains *?*."""
    await world.played()
    assert "Rating: **alice** 1078? (+78) · **bob** 922? (−78)" in text(world.last)
    assert "? = provisional" in text(world.last)
    await world.alice.click(world.last, label="Rematch")
    await world.bob.click(world.last, label="Agree")
    assert "Series: **bob** 0 – **alice** 1" in text(world.last)
    await world.play(ALICE_WINS, world.bob, world.alice)
    assert "Rating: **bob** " in text(world.last) and "provisional" not in text(world.last)


async def test_two_of_one_name(world: World) -> None:
    """The ratings and the score of the series name their marks."""
    one, two = (
        world.guild.add_member(world.env.create_user(f"sam{number}", global_name="Sam"))
        for number in (1, 2)
    )
    await offer(world, one, two)
    await two.click(world.last, label="Accept")
    await world.play(ALICE_WINS, one, two)
    assert "Rating: ❌ **Sam** 1078? (+78) · 🔵 **Sam** 922? (−78)" in text(world.last)
    await one.slash(world.channel, "rematch")
    await two.slash(world.channel, "rematch")
    assert "Series: ❌ **Sam** 0 – 🔵 **Sam** 1" in text(world.last)


async def test_why_a_match_is_not_rated(world: World, calendar: Calendar) -> None:
    """The result of a match too short, or one too many in a day, says so; other results don't."""
    await world.challenge()
    await world.resign(world.alice)
    assert "Not rated: this match ended before move 2." in text(world.last)
    assert "Rating" not in text(world.last)
    await beaten(world, world.alice, world.bob, times=10)
    await world.played()
    assert "have played all their rated matches for today" in text(world.last)
    calendar.ahead += DAY
    await world.played()
    assert "Rating: **alice**" in text(world.last)


async def test_matches_that_are_rated_in_pairs(world: World) -> None:
    """Where the first player can force a win, a match counts together with its rematch.

    The board says so at the start; the ends say why the match isn't rated yet, or with which match
    it was. Once the rematch has begun, no final board asks for it any more.
    """
    win = "b2 a1 b3 a2 b4"
    await world.challenge(rows=4, line=3, swap=False)
    assert "Rated in pairs" in text(world.last) and "Take turns" not in text(world.last)
    await world.play(win)
    assert "Not rated yet" in text(world.last)
    assert "Rating:" not in text(world.last)
    first = world.last
    await world.alice.click(first, label="Rematch")
    await world.bob.click(world.last, label="Agree")
    assert "Rated in pairs" in text(world.last)
    assert "Rated in pairs" in text(world.now(first))
    assert "Press *Rematch*" not in text(world.now(first))
    await world.play(win, world.bob, world.alice)
    assert "Rating: **bob** 1012? (+90) · **alice** 988? (−90)" in text(world.last)
    assert "Rated together with match 1" in text(world.last)
    begun = text(world.now(first))
    assert "(+78)" in begun and "Rated together with match 2" in begun


async def test_half_a_pair(world: World) -> None:
    """A match whose rematch isn't rated doesn't count either; the next two make the pair."""
    win = "b2 a1 b3 a2 b4"
    await world.challenge(rows=4, line=3, swap=False)
    await world.play(win)
    first = world.last
    await world.rematch()
    await world.resign(world.bob)
    assert "counts only together with its rematch" in text(world.now(first))
    await world.rematch()
    await world.play(win)
    await world.rematch()
    await world.play(win, world.bob, world.alice)
    assert "Rated together with match 3" in text(world.last)
    assert await standings(world, by="wins") == [
        "#1 **bob** – 1 won · 0 drawn · 1 lost",
        "#1 **alice** – 1 won · 0 drawn · 1 lost",
    ]


async def test_half_a_pair_whose_rematch_is_called_off(world: World, mod: MemberActor) -> None:
    """The next rematch, in which bob goes first once more, is the other half."""
    win = "b2 a1 b3 a2 b4"
    await world.challenge(rows=4, line=3, swap=False)
    await world.play(win)
    first = world.last
    await world.rematch()
    await mod.slash(world.channel, "endgame")
    assert "Rated in pairs" in text(world.now(first))
    await world.rematch()
    await world.play(win, world.bob, world.alice)
    assert "Rated together with match 3" in text(world.now(first))
    assert "Rated together with match 1" in text(world.last)


async def test_a_match_against_the_computer_is_not_rated(world: World) -> None:
    """Its board says nothing of fairness or ratings, nor does its result, not even a reason."""
    await world.alice.slash(world.channel, "play tictactoe", rows=4, line=3)
    assert "force a win" not in text(world.last) and "ated" not in text(world.last)
    await world.resign(world.alice)
    assert "rated" not in text(world.last) and "Rating" not in text(world.last)
    assert await standings(world, by="wins") == []


async def test_a_provisional_rating_is_marked(world: World) -> None:
    """The end of a match, the profile and the leaderboard mark it, and tell the start value."""
    member = joined(world, "ada")
    await champion(world, member, 5)
    shown = text(await world.carol.slash(world.channel, "leaderboard"))
    assert "**ada** – 1294? · 5 won" in shown
    assert "Everybody starts at 1000" in shown
    await world.played()
    assert "**alice** 1078? (+78)" in text(world.last)
    assert "Everybody starts at 1000" in text(world.last)
    profile = text(await world.alice.slash(world.channel, "profile"))
    assert "rating 1078?" in profile and "Everybody starts at 1000" in profile
    await champion(world, member, 20)
    first, *_ = await standings(world)
    assert first.startswith("#1 **ada**") and "? ·" not in first


async def test_names_on_the_board(world: World) -> None:
    """A member's newest name is shown, without mention or formatting."""
    member = joined(world, "old")
    await champion(world, member, 1)
    await champion(world, replace(member, name="*@everyone*"), 1)
    shown = (await standings(world, by="wins"))[0]
    assert r"\*@" in shown and "@everyone" not in shown and "old" not in shown
    assert not mentioned(world.last, world.env)


async def test_one_game_alone(world: World) -> None:
    """If a game is chosen, only its results count; by default, results of all games do."""
    one, two = joined(world, "one"), joined(world, "two")
    await beaten(world, one, two)
    for _ in range(2):
        await beaten(world, two, one, game="nineholes")
    assert who(await standings(world, by="wins", game="tictactoe")) == ["one", "two"]
    assert "Leaderboard – Tic-tac-toe, all time" in text(world.last)
    assert who(await standings(world, by="wins", game="nineholes")) == ["two", "one"]
    shown = await standings(world, by="wins")
    assert shown[0] == "#1 **two** – 2 won · 0 drawn · 1 lost"


# --- periods


async def test_the_turn_of_a_month(world: World, calendar: Calendar) -> None:
    """A new month starts empty and names the last season's top three; all time is unaffected."""
    for name, wins in (("p1", 4), ("p2", 3), ("p3", 2), ("p4", 1)):
        await champion(world, joined(world, name), wins)
    assert who(await standings(world, by="wins", period="month"))[:2] == ["p1", "p2"]
    assert who(await standings(world, by="wins", period="week"))[:2] == ["p1", "p2"]
    assert "Last season" not in text(world.last)
    calendar.ahead += 31 * DAY
    assert await standings(world, by="wins", period="month") == []
    assert "Last season: #1 **p1** · #2 **p2** · #3 **p3**" in text(world.last)
    assert await standings(world, by="wins", period="week") == []
    assert "Last season" not in text(world.last)
    assert who(await standings(world, by="wins"))[:2] == ["p1", "p2"]
    assert "Last season" not in text(world.last)


async def test_a_champion_who_has_left(world: World, calendar: Calendar) -> None:
    """They stay one, since nobody else has won that season."""
    people = (world.alice, world.bob, world.carol)
    alice, bob, carol = (Person(MemberId(one.id), one.name) for one in people)
    for winner in (bob, bob, alice, alice):
        await beaten(world, winner, carol)
    await beaten(world, carol, bob)
    calendar.ahead += 31 * DAY
    world.guild.remove_member(world.bob)
    assert await standings(world, by="wins", period="month") == []
    assert "Last season: #1 **bob** · #1 **alice** · #3 **carol**" in text(world.last)


@pytest.mark.parametrize("game", ["tictactoe", "nineholes"])
async def test_a_season_has_one_winner(world: World, calendar: Calendar, game: str) -> None:
    """A list by rating, or of another game, names those whom the announcement of its end names."""
    people = (world.alice, world.bob, world.carol)
    alice, bob, carol = (Person(MemberId(one.id), one.name) for one in people)
    await beaten(world, alice, bob, times=2)
    await beaten(world, bob, carol, times=2)
    calendar.ahead += 31 * DAY
    await standings(world, by="rating", period="month", game=game)
    assert "Last season: #1 **bob** · #1 **alice**\n" in text(world.last)


async def test_a_season_without_enough_winners(world: World, calendar: Calendar) -> None:
    """A member without a win isn't among its first three, nor in the announcement of its end."""
    await beaten(world, joined(world, "winner"), joined(world, "loser"))
    calendar.ahead += 31 * DAY
    await standings(world, by="wins", period="month")
    assert "Last season: #1 **winner**" in text(world.last) and "loser" not in text(world.last)


# --- membership


async def test_one_membership_request_per_page(world: World) -> None:
    """One request covers all listed members, and none is sent for members seen lately."""
    await world.played()
    before = asked_for_members(world)
    for _ in range(2):
        assert who(await standings(world, by="wins")) == ["alice", "bob"]
        assert asked_for_members(world) == before + 1


async def test_former_members_are_not_listed(world: World) -> None:
    """A member who left is not listed after coming back either, until they press anything."""
    await world.played()
    bob = world.bob
    world.guild.remove_member(bob)
    assert who(await standings(world, by="wins")) == ["alice"]
    world.bob = world.guild.add_member(bob.user)
    assert who(await standings(world, by="wins")) == ["alice"]
    await world.bob.slash(world.channel, "leaderboard", by="wins")
    assert who(lines(world.last)) == ["alice", "bob"]
    assert who(await standings(world, by="wins")) == ["alice", "bob"]


async def test_a_member_who_comes_back_and_wins(world: World) -> None:
    """They are listed however the match ends: a win by resignation led no list, nor a season."""
    await world.played()
    await world.challenge()
    alice = world.alice
    world.guild.remove_member(alice)
    await world.carol.slash(world.channel, "leaderboard", by="wins")
    assert who(lines(world.last)) == ["bob"]
    world.alice = world.guild.add_member(alice.user)
    for who_moves, where in ((world.alice, "b2"), (world.bob, "a1")):
        await who_moves.slash(world.channel, "move", where=where)
    await world.resign(world.bob)
    await world.carol.slash(world.channel, "leaderboard", by="wins")
    assert lines(world.last)[0] == "#1 **alice** – 2 won · 0 drawn · 0 lost"


async def test_a_database_that_fails_while_it_notes_who_is_there(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The press is answered nevertheless, and it is noted later."""
    await world.played()
    world.guild.remove_member(world.bob)
    assert who(await standings(world, by="wins")) == ["alice"]
    world.bob = world.guild.add_member(world.bob.user)

    async def fails(*_: object) -> None:
        raise TimeoutError("no connection to the database")

    with monkeypatch.context() as away:
        away.setattr(ScoreStore, "note_seen", fails)
        assert (await world.bob.slash(world.channel, "help")).acknowledged
    assert who(await standings(world, by="wins")) == ["alice"]
    await world.env.advance_time(MINUTE)
    assert who(await standings(world, by="wins")) == ["alice", "bob"]


async def test_everyone_is_listed_while_membership_is_unknown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the gateway is closing, the leaderboard lists everyone."""
    await world.played()
    world.guild.remove_member(world.bob)

    async def closing(*_: object, **__: object) -> None:
        raise ConnectionResetError("Cannot write to closing transport")

    monkeypatch.setattr(FakeWebSocket, "request_chunks", closing)
    assert who(await standings(world, by="wins")) == ["alice", "bob"]
