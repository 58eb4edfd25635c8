"""A channel whose match against the computer nobody plays: another member takes it over."""

import discord
import pytest
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.world import World, ids, labels, refused, text

MINUTE = 60
TAKE = "Take over the channel"


async def idle(world: World, calendar: Calendar, minutes: int = 30) -> discord.Message:
    """Let alice play the computer, and leave it for a while; return her board."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    calendar.ahead += minutes * MINUTE
    return world.last


async def offered(world: World, who: MemberActor) -> discord.Message:
    """Return the refusal of a member's `/play`, with its button."""
    refusal = await who.slash(world.channel, "play nineholes")
    assert "already being played in this channel" in refused(refusal)
    assert refusal.response is not None
    assert labels(refusal.response) == [TAKE]
    return world.now(refusal.response)


def take(message: discord.Message) -> str:
    """Return the custom id of the button."""
    return next(i for i in ids(message) if i.startswith("t:"))


async def test_after_half_an_hour_without_a_move(world: World, calendar: Calendar) -> None:
    """The refusal of `/play` then has a button, which puts the game away and frees the channel."""
    board = await idle(world, calendar, minutes=29)
    early = await world.bob.slash(world.channel, "play nineholes")
    assert early.response is not None and not labels(early.response)
    calendar.ahead += MINUTE
    offer = await offered(world, world.bob)
    await world.bob.click(offer, label=TAKE)
    assert "channel is free" in text(world.now(offer))
    assert labels(world.now(offer)) == ["Play the computer", "Challenge", "Open a table"]
    assert "put away" in text(world.now(board)) and not labels(world.now(board))
    await world.bob.slash(world.channel, "play nineholes")
    assert "Nine Holes" in text(world.last)


async def test_the_next_match_is_a_press_away(world: World, calendar: Calendar) -> None:
    """Who has taken over a channel presses on from there to a match, without typing `/play`."""
    await idle(world, calendar)
    offer = await offered(world, world.bob)
    await world.bob.click(offer, label=TAKE)
    await world.bob.click(world.now(offer), label="Play the computer")
    assert "What would you like to play against the computer?" in text(world.now(offer))


async def test_only_idle_matches_against_the_computer(world: World, calendar: Calendar) -> None:
    """Nobody takes over their own match or one between members, however long they wait."""
    await idle(world, calendar)
    own = await world.alice.slash(world.channel, "play nineholes")
    assert own.response is not None and labels(own.response) == ["Restart", "Resign"]
    world.channel = world.guild.create_text_channel("elsewhere")
    await world.challenge()
    calendar.ahead += 60 * MINUTE
    others = await world.carol.slash(world.channel, "play nineholes")
    assert others.response is not None and not labels(others.response)
    forged = await world.made_up("t:2")
    assert "being played after all" in refused(await world.carol.click(forged, custom_id="t:2"))


async def test_it_comes_back_in_any_free_channel(world: World, calendar: Calendar) -> None:
    """Its player's `/board` continues it elsewhere; buttons left on the old board say so."""
    old = await idle(world, calendar)
    offer = await offered(world, world.bob)
    world.keep_old_boards()
    await world.bob.click(offer, custom_id=take(offer))
    await world.bob.slash(world.channel, "play nineholes")
    here, world.channel = world.channel, world.guild.create_text_channel("elsewhere")
    await world.alice.slash(world.channel, "board")
    assert "Tic-tac-toe" in text(world.last) and "Last move: 🔵" in text(world.last)
    square = next(i.split(":")[-1] for i in ids(world.last) if i.startswith("m:"))
    await world.press(world.alice, square)
    assert len((await world.stored()).match.moves) == 4
    lost = await world.alice.click(old, custom_id=next(i for i in ids(old) if i.startswith("m:")))
    assert "another channel" in refused(lost)
    assert "Nine Holes" in text(here.last_message)


async def test_its_player_moves_at_the_same_moment(world: World, calendar: Calendar) -> None:
    """Whoever comes second is refused, and the match is never both archived and played on."""
    board = await idle(world, calendar)
    offer = await offered(world, world.bob)
    square = next(i for i in ids(board) if i.startswith("m:"))
    moved, taken = await world.at_once(
        (world.alice, board, square), (world.bob, offer, take(offer))
    )
    ((moves, away),) = await world.sql("SELECT moves, put_away_at IS NOT NULL FROM matches")
    if away:
        assert "put away" in refused(moved)
        assert len(moves.split()) == 2
    else:
        assert "being played after all" in refused(taken)
        assert len(moves.split()) == 4


async def test_two_take_it_over_at_once(world: World, calendar: Calendar) -> None:
    """One puts the game away; the other reads that the channel is free, or who plays there now."""
    await idle(world, calendar)
    offers = [await offered(world, who) for who in (world.bob, world.carol, world.bob)]
    presses = [(world.bob, offers[0], take(offers[0])), (world.carol, offers[1], take(offers[1]))]
    await world.at_once(*presses)
    texts = [text(world.now(offer)) for offer in offers[:2]]
    assert sum("✅" in words for words in texts) == 1
    await world.carol.slash(world.channel, "play nineholes")
    late = await world.bob.click(offers[2], custom_id=take(offers[2]))
    assert "already being played in this channel" in refused(late) and "carol" in refused(late)


async def test_it_is_played_on_before_the_press(world: World, calendar: Calendar) -> None:
    """The press looks again: a match that has gone on since stays where it is."""
    board = await idle(world, calendar)
    offer = await offered(world, world.bob)
    square = next(i for i in ids(board) if i.startswith("m:"))
    await world.alice.click(board, custom_id=square)
    assert "being played after all" in refused(await world.bob.click(offer, custom_id=take(offer)))


@pytest.mark.parametrize("asked", ["press", "board"])
async def test_only_where_games_may_be_played(
    world: World, calendar: Calendar, mod: MemberActor, asked: str
) -> None:
    """Neither the press nor the coming back passes over the channels that moderators chose."""
    await idle(world, calendar)
    offer, here = await offered(world, world.bob), world.channel
    elsewhere = world.guild.create_text_channel("elsewhere")
    if asked == "board":
        await world.bob.click(offer, custom_id=take(offer))
    allowed = elsewhere if asked == "press" else here
    await mod.slash(here, "settings set", channels=f"<#{allowed.id}>")
    if asked == "press":
        result = await world.bob.click(offer, custom_id=take(offer))
    else:
        result = await world.alice.slash(elsewhere, "board")
    assert "No games are played" in refused(result)
