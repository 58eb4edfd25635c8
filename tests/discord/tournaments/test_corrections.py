"""Results that organisers enter, and games that moderators call off."""

import re
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.times import DAY
from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.matches.passing import HOUR, pass_time
from tests.discord.tournaments.playing import WIN, Club
from tests.discord.world import World, answer_to, notified, refused, text

_BACK = "bring back a player"


async def test_a_correction_ends_the_game_with_a_trace(club: Club) -> None:
    """The organiser enters a result: the game ends with it, and a trace says who did it."""
    (game,) = await club.begin(format="round_robin")
    _, second = await club.seated(game)
    (player, *_) = club.players.values()
    values = {"game": "1.1.1", "result": "second"}
    told = refused(await player.slash(club.channel, "tournament result", **values))
    assert "Only" in told and "olga" in told
    assert "**0–1**" in await club.correct("second")
    await club.on()
    final = text(game.history()[-1])
    assert f"**{second.name}** wins! The organiser or a moderator decided this game." in final
    assert await club.world.sql("SELECT * FROM old_boards") == []
    await club.on()
    corrected = await club.world.sql("SELECT kind, name, result FROM tournament_notes")
    assert corrected == [("corrected", "olga", "? 0-1")]
    page = answer_to(await club.organiser.slash(club.channel, "tournament show"))
    await club.organiser.click(page, label="Next")
    assert "**Round 2 of 3**" in text(club.world.now(page))
    await club.organiser.click(page, label="Next")
    assert "**olga** entered the result of round 1" in text(club.world.now(page))


async def _own_game(club: Club, player: MemberActor, **options: Any) -> tuple[ChannelHandle, str]:
    """Let somebody take the last player's place; return their game's thread, and its key."""
    club.players.popitem()
    club.players[player.id] = player
    await club.begin(**{"format": "round_robin", "rated": False, **options})
    while not (own := [one for one in club.games() if player in await club.seated(one)]):
        await club.play_all()
        await club.on()
    return own[0], str(own[0].name).split(" · #1.")[1]


@pytest.mark.parametrize("over", [False, True])
async def test_an_organiser_decides_no_game_of_their_own(
    club: Club, mod: MemberActor, over: bool
) -> None:
    """They can't enter its result, not even after it has ended; a moderator can.

    That somebody has changed it is told in the game's thread, and notifies nobody.
    """
    own, key = await _own_game(club, club.organiser)
    await club.play(own, WIN[:4])
    if over:
        await club.organiser.slash(own, "resign", confirm=True)
        await club.on()
    assert "You play in this tournament game yourself" in await club.correct("draw", key)
    await mod.slash(club.channel, "tournament result", game=key, result="draw")
    await club.on()
    done = "changed" if over else "entered the result of"
    (told,) = [message for message in own.history() if f"{done} round" in text(message)]
    assert f"**{mod.name}** {done}" in text(told) and "½–½" in text(told)
    assert notified(told, club.world.env) == []


async def test_a_loss_that_an_organiser_enters_against_themselves(
    club: Club, mod: MemberActor
) -> None:
    """They can, once the game is over: before that they resign, which counts for their rating."""
    own, key = await _own_game(club, club.organiser)
    lost = "second" if (await club.seated(own))[0] is club.organiser else "first"
    assert "You play in this tournament game yourself" in await club.correct(lost, key)
    await mod.slash(own, "endgame")
    await club.on()
    for result in {"first", "second", "draw", "nobody"} - {lost}:
        assert "You play in this tournament game yourself" in await club.correct(result, key)
    assert "The result is entered" in await club.correct(lost, key)


@pytest.mark.parametrize("playing", [False, True])
async def test_an_organiser_takes_out_nobody_while_they_are_in(
    club: Club, mod: MemberActor, playing: bool
) -> None:
    """Otherwise they could take out one rival after another; another moderator can.

    They are refused at once, instead of after a question.
    """
    own, _ = await _own_game(club, club.organiser)
    (opponent,) = [one for one in await club.seated(own) if one is not club.organiser]
    await club.play(own, WIN[:4] if playing else WIN)
    await club.on()
    drop = {"tournament": "1", "confirm": True}
    for member in [one for one in club.players.values() if one is not club.organiser]:
        for values in ({}, drop):
            told = await club.organiser.slash(
                club.channel, "tournament drop", member=member, **values
            )
            assert "You are still in this tournament yourself" in refused(told)
    told = await mod.slash(club.channel, "tournament drop", member=opponent, **drop)
    assert "is out of the tournament" in refused(told)
    await club.on()
    said = f"**{mod.name}** took **{opponent.name}** out of the tournament"
    assert [said in text(message) for message in own.history()].count(True) == int(playing)


@pytest.mark.parametrize("gone", ["lost", "withdrawn"])
async def test_an_organiser_who_is_out_takes_a_player_out(club: Club, gone: str) -> None:
    """Who has lost in a knockout, or has withdrawn, gains nothing by that."""
    own, _ = await _own_game(club, club.organiser, format="knockout")
    (opponent,) = [one for one in await club.seated(own) if one is not club.organiser]
    done = "resign" if gone == "lost" else "tournament leave"
    await club.organiser.slash(own, done, confirm=True)
    await club.on()
    told = await club.organiser.slash(club.channel, "tournament drop", member=opponent)
    assert "Take" in refused(told)


async def test_whoever_takes_themselves_out_leaves(club: Club) -> None:
    """They are asked the same question, and resign: a drop would save their rating."""
    own, _ = await _own_game(club, club.organiser)
    await club.play(own, WIN[:4])
    me = club.organiser
    asked = refused(await me.slash(club.channel, "tournament drop", member=me))
    assert "Withdraw from this tournament? You lose" in asked
    told = await me.slash(club.channel, "tournament drop", member=me, confirm=True)
    assert "have withdrawn" in refused(told)
    await club.on()
    assert await club.world.sql("SELECT ending FROM matches WHERE ended_at IS NOT NULL") == [
        ("resignation",)
    ]


async def test_a_moderator_calls_off_no_tournament_game_of_their_own(
    club: Club, mod: MemberActor
) -> None:
    """They would get half a point for a game that they are losing, also one that isn't rated."""
    own, _ = await _own_game(club, mod)
    assert "You play in this tournament game yourself" in refused(await mod.slash(own, "endgame"))
    assert club.boards(own)


async def test_the_details_of_a_game_that_was_called_off(club: Club, mod: MemberActor) -> None:
    """Everybody reads there who did it, but nothing of a match that goes on after a tournament."""
    (game,) = await club.begin(format="round_robin")
    first, second = await club.seated(game)
    await mod.slash(game, "endgame")
    await club.on()
    players = f"**{first.name}** – **{second.name}**"
    said = f"**mod** called off round 1, {players}: it counts as drawn."
    assert said in text(answer_to(await second.slash(club.channel, "tournament show", page=3)))
    (later,) = club.games()
    await club.cancel()
    await mod.slash(later, "endgame")
    kinds = await club.world.sql("SELECT kind FROM tournament_notes ORDER BY id")
    assert kinds == [("called_off",), ("cancelled",)]


async def test_a_wrong_result_is_entered_and_mended(club: Club) -> None:
    """The final board shows the result that was entered last, and is the only board there."""
    (game,) = await club.begin(format="round_robin")
    first, second = await club.seated(game)
    told = {
        "first": f"**{first.name}** wins! The organiser or a moderator decided",
        "second": f"**{second.name}** wins! The organiser or a moderator decided",
        "draw": "A draw: the organiser or a moderator decided",
        "nobody": "No points for either player: the organiser or a moderator decided this game.",
    }
    for result in ("first", "nobody", "draw", "second"):
        await club.correct(result)
        await club.on()
        (final,) = [text(m) for m in game.history() if "tic-tac-toe" in text(m).lower()]
        assert told[result] in final


async def _noted(club: Club, asker: MemberActor) -> str:
    """Return the page of a tournament's details that has the interventions."""
    pages = [
        text(answer_to(await asker.slash(club.channel, "tournament show", page=page)))
        for page in (1, 2, 3)
    ]
    (noted,) = [page for page in pages if "didn't show up, and was withdrawn" in page]
    return noted


async def test_a_player_who_never_moved_comes_back(club: Club, calendar: Calendar) -> None:
    """A correction of that game brings them back: the organiser may know why they didn't come."""
    (game,) = await club.begin(format="round_robin", clock=HOUR)
    missing, _ = await club.seated(game)
    await pass_time(club.world, calendar, HOUR)
    await club.on()
    assert f"**{missing.name}** (withdrawn)" in text(club.message())
    assert _BACK in await _noted(club, club.organiser)
    assert _BACK not in await _noted(club, missing)
    told = await club.correct("draw")
    assert "½–½" in told and "withdrawn" not in told
    assert _BACK not in await _noted(club, club.organiser)
    await club.on()
    assert "withdrawn" not in text(club.message())
    await club.play_all()
    await club.on()
    (last,) = club.games()
    assert missing in await club.seated(last)


async def test_a_player_who_was_taken_out_by_mistake(club: Club) -> None:
    """The organiser's details say how to bring them back, and so they play on."""
    (game,) = await club.begin(format="round_robin")
    player, _ = await club.seated(game)
    organiser = club.organiser
    asked = answer_to(await organiser.slash(club.channel, "tournament drop", member=player))
    assert "be undone" not in text(asked)
    await organiser.click(asked, label="Yes, take out")
    await club.on()
    assert f"**{player.name}** (withdrawn)" in text(club.message())
    pages = [await organiser.slash(club.channel, "tournament show", page=n) for n in (1, 2, 3)]
    assert any(_BACK in text(answer_to(page)) for page in pages)
    assert "withdrawn" not in await club.correct("draw")
    await club.on()
    await club.play_all()
    await club.on()
    assert "withdrawn" not in text(club.message())


async def test_a_correction_too_late_to_bring_a_player_back(club: Club, calendar: Calendar) -> None:
    """The next Swiss round has begun without them, and the answer says that they stay withdrawn."""
    (game,) = await club.begin(format="swiss", clock=HOUR)
    missing, _ = await club.seated(game)
    await pass_time(club.world, calendar, HOUR)
    await club.on()
    assert _BACK not in await _noted(club, club.organiser)
    told = await club.correct("draw")
    assert "½–½" in told and f"**{missing.name}** (withdrawn)" in told
    await club.on()
    assert f"**{missing.name}** (withdrawn)" in text(club.message())


async def test_the_games_that_are_offered(world: World) -> None:
    """Those going on come first, then the newest rounds, each in the order in which it is shown.

    The typed text filters them, and any other text is refused.
    """
    club = Club(world, 4)

    async def offered(typed: str = "") -> list[str]:
        choices = await club.organiser.autocomplete(
            club.channel, "tournament result", "game", typed
        )
        return [choice["value"] for choice in choices]

    assert await offered() == []
    first, _ = await club.begin(format="round_robin")
    await club.play(first)
    await club.on()
    assert await offered() == ["1.2.1", "1.1.1"]
    await club.play_all()
    await club.on()
    assert await offered() == ["2.1.1", "2.2.1", "1.1.1", "1.2.1"]
    assert await offered("ROUND 1") == ["1.1.1", "1.2.1"]
    for game in ("player0", "9.9.9"):
        assert "There is no such game" in await club.correct("draw", game)


async def test_a_correction_after_the_end_is_announced(club: Club, restart: Restart) -> None:
    """The end is announced once more if the first three have changed, and only then.

    Discord makes only one message of all with the same nonce.
    """
    await club.begin(format="round_robin")
    for _ in range(3):
        await club.play_all()
        await club.on()
    (first,) = [text(m) for m in club.channel.history() if "🥇" in text(m)]
    assert "The tournament is over" in first
    for result in ("first", "second", "second"):
        assert "The result is entered" in await club.correct(result)
        await club.on()
        await restart()
    _, again = [text(m) for m in club.channel.history() if "🥇" in text(m)]
    assert "Final standings after a correction" in again
    ranked = await club.world.sql("SELECT name FROM tournament_entrants ORDER BY rank")
    assert [name for (name,) in ranked] == re.findall(r"[🥇🥈🥉] \*\*(\w+)\*\*", again)


async def test_a_result_for_a_game_called_off_before(
    club: Club, mod: MemberActor, calendar: Calendar
) -> None:
    """The game gets the result, and its end stays when it was called off."""
    (game,) = await club.begin(format="round_robin")
    await mod.slash(game, "endgame")
    await club.on()
    ended = await club.world.sql("SELECT ended_at FROM matches ORDER BY id LIMIT 1")
    calendar.ahead += 3 * DAY
    assert "**1–0**" in await club.correct("first")
    await club.on()
    assert "decided this game" in text(game.history()[-1])
    assert await club.world.sql("SELECT ended_at FROM matches ORDER BY id LIMIT 1") == ended
