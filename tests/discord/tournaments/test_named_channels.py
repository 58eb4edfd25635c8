"""Tournaments whose games are played in channels that their organiser named."""

import pytest
from simcord.actors import MemberActor
from simcord.enums import ChannelType

from tests.bot.costs import counted
from tests.conftest import Calendar
from tests.discord.archiving import archive
from tests.discord.matches.passing import MINUTE, pass_time
from tests.discord.tournaments.playing import RETRIED, Club
from tests.discord.world import World, answer_to, labels, refused, text


async def test_named_channels_have_a_match_at_a_time(club: Club) -> None:
    """One match at a time in each, and the next one begins at its end; no thread is opened."""
    hall = club.world.guild.create_text_channel("hall")
    await club.create(format="double_round_robin", channels=f"<#{hall.id}> <#{hall.id}>")
    assert text(club.message()).count(f"<#{hall.id}>") == 1
    await club.join_all()
    await club.on()
    for _ in range(6):
        await club.play(hall)
        await club.world.env.settle()
    assert "is over" in text(club.channel.last_message)
    assert not club.channel.threads
    counted = await club.world.sql("SELECT count(*), count(DISTINCT channel_id) FROM matches")
    assert counted == [(6, 1)]


async def test_a_named_channel_that_players_can_not_see(world: World) -> None:
    """Their games are played where the tournament's message is, and those of others there."""
    club = Club(world, 4)
    hall = club.another("hall")
    await club.create(format="round_robin", channels=hall.mention, start="button")
    await club.join_all()
    hidden, *_ = club.players.values()
    world.deny(hall, hidden, view_channel=True)
    await club.organiser.slash(club.channel, "tournament start")
    await club.on()
    assert hidden in await club.seated(club.channel)
    assert hidden not in await club.seated(hall)
    while club.boards(club.channel) or club.boards(hall):
        for place in (club.channel, hall):
            if club.boards(place):
                await club.play(place)
        await club.on()
    assert "is over" in text(club.channel.last_message)


async def test_a_channel_that_is_taken_is_looked_at_once(world: World) -> None:
    """It is, however many games wait for it: there may be 127, and every sweep goes over them."""
    club = Club(world, 8)
    hall = club.another("hall")
    await world.challenge(hall)
    await club.begin(format="round_robin", channels=hall.mention)
    async with counted(world.database) as cost:
        await club.on()
    assert f": {hall.mention}\n" not in text(club.message()), "no game has a channel yet"
    looks = [one for one in cost.statements if "matches.channel_id = ?" in one]
    assert len(looks) == 2, "whether it is free, and whether the match there rests"


async def test_a_game_waits_for_a_channel(club: Club) -> None:
    """Until the match there is over, the message and its pages say so: nobody is called meanwhile.

    After the tournament was cancelled, they don't.
    """
    hall = club.another("hall")
    await club.world.challenge(hall)
    await club.begin(format="round_robin", channels=hall.mention)
    waits = "The next game begins as soon as a channel is free."
    assert waits in text(club.message())
    games = await club.organiser.slash(club.channel, "tournament show", page=2)
    assert waits in text(games)
    await club.world.resign(club.world.alice, hall)
    await club.on()
    assert waits not in text(club.message()) and club.boards(hall)


async def test_a_game_that_waits_while_a_channel_is_closed_to_the_bot(club: Club) -> None:
    """The message doesn't name that one: no game begins there as soon as it is free."""
    closed, taken = club.another("closed"), club.another("taken")
    await club.create(format="round_robin", channels=f"{closed.mention} {taken.mention}")
    club.deny(closed, send_messages=True)
    await club.world.challenge(taken)
    await club.join_all()
    await club.on()
    told = text(club.message())
    assert "as soon as a channel is free" in told and closed.mention not in told


async def test_more_channels_than_a_tournament_may_have(club: Club) -> None:
    """The refusal doesn't offer `everywhere`, which only `/settings set` takes."""
    told = refused(await club.create(channels=" ".join(["#hall"] * 26)))
    assert "25 at most" in told and "everywhere" not in told


async def test_a_game_that_waits_as_its_tournament_is_cancelled(club: Club) -> None:
    """It will never begin, and nothing says any more that it waits for a channel."""
    hall = club.another("hall")
    await club.world.challenge(hall)
    await club.begin(format="round_robin", channels=hall.mention)
    await club.cancel()
    games = text(await club.organiser.slash(club.channel, "tournament show", page=2))
    assert "Round 1 of 3" in games
    assert "as soon as" not in games and "as soon as" not in text(club.message())


async def test_games_of_a_tournament_are_no_series(club: Club) -> None:
    """They show no score, and a later match of the same players doesn't continue them."""
    hall = club.world.guild.create_text_channel("hall")
    await club.begin(format="round_robin", channels=hall.mention)
    for _ in range(3):
        first, second = await club.seated(hall)
        await club.play(hall)
        await club.world.env.settle()
    finals = [m for m in hall.history() if "Replay" in labels(m)]
    assert len(finals) == 3 and not any("Series" in text(m) for m in finals)
    asked = await first.slash(hall, "play tictactoe", against=second, first="me")
    await second.click(answer_to(asked), label="Accept")
    await club.play(hall)
    assert "Series" not in text(hall.last_message)
    for who in (first, second):
        await who.slash(hall, "rematch")
    assert f"Series: **{second.name}** 0 – **{first.name}** 1" in text(hall.last_message)


async def test_a_named_channel_in_which_the_bot_may_not_post(club: Club) -> None:
    """The tournament isn't created, and the organiser is told what is missing where."""
    silent = club.world.channel_without("send_messages")
    told = refused(await club.create(channels=silent.mention))
    assert silent.mention in told and "*Send Messages*" in told


async def test_a_private_thread_that_the_bot_does_not_know(club: Club) -> None:
    """The tournament isn't created there: its message could neither be changed nor posted anew."""
    world = club.world
    narrow = world.channel_without("manage_threads")
    world.env.backend.create_thread(
        narrow.id, "ours", club.organiser.id, type=ChannelType.PRIVATE_THREAD, broadcast=False
    )
    (thread,) = narrow.threads
    hall = club.another("hall")
    create = "tournament create tictactoe"
    told = refused(await club.organiser.slash(thread, create, channels=hall.mention))
    assert thread.mention in told and "*View Channel*" in told


async def test_a_thread_that_discord_has_archived(
    club: Club, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament that is held there starts at its time all the same, and its end is announced.

    Its message is kept current, for which the bot reopens the thread.
    """
    hall = club.another("hall")
    club.channel = club.world.thread(club.channel)
    await club.create(start="15m", channels=hall.mention)
    await club.join_all()
    await archive(club.world, monkeypatch, club.channel)
    calendar.ahead += 15 * MINUTE
    await club.on(RETRIED)
    assert len(club.boards(hall)) == 1
    assert "Round 1" in text(club.message())
    while club.boards(hall):
        await club.play(hall)
        await club.on(RETRIED)
    assert "is over" in text(club.channel.last_message)


@pytest.mark.parametrize("kind", [ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD])
async def test_a_tournament_in_an_archived_thread_for_those_who_ask_elsewhere(
    club: Club, monkeypatch: pytest.MonkeyPatch, kind: ChannelType
) -> None:
    """They find it, unless the thread is private; Discord is asked for the thread only once."""
    carol, elsewhere = club.world.carol, club.another("elsewhere")
    hall = club.another("hall")
    club.world.env.backend.create_thread(club.channel.id, "hut", club.organiser.id, type=kind)
    club.channel = club.channel.threads[-1]
    await club.create(start="button", channels=hall.mention)
    await archive(club.world, monkeypatch, club.channel)
    for _ in range(2):
        offered = await carol.autocomplete(elsewhere, "tournament show", "tournament", "")
        assert len(offered) == (kind is ChannelType.PUBLIC_THREAD)
    told = await carol.slash(elsewhere, "tournament show")
    if kind is ChannelType.PUBLIC_THREAD:
        assert "olga" in text(told)
    else:
        assert "There is no tournament here" in refused(told)
    asked = (str(one) for one in club.world.env.backend.transcript)
    assert sum(f"/channels/{club.channel.id}'" in one for one in asked) == 1


async def test_a_start_in_a_thread_that_discord_has_archived(club: Club) -> None:
    """The organiser may start a tournament there, as it would start by itself."""
    hall = club.another("hall")
    club.channel = club.world.thread(club.channel)
    await club.create(start="button", channels=hall.mention)
    await club.join_all()
    club.world.env.backend.edit_channel(club.channel.id, {}, thread_metadata={"archived": True})
    await club.world.env.settle()
    told = refused(await club.organiser.slash(hall, "tournament start", tournament="1"))
    assert "View Channel" not in told
    await club.on()
    assert len(club.boards(hall)) == 1


async def test_a_game_that_cannot_be_called_yet(world: World) -> None:
    """It still takes its channel: no other game is called there, and the call is tried again.

    That holds even if another game could be called since.
    """
    club = Club(world, 4)
    hall, other = club.another("hall"), club.another("other")
    await club.create(format="round_robin", channels=f"{hall.mention} {other.mention}")
    world.env.inject_error("POST", f"/channels/{hall.id}/messages", status=503)
    await club.join_all()
    await club.on()
    assert club.boards(other) and not club.boards(hall)
    await club.on(40)
    assert len([m for m in hall.history() if "it's time for your game" in text(m)]) == 1
    assert len(club.boards(hall)) == 1


async def test_a_named_channel_in_which_somebody_else_begins(club: Club) -> None:
    """The game that was called there, or was to be called, is played in another one."""
    taken, free = club.another("taken"), club.another("free")
    await club.create(format="round_robin", channels=f"{taken.mention} {free.mention}")
    club.world.env.inject_error("POST", f"/channels/{taken.id}/messages", status=503)
    await club.join_all()
    await club.on()
    await club.world.alice.slash(taken, "play tictactoe", level="easy")
    await club.on(80)
    assert len(club.boards(free)) == 1


async def test_a_named_channel_in_which_a_player_of_its_game_plays_alone(club: Club) -> None:
    """Their own match, begun there since the channel was assigned, is put away for the game."""
    hall = club.another("hall")
    await club.create(format="knockout", channels=hall.mention)
    club.world.env.inject_error("POST", f"/channels/{hall.id}/messages", status=503)
    await club.join_all()
    await club.on()
    ((one,),) = await club.world.sql(
        "SELECT user_id FROM tournament_entrants JOIN tournament_games USING (tournament_id)"
        f" WHERE number = first AND channel_id = {hall.id}"
    )
    await club.players[one].slash(hall, "play tictactoe", level="easy")
    await club.on(RETRIED)
    assert len(await club.seated(hall)) == 2


@pytest.mark.parametrize("chosen", ["stay", "go"])
async def test_final_boards_in_a_named_channel(club: Club, mod: MemberActor, chosen: str) -> None:
    """They are removed when the next game begins there, if the server wants that."""
    hall = club.another("hall")
    await mod.slash(club.channel, "settings set", final_boards=chosen)
    await club.begin(format="round_robin", channels=f"<#{hall.id}>")
    await club.play(hall)
    await club.on(12)
    assert len(club.boards(hall)) == 1
    finals = [message for message in hall.history() if "Replay" in labels(message)]
    assert len(finals) == (chosen == "stay")


async def test_a_named_channel_in_which_a_game_rests(club: Club, calendar: Calendar) -> None:
    """An idle game against the computer is put away for the tournament's game."""
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


@pytest.mark.parametrize("lost", ["deleted", "denied"])
@pytest.mark.parametrize("left", [1, 0], ids=["another is left", "none is left"])
async def test_a_lost_channel_of_the_tournament(left: int, lost: str, club: Club) -> None:
    """Its games are played in another named channel, or where the tournament's message is."""
    named = [club.another("first"), club.another("second")][: 1 + left]
    await club.create(format="round_robin", channels=" ".join(one.mention for one in named))
    if lost == "deleted":
        club.delete(named[0])
    else:
        club.deny(named[0], send_messages=True)
    await club.join_all()
    await club.on()
    assert club.boards(named[1] if left else club.channel)


async def test_a_game_that_can_not_be_read_on_its_way_elsewhere(world: World) -> None:
    """The message is brought up to date all the same, as after any failure."""
    club = Club(world, 6)
    named = [club.another(name) for name in ("first", "second", "third")]
    await club.begin(format="round_robin", channels=" ".join(one.mention for one in named))
    (lost,) = await world.sql(f"SELECT id FROM matches WHERE channel_id = {named[0].id}")
    await world.sql(f"UPDATE tournament_games SET channel_id = NULL WHERE match_id = {lost[0]}")
    await world.sql(f"UPDATE matches SET moves = '?' WHERE id = {lost[0]}")
    await club.play(named[1])
    await club.on(12)
    standings = await world.sql("SELECT shown = revision FROM tournaments")
    assert standings == [(1,)]


async def test_named_channels_beside_one_in_which_the_bot_may_not_post(club: Club) -> None:
    """Games go on in them while the message of the tournament can't be brought up to date."""
    hall = club.another("hall")
    await club.begin(format="round_robin", channels=hall.mention)
    club.deny(club.channel, send_messages=True)
    await club.play(hall)
    await club.on(12)
    assert len(club.boards(hall)) == 1


async def test_a_named_channel_of_two_tournaments(club: Club) -> None:
    """When the channel is deleted, the game that is being played there moves elsewhere."""
    arena = club.another("arena")
    given = {"format": "round_robin", "channels": arena.mention}
    await club.create(**given)
    earlier, club.channel = club.channel, club.another("another")
    await club.begin(**given)
    await club.cancel()
    await club.play(arena)
    club.channel = earlier
    for player in club.players.values():
        await player.slash(earlier, "tournament join")
    await club.on()
    assert club.boards(arena)
    club.delete(arena)
    await club.on()
    assert club.boards(earlier)


async def test_a_tournament_with_named_channels_loses_its_own(club: Club) -> None:
    """The game in a named channel goes on as an ordinary match, and its board says so at once."""
    arena = club.another("arena")
    await club.begin(format="round_robin", channels=arena.mention)
    assert "A tournament game" in text(club.boards(arena)[-1])
    club.delete(club.channel)
    await club.on()
    (board,) = club.boards(arena)
    assert "A tournament game" not in text(board)
    await club.play(arena)
    assert "Rematch" in labels(arena.history()[-1])
