"""A bot that is killed at any point of a tournament goes on later, and does nothing twice.

It is killed before a request to Discord, or after Discord has carried it out.
`tests/bot/tournaments` tests kills between commits.
"""

import pytest

from tests.discord.calls import ANY_CHANGE, FOLLOWUP, IN_CHANNEL, THREAD
from tests.discord.killing import Killer
from tests.discord.matches.passing import ROUND
from tests.discord.tournaments.playing import RETRIED, Club
from tests.discord.world import World, components, labels, notified, text

POINTS = {
    "before the thread": (THREAD, "", False),
    "thread not stored": (THREAD, "", True),
    "players not called": (IN_CHANNEL, "time for your game", False),
    "call not noted": (IN_CHANNEL, "time for your game", True),
    "board not shown": (IN_CHANNEL, "m:", False),
    "message not edited": (ANY_CHANGE, "Round 1 of 3", False),
    "edit not noted": (ANY_CHANGE, "Round 1 of 3", True),
}


async def test_killed_at_the_start(world: World, club: Club, killer: Killer) -> None:
    """Each game has one thread, call and board, however often the bot is killed."""
    for name, (call, words, late) in POINTS.items():
        club.channel = club.another(name.replace(" ", "-"))
        await club.begin(format="round_robin", start="button")
        async with killer.killing(call, words, late=late, rest=RETRIED):
            await club.organiser.slash(club.channel, "tournament start")
            await club.on()
        (thread,) = club.channel.threads
        assert len(club.boards(thread)) == 1, name
        (board,) = club.boards(thread)
        if "call" in name:  # the board notifies members who were called before the kill
            assert bool(notified(board, world.env)) == (name == "call not noted"), name
        calls = [m for m in thread.history() if "time for your game" in text(m)]
        assert len(calls) == 1, name
        assert "Round 1 of 3" in text(club.message())
    begun = await world.sql("SELECT count(*), count(DISTINCT channel_id) FROM matches")
    assert begun == [(len(POINTS), len(POINTS))]


@pytest.mark.parametrize("late", [False, True])
async def test_killed_while_a_game_moves_out_of_a_deleted_thread(
    club: Club, killer: Killer, *, late: bool
) -> None:
    """The game goes on in the new thread, whether or not its players had been called there."""
    (game,) = await club.begin(format="round_robin")
    async with killer.killing(IN_CHANNEL, "goes on here", late=late, rest=RETRIED):
        club.delete(game)
        await club.on()
    (moved,) = club.games()
    assert [text(m) for m in moved.history()].count(text(moved.history()[0])) == 1
    await club.play(moved)


async def test_a_thread_in_which_somebody_wrote_before_the_call(
    world: World, club: Club, killer: Killer
) -> None:
    """If a kill left a thread without a call, its players are still called."""
    async with killer.killing(THREAD, late=True, rest=ROUND):
        await club.begin(format="round_robin")
        (thread,) = club.channel.threads
        await club.organiser.send(thread, "When does it begin?")
    (call,) = (m for m in thread.history() if "time for your game" in text(m))
    seated = await club.seated(thread)
    assert {*notified(call, world.env)} == {player.id for player in seated}


async def test_other_threads_of_the_same_name(world: World, club: Club, killer: Killer) -> None:
    """A game is played in the thread that was opened for it before the kill.

    It isn't played in a member's thread, nor in a thread of another channel, where a tournament may
    have the same players.
    """
    async with killer.killing(THREAD, late=True, rest=ROUND):
        await club.begin(format="round_robin")
        (thread,) = club.channel.threads
        for channel, owner in ((club.channel, world.alice), (world.channel, world.me)):
            world.env.backend.create_thread(channel.id, str(thread.name), owner.id)
    assert [game.id for game in club.games()] == [thread.id]


async def test_killed_at_the_end(club: Club, killer: Killer) -> None:
    """The end is announced once, and the result entered before a kill counts once."""
    await club.begin(format="knockout")
    await club.play_all()
    await club.on()
    async with killer.killing(IN_CHANNEL, "is over", late=True, rest=2 * ROUND):
        await club.play_all()
        await club.on()
    assert len([m for m in club.channel.history() if "is over" in text(m)]) == 1
    assert "wins!" in text(club.message())


@pytest.mark.parametrize("late", [False, True], ids=["not sent", "not noted"])
async def test_a_bot_killed_at_the_end_of_a_game_without_a_move(
    late: bool, world: World, club: Club, killer: Killer
) -> None:
    """Its end is shown once, although it has no move to look at."""
    (thread,) = await club.begin(format="round_robin")
    async with killer.killing(FOLLOWUP, "wins", late=late, rest=RETRIED):
        await world.resign((await club.seated(thread))[0], thread)
    (final,) = (message for message in thread.history() if "wins" in text(message))
    assert labels(final) == ["Analyse"] and not club.boards(thread)
    assert all(shown["disabled"] for shown in components(final) if "label" in shown)
