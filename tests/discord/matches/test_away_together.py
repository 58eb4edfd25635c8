"""Matches between members that were put away: without a clock, after a month without a move."""

import pytest
from simcord.enums import ChannelType

from bot.identity import MatchId
from tests.conftest import Calendar
from tests.discord.matches.passing import DAY, HOUR, pass_time
from tests.discord.matches.three import three
from tests.discord.offers.agreeing import ask
from tests.discord.world import (
    World,
    answer_to,
    components,
    labels,
    newest,
    notified,
    refused,
    text,
)

MONTH = 30 * DAY + HOUR


async def put_away(world: World, calendar: Calendar) -> None:
    """Let a month pass, after which a match without a clock is put away."""
    await pass_time(world, calendar, MONTH)


# --- offers


@pytest.mark.parametrize("here", [True, False], ids=["here", "elsewhere"])
async def test_an_offer_ends_when_the_match_is_put_away(
    here: bool, world: World, calendar: Calendar
) -> None:
    """Its question loses its buttons, and the offer can be made again once the match is back."""
    await world.challenge(clock=0)
    await world.play("b2 a1")
    question = await ask(world, world.alice, "Draw", by_button=True)
    await put_away(world, calendar)
    assert "no longer stands" in text(world.now(question)) and not labels(world.now(question))
    place = world.channel if here else world.guild.create_text_channel("other")
    await world.alice.slash(place, "board")
    await world.alice.click(newest(place), label="Draw")
    assert notified(newest(place), world.env) == [world.bob.id]
    await world.bob.click(newest(place), label="Agree")
    assert "A draw by agreement" in text(newest(place))


async def test_a_question_in_the_channel_that_the_match_has_left(
    world: World, calendar: Calendar
) -> None:
    """If it couldn't be changed when the match was put away, it loses its buttons at a press."""
    await world.challenge(clock=0)
    question = await ask(world, world.alice, "Draw", by_button=True)
    for path in ("/webhooks/*/*/messages/", "/channels/*/messages/"):
        world.env.inject_error("PATCH", f"{path}{question.id}", status=403, code=50013)
    await put_away(world, calendar)
    await world.alice.slash(world.guild.create_text_channel("other"), "board")
    assert labels(world.now(question)) == ["Agree", "Decline"]
    left = await world.bob.click(world.now(question), label="Agree")
    assert "may have moved to another channel" in refused(left)
    assert "no longer stands" in text(world.now(question)) and not labels(world.now(question))


# --- series


async def test_a_new_match_while_the_last_of_a_series_is_put_away(
    world: World, calendar: Calendar
) -> None:
    """It begins a series of its own, so no result of either is lost."""
    await world.played(clock=0)
    await world.rematch()
    await put_away(world, calendar)
    begun = await world.challenge(clock=0)
    assert "Series:" not in text(begun)
    await world.resign(world.alice)
    calendar.ahead += HOUR
    await world.alice.slash(world.channel, "board", match=2)
    await world.resign(world.alice)
    assert "Series: **bob** 1 – **alice** 1" in text(world.last) and "Rematch" in labels(world.last)
    await world.rematch()
    assert "Series: **alice** 1 – **bob** 1" in text(world.last)


async def test_a_new_match_where_the_series_has_gone_on_elsewhere(
    world: World, calendar: Calendar
) -> None:
    """It doesn't continue the series from a match that was played again."""
    await world.played(clock=0)
    await world.rematch()
    await put_away(world, calendar)
    other = world.guild.create_text_channel("other")
    await world.alice.slash(other, "board")
    assert "Series: **bob** 0 – **alice** 1" in text(newest(other))
    assert "Series:" not in text(await world.challenge(clock=0))


@pytest.mark.parametrize("busy", [True, False])
async def test_a_rematch_of_a_match_whose_rematch_is_put_away(
    busy: bool, world: World, calendar: Calendar
) -> None:
    """The refusal says so, and how to go on with that one."""
    final = await world.played(clock=0)
    (again,) = (c["custom_id"] for c in components(final) if c.get("label") == "Rematch")
    await world.rematch()
    await put_away(world, calendar)
    if busy:
        await world.carol.slash(world.channel, "play tictactoe")
    pressed = refused(await world.late(world.alice, final, again))
    assert "The rematch of this match is put away.\nAny of its players" in pressed
    assert "`/rematch`" not in pressed
    by_command = refused(await world.alice.slash(world.channel, "rematch"))
    assert "put away" in by_command and "`/mymatches`" in by_command


# --- who sees the channel


async def test_a_match_comes_back_only_where_all_players_see_it(
    world: World, calendar: Calendar
) -> None:
    """Nobody can take it to a channel that another player doesn't see, however they ask."""
    await world.challenge(clock=0)
    await put_away(world, calendar)
    hidden = world.channel_for(world.alice, world.me)
    listed = answer_to(await world.alice.slash(hidden, "mymatches"))
    for result in (
        await world.alice.slash(hidden, "board"),
        await world.alice.slash(hidden, "board", match=1),
        await world.alice.select(listed, ["1"]),
    ):
        assert "bob can't see this channel" in refused(result)
    await world.alice.slash(world.channel_for(world.alice, world.bob, world.me), "board")
    assert not (await world.services.matches.get(MatchId(1))).archived


async def test_a_player_who_has_left_the_server_keeps_no_match_from_coming_back(
    world: World, calendar: Calendar
) -> None:
    """They lose it, as they would in any channel."""
    await world.challenge(clock=0)
    await put_away(world, calendar)
    world.guild.remove_member(world.bob)
    hidden = world.channel_for(world.alice, world.me)
    await world.alice.slash(hidden, "board")
    assert "**bob** has left the server" in text(newest(hidden))


@pytest.mark.parametrize("inside", [True, False])
async def test_a_match_comes_back_in_a_private_thread(
    inside: bool, world: World, calendar: Calendar
) -> None:
    """It does if the other player is in the thread, too."""
    await world.challenge(clock=0)
    await put_away(world, calendar)
    thread = world.thread(world.channel, ChannelType.PRIVATE_THREAD)
    for member_id in [world.me.id, *([world.bob.id] if inside else [])]:
        world.env.backend.add_thread_member(thread.id, member_id)
    result = await world.alice.slash(thread, "board")
    assert inside or "bob can't see this channel" in refused(result)
    assert (await world.services.matches.get(MatchId(1))).archived is not inside


@pytest.mark.parametrize("how", ["board", "number", "list"])
async def test_a_match_in_a_channel_that_a_player_no_longer_sees(how: str, world: World) -> None:
    """Without a clock it could wait there for good; they can continue it where both see it."""
    old = await world.challenge(clock=0)
    world.deny(world.channel, world.bob, view_channel=True)
    other = world.guild.create_text_channel("other")
    if how == "list":
        listed = answer_to(await world.bob.slash(other, "mymatches"))
        assert "In channels that you can't see" in text(listed) and "#1" in text(listed)
        assert "turn" not in text(listed)
        await world.bob.select(listed, ["1"])
    else:
        await world.bob.slash(other, "board", **({"match": 1} if how == "number" else {}))
    assert "**bob**" in text(newest(other)) and notified(newest(other), world.env) == [
        world.alice.id
    ]
    assert old.id not in [m.id for m in world.channel.history()]
    await world.press(world.alice, "b2", newest(other))
    await world.resign(world.bob, other)
    assert "**alice** wins" in text(newest(other))


async def test_a_match_in_a_locked_thread(world: World) -> None:
    """There nobody can press a button, so either player can continue it elsewhere."""
    thread = world.thread(world.channel)
    await world.challenge(thread, clock=0)
    world.env.backend.edit_channel(thread.id, {}, thread_metadata={"locked": True})
    await world.env.settle()
    await world.bob.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    assert "**bob**" in text(world.last) and "Last move: ❌ b2" in text(world.last)


async def test_a_match_that_its_players_see_stays_where_it_is(world: World) -> None:
    """Neither can take it away; nor can others bring one, nor is one with a clock brought."""
    await world.challenge(clock=0)
    other = world.guild.create_text_channel("other")
    assert "no match 1 here" in refused(await world.bob.slash(other, "board", match=1))
    world.deny(world.channel, world.bob, view_channel=True)
    assert "no match 1 here" in refused(await world.alice.slash(other, "board", match=1))
    assert "no match 1 here" in refused(await world.carol.slash(other, "board", match=1))
    hidden = world.channel_for(world.bob, world.me)
    assert "alice can't see this channel" in refused(await world.bob.slash(hidden, "board"))
    await world.challenge(other)
    world.deny(other, world.bob, view_channel=True)
    third = world.guild.create_text_channel("third")
    assert "no match 2 here" in refused(await world.bob.slash(third, "board", match=2))


async def test_three_of_whom_one_no_longer_sees_the_channel(world: World) -> None:
    """That one can bring the match to a channel that all of them see."""
    await three(world, clock=0)
    world.deny(world.channel, world.carol, view_channel=True)
    pair = world.channel_for(world.carol, world.bob, world.me)
    assert "alice can't see this channel" in refused(await world.carol.slash(pair, "board"))
    other = world.guild.create_text_channel("other")
    await world.carol.slash(other, "board")
    assert "Tribolo" in text(newest(other))


# --- the computer


@pytest.mark.parametrize("who", ["alice", "bob"])
async def test_a_game_against_the_computer_gives_way(
    who: str, world: World, calendar: Calendar
) -> None:
    """As it does for a new match: a match between members comes back in its place."""
    await world.challenge(clock=0)
    await put_away(world, calendar)
    alone = await world.command(world.alice, "play connectfour")
    await getattr(world, who).slash(world.channel, "board", match=1)
    assert "Tic-tac-toe" in text(world.last) and "**bob**" in text(world.last)
    assert "put away" in text(world.now(alone))
    await world.carol.slash(world.channel, "board")
    assert "Tic-tac-toe" in text(world.last)


async def test_a_game_of_others_does_not_give_way(world: World, calendar: Calendar) -> None:
    """Nor does a player's own to another game against the computer, which only they play."""
    await world.alice.slash(world.channel, "play connectfour")
    await pass_time(world, calendar, 8 * DAY)
    await world.alice.slash(world.channel, "play nineholes")
    busy = refused(await world.alice.slash(world.channel, "board", match=1))
    assert "another one is being played" in busy
    await world.resign(world.alice)
    await world.challenge(clock=0)
    await put_away(world, calendar)
    await world.carol.slash(world.channel, "play nineholes")
    busy = refused(await world.bob.slash(world.channel, "board"))
    assert "another one is being played" in busy and "**carol**" in busy
