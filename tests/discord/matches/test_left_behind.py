"""After a kill while boards were under way, each match is left with its current board only."""

from contextlib import suppress

import discord
import pytest
from simcord.actors import MemberActor

from core.players import Member
from tests.bot.processes import until
from tests.conftest import Calendar
from tests.discord.calls import (
    ANY_CHANGE,
    ANY_POST,
    ANY_REMOVAL,
    CALLBACK,
    FIRST_RESPONSE,
    IN_CHANNEL,
    REMOVAL,
    Call,
    on_its_way,
)
from tests.discord.conftest import Restart
from tests.discord.failing import FAULTS, FailingOnce
from tests.discord.killing import REST_SECONDS, KilledError, Killer
from tests.discord.matches.passing import DAY, HOUR, ROUND, pass_time
from tests.discord.world import ALICE_WINS, World, ids, labels, notified, refused, text


async def lose_on_time_at_a_kill(
    world: World,
    calendar: Calendar,
    restart: Restart,
    killer: Killer,
    call: Call = IN_CHANNEL,
    *,
    late: bool = False,
) -> None:
    """Let alice lose on time, and kill the bot while it shows that.

    It has been restarted before, so it has no tokens by which it could remove the board.
    """
    await world.played("a1 b1", clock=HOUR)
    await world.env.advance_time(ROUND)
    await restart()
    calendar.ahead += HOUR
    killer.kill_at(call, late=late)
    await world.env.advance_time(ROUND)


@pytest.mark.parametrize(
    ("call", "late"),
    [(IN_CHANNEL, False), (IN_CHANNEL, True), (REMOVAL, False)],
    ids=["final board not sent", "final board not noted", "old board not removed"],
)
async def test_the_end_of_a_match(
    call: Call, late: bool, world: World, calendar: Calendar, restart: Restart, killer: Killer
) -> None:
    """After the next start the end is shown once, and nothing can be pressed on an old board."""
    await lose_on_time_at_a_kill(world, calendar, restart, killer, call, late=late)
    await killer.start_another()
    await world.env.advance_time(REST_SECONDS)
    assert world.boards() == []
    finals = [m for m in world.channel.history() if "Analyse" in labels(m)]
    assert ["ran out of time" in text(final) for final in finals] == [True]
    assert await world.sql("SELECT board_id FROM matches") == [(finals[0].id,)]
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_a_first_board_that_was_not_noted(world: World, restart: Restart) -> None:
    """A first board that was sent just before a kill isn't sent again, and can be played on."""
    first = await world.challenge()
    await world.env.advance_time(ROUND)
    await world.sql("UPDATE matches SET board_id = NULL, moved_at = moved_at - 60")
    await restart()
    await world.env.advance_time(REST_SECONDS)
    assert [board.id for board in world.boards()] == [first.id]
    await world.press(world.alice, "b2", first)
    assert len(world.boards()) == 1


@pytest.mark.parametrize(
    ("moves", "what"),
    [
        ("", "move"),
        ("", "deadline"),
        ("a1 b1", "board"),
        ("a1 b1", "resign"),
        ("a1 b1", "deadline"),
    ],
)
async def test_a_board_that_was_not_noted(
    moves: str, what: str, world: World, calendar: Calendar, restart: Restart
) -> None:
    """A board that comes without a press is soon the only one, even if a kill lost another."""
    await world.challenge(clock=HOUR)
    noted = world.last.id if moves else "NULL"
    await world.env.advance_time(ROUND)
    await world.play(moves)
    await world.env.advance_time(ROUND)
    await world.sql(f"UPDATE matches SET board_id = {noted}, shown = 0")
    lost = world.last.id
    await restart()
    match what:
        case "move":
            await world.alice.slash(world.channel, "move", where="b2")
        case "board":
            await world.alice.slash(world.channel, "board")
        case "resign":
            await world.resign(world.alice)
        case _:
            calendar.ahead += HOUR
    await world.env.advance_time(ROUND)
    (board,) = world.channel.history()
    assert board.id != lost


@pytest.mark.parametrize("noted", [True, False])
async def test_old_boards_below_the_pressed_one(
    noted: bool, world: World, restart: Restart
) -> None:
    """A press on a board that a kill kept from being noted also removes the boards before it."""
    await world.challenge()
    await world.env.advance_time(ROUND)
    before = world.last.id if noted else "NULL"
    world.keep_old_boards()
    await world.play("a1 b1 a2")
    await world.env.advance_time(ROUND)
    world.env.backend.faults.clear()
    await world.sql("DELETE FROM old_boards")
    await world.sql(f"UPDATE matches SET board_id = {before}, shown = 0")
    await restart()
    await world.press(world.bob, "b2")
    await world.env.advance_time(ROUND)
    assert world.boards() == world.channel.history() == [world.last]


async def test_a_board_on_which_an_offer_is_accepted(world: World, restart: Restart) -> None:
    """It is removed as well, even if a kill kept it from being noted."""
    await world.challenge()
    await world.env.advance_time(ROUND)
    noted = world.last.id
    board = await world.play("a1 b1")
    await world.bob.slash(world.channel, "draw")
    await world.env.advance_time(ROUND)
    await world.sql(f"UPDATE matches SET board_id = {noted}, shown = 0")
    await restart()
    await world.alice.click(board, label="Draw")
    await world.env.advance_time(ROUND)
    assert (await world.stored()).match.outcome
    assert world.boards() == []


@pytest.mark.parametrize("kills", [1, 2])
@pytest.mark.parametrize("call", [ANY_POST, ANY_REMOVAL], ids=["not sent", "old one not removed"])
async def test_a_kill_in_the_middle_of_a_turn(
    call: Call, kills: int, world: World, killer: Killer
) -> None:
    """After the next start the match has only its current board, and its player is notified.

    Neither board was noted, so the database names an older one, or none.
    """
    await world.challenge()
    await world.env.advance_time(ROUND)
    before = world.last
    for _, player, move in zip(range(kills), (world.alice, world.bob), ("a1", "b1"), strict=False):
        async with killer.killing(call):
            await player.slash(world.channel, "move", where=move)
    (board,) = world.boards()
    assert board.id != before.id
    assert notified(board, world.env) == [(world.alice if kills == 2 else world.bob).id]


async def test_a_start_hours_after_a_kill(world: World, calendar: Calendar, killer: Killer) -> None:
    """A player with a day for the move is told that it's their turn."""
    await world.challenge()
    await world.env.advance_time(ROUND)
    async with killer.killing(ANY_POST):
        with suppress(KilledError):
            await world.alice.slash(world.channel, "move", where="a1")
        calendar.ahead += 5 * HOUR
    (board,) = world.boards()
    assert notified(board, world.env) == [world.bob.id]


async def test_a_kill_right_after_a_board(world: World, calendar: Calendar, killer: Killer) -> None:
    """The turn counts as a later state, although by the bot's clock it came before the board."""
    calendar.ahead = -60
    await world.challenge()
    await world.env.advance_time(ROUND)
    async with killer.killing(ANY_REMOVAL, rest=0):
        await world.alice.slash(world.channel, "move", where="a1")
    calendar.ahead = 0
    await world.env.advance_time(REST_SECONDS)
    (board,) = world.boards()
    assert "m:1:1:b1" in ids(board)


async def test_an_end_without_a_move(world: World, killer: Killer) -> None:
    """If a final board without moves was sent before a kill, it isn't sent again."""
    await world.challenge()
    await world.env.advance_time(ROUND)
    async with killer.killing(ANY_REMOVAL):
        await world.resign(world.alice)
    (final,) = world.channel.history()
    assert labels(final) == ["Rematch", "New match"]


async def test_an_old_board_of_the_same_ply(world: World, killer: Killer) -> None:
    """After an undo, the board of another move at the current ply is removed as well."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    world.keep_old_boards()
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "undo")
    await world.env.advance_time(ROUND)
    before = [board.id for board in world.boards()]
    async with killer.killing(ANY_POST):
        with suppress(KilledError):
            await world.alice.slash(world.channel, "move", where="a1")
        world.env.backend.faults.clear()
    (board,) = world.boards()
    assert len(before) == 3 and board.id not in before
    assert "m:1:2:b2" in ids(board) or "m:1:2:c3" in ids(board)


@pytest.mark.parametrize(
    ("reads", "noted"),
    [(True, True), (False, True), (False, False)],
    ids=["read", "not read", "just posted"],
)
async def test_an_end_by_a_moderator(
    reads: bool, noted: bool, world: World, mod: MemberActor, killer: Killer
) -> None:
    """The end is shown after the next start, even where the bot may not read messages.

    This holds even if the match's board has just been posted, and isn't noted yet.
    """
    await world.challenge()
    if noted:
        await world.env.advance_time(ROUND)
    if not reads:
        messages = f"/channels/{world.channel.id}/messages"
        world.env.inject_error("GET", messages, status=403, code=50001, times=None)
    async with killer.killing(ANY_POST):
        await mod.slash(world.channel, "endgame")
    assert world.boards() == []
    assert "called this match off" in text(world.last)
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_no_board_was_lost(world: World, restart: Restart) -> None:
    """If the newest board is known, the bot reads no messages."""
    await world.played("a1 b1")
    await world.env.advance_time(ROUND)
    await restart()
    await world.alice.slash(world.channel, "move", where="a2")
    assert len(world.channel.history()) == 1
    await world.env.advance_time(2 * REST_SECONDS)
    assert not [
        one
        for one in world.env.backend.http_requests
        if one.method == "GET" and "messages" in one.path
    ]


@pytest.mark.parametrize("label", ["Rematch", "Replay", "Undo"])
async def test_a_match_that_goes_on_after_its_end(
    label: str, world: World, restart: Restart
) -> None:
    """If the bot was killed before it showed the new board, any press on the final one does."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    while not (stored := await world.stored()).match.outcome:
        await world.press(world.alice, str(stored.match.position.legal_moves()[0]))
    await world.env.advance_time(ROUND)
    final = world.last
    alice = Member(world.alice.id)
    await world.services.matches.change(stored, lambda match: match.undo(alice))
    await restart()
    await world.alice.click(final, label=label)
    await world.env.advance_time(REST_SECONDS)
    (board,) = world.channel.history()
    assert world.boards() == [board]
    assert "your move" in text(board)


@pytest.mark.parametrize("late", [False, True], ids=["new board not sent", "old board not removed"])
async def test_a_match_begun_anew(late: bool, world: World, killer: Killer) -> None:
    """After the next start the new match has one board, and a press on the old one removes that."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.press(world.alice, "b2")
    await world.env.advance_time(ROUND)
    old = world.last
    # So that the new board is posted in the channel, not as the answer.
    world.env.inject_error(*CALLBACK)
    async with killer.killing(IN_CHANNEL, late=late):
        await world.alice.slash(world.channel, "restart")
    left, board = world.boards()
    assert left.id == old.id
    assert "out of date" in refused(await world.press(world.alice, "a1", left))
    await world.env.advance_time(ROUND)
    assert world.boards() == [board]


async def test_an_end_that_cannot_be_posted_yet(
    world: World, calendar: Calendar, restart: Restart, killer: Killer
) -> None:
    """The old board stays noted until the final one is there, so a later start looks for both."""
    await lose_on_time_at_a_kill(world, calendar, restart, killer)
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", times=None)
    await killer.start_another()
    await world.env.advance_time(REST_SECONDS)
    assert len(world.boards()) == 1
    world.env.backend.faults.clear()
    await restart()
    await world.env.advance_time(REST_SECONDS)
    assert world.boards() == []
    assert [m for m in world.channel.history() if "Analyse" in labels(m)]


async def test_a_start_at_which_discord_lists_no_messages(
    world: World, calendar: Calendar, restart: Restart, killer: Killer
) -> None:
    """While that may pass, an end that was shown just before the kill isn't shown again."""
    await lose_on_time_at_a_kill(world, calendar, restart, killer, late=True)
    world.env.inject_error("GET", f"/channels/{world.channel.id}/messages", status=503, times=None)
    await killer.start_another()
    await world.env.advance_time(REST_SECONDS)
    world.env.backend.faults.clear()
    await world.env.advance_time(60)
    assert world.boards() == []
    assert len(world.channel.history()) == 1


async def test_an_end_right_after_another_turn(world: World, restart: Restart) -> None:
    """The end is shown after the next start, even if the board before was noted after the end.

    Boards are noted in the database only every few seconds.
    """
    await world.played("a1 b1 a2 b2")
    world.env.inject_error(*CALLBACK)
    world.env.inject_error(*IN_CHANNEL, times=None)
    await world.press(world.alice, "a3")
    await world.env.advance_time(10)
    assert await world.sql("SELECT board_id FROM matches") == [(world.last.id,)]
    assert (world.last.id,) in await world.sql("SELECT message_id FROM old_boards")
    await restart()
    world.env.backend.faults.clear()
    await world.env.advance_time(REST_SECONDS)
    assert world.boards() == []
    assert [m for m in world.channel.history() if "Analyse" in labels(m)]


@pytest.mark.parametrize("posted", [True, False], ids=["posted", "not posted"])
@pytest.mark.parametrize("what", ["move", "restart", "resign"])
async def test_an_answer_whose_reply_was_lost_a_turn_before_a_kill(
    what: str, posted: bool, world: World, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next start looks for it, though the board that was posted in its place is gone."""
    await world.played("a1")
    await world.env.advance_time(REST_SECONDS)  # the first look would find the answer, too
    lost = FailingOnce(monkeypatch, CALLBACK, FAULTS["lost"])
    world.env.inject_error(*FIRST_RESPONSE)
    if not posted:
        world.env.inject_error(*IN_CHANNEL)
    await world.press(world.bob, "b1")
    assert lost.failed and len(world.boards()) == 2
    match what:
        case "move":
            await world.alice.slash(world.channel, "move", where="a2")
        case "restart":
            question = await world.command(world.alice, "restart")
            await world.bob.click(question, label="Agree")
        case _:
            await world.resign(world.alice)
    await world.env.advance_time(ROUND)
    await restart()
    await world.env.advance_time(REST_SECONDS)
    assert len(world.boards()) == (what != "resign")
    await world.env.advance_time(ROUND)
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_a_match_that_was_put_away(world: World, restart: Restart) -> None:
    """After the next start its newest board says so, and the old one is gone."""
    old = await world.command(world.alice, "play tictactoe", level="easy")
    world.keep_old_boards()
    await world.press(world.alice, "b2")
    await world.env.advance_time(ROUND)
    newest = world.last
    assert await world.services.store.holding.archive(await world.stored(), world.clock())
    await world.sql(f"INSERT INTO old_boards (message_id, match_id) VALUES ({old.id}, 1)")
    world.env.backend.faults.clear()
    await restart()
    await world.env.advance_time(REST_SECONDS)
    (board,) = world.channel.history()
    assert board.id == newest.id and "put away" in text(board)
    assert await world.sql("SELECT * FROM old_boards") == []


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("idle", [False, True])
async def test_a_board_that_should_have_said_that_its_match_was_put_away(
    world: World, calendar: Calendar, killer: Killer, idle: bool, late: bool
) -> None:
    """It says so after the next start, whether a member or the bot has put the match away."""
    board = await world.command(world.alice, "play tictactoe", level="easy")
    async with killer.killing(ANY_CHANGE, "put away", late=late):
        if idle:
            await pass_time(world, calendar, 8 * DAY)
        else:
            await world.alice.slash(world.channel, "board", put_away=True)
            await world.env.settle()
    assert [message.id for message in world.channel.history()] == [board.id]
    assert "put away" in text(world.now(board))
    assert await world.sql("SELECT * FROM old_boards") == []


@pytest.mark.parametrize("idle", [False, True])
async def test_a_board_that_says_that_its_match_was_put_away(
    world: World, calendar: Calendar, idle: bool
) -> None:
    """It isn't to be removed, so neither this run nor the next start looks for it."""
    board = await world.command(world.alice, "play tictactoe", level="easy")
    if idle:
        await pass_time(world, calendar, 8 * DAY)
    else:
        await world.alice.slash(world.channel, "board", put_away=True)
    await world.env.advance_time(ROUND)
    assert "put away" in text(world.now(board))
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_the_board_of_another_bot(world: World, killer: Killer) -> None:
    """Another bot's message isn't taken for a board of the match, even with the same buttons."""
    await world.challenge()
    await world.env.advance_time(ROUND)
    async with killer.killing(ANY_REMOVAL):
        await world.alice.slash(world.channel, "move", where="a1")
        board, backend = world.last, world.env.backend
        other = world.env.create_user("another", bot=True)
        shown = backend.get_message(world.channel.id, board.id)
        copy = backend.create_message(
            world.channel.id, other.id, components=shown.components, flags=shown.flags
        )
    assert [message.id for message in world.channel.history()] == [board.id, copy.id]


async def test_an_old_board_that_nobody_knows_of(world: World, restart: Restart) -> None:
    """The first press on a board that was on its way at a kill is refused, and removes it."""
    old = await world.challenge()
    world.keep_old_boards()
    await world.press(world.alice, "a1")
    await restart()
    await world.env.advance_time(REST_SECONDS)
    world.env.backend.faults.clear()
    assert len(world.boards()) == 2
    assert "out of date" in refused(await world.press(world.bob, "b1", old))
    assert [board.id for board in world.boards()] == [world.last.id]
    assert world.last.id != old.id


@pytest.mark.parametrize("left", [3, 1], ids=["goes on", "ends"])
async def test_a_match_that_goes_on_while_its_boards_are_looked_for(
    left: int, world: World, restart: Restart, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search waits for its turn among other requests, and still leaves the newest board."""
    moves = ALICE_WINS.split()
    *before, move = moves[: len(moves) + 1 - left]
    board = await world.played(" ".join(before))
    await world.env.advance_time(ROUND)
    await world.sql("UPDATE matches SET shown = revision - 1, moved_at = moved_at - 60")
    press = next(i for i in ids(board) if i.endswith(f":{move}"))

    async def move_on() -> None:
        moved = world.begin(world.alice, board, press)
        await until(lambda: bool(moved.response) and len(shown()) == 1)

    def shown() -> list[discord.Message]:
        return [m for m in world.channel.history() if {"Resign", "Analyse"} & {*labels(m)}]

    search = ("GET", f"/channels/{world.channel.id}*")
    searched = on_its_way(monkeypatch, search, before=move_on, times=1)
    await restart()
    await world.env.advance_time(REST_SECONDS)
    (newest,) = shown()
    assert searched and newest.id > board.id
    assert bool(world.boards()) is (left > 1)
