"""Whole matches where only answers to interactions reach the channel."""

import pytest

from tests.discord.calls import CALLBACK
from tests.discord.elsewhere import (
    DIRECT,
    GROUP,
    GUEST,
    WITH_BOT,
    Elsewhere,
    everywhere,
    group,
    guest,
)
from tests.discord.failing import PUT_OFF_SECONDS, failing
from tests.discord.matches.three import move, three
from tests.discord.world import FINAL, FINAL_UNDO, World, ids, labels, mentioned, refused, text


@everywhere
async def test_a_match_by_presses(world: World, elsewhere: Elsewhere) -> None:
    """Each press brings a new board, which notifies the next player, and removes the old one."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    assert "Not rated" in text(world.last) and "nobody gets reminders" in text(world.last)
    await world.bob.click(world.last, label="Accept")
    assert "rated" not in text(world.last) and "reminders" not in text(world.last), "it was said"
    for ply, square in enumerate("a1 b1 a2 b2".split()):
        before = world.last
        await world.press((world.alice, world.bob)[ply % 2], square)
        (board,) = elsewhere.live()
        assert board.id > before.id
        assert mentioned(board, world.env) == [(world.bob, world.alice)[ply % 2].id]
        assert "rated" not in text(board) and "reminders" not in text(board)
        assert "Hint" in labels(board), "it isn't rated"
    await world.press(world.alice, "a3")
    assert labels(world.last) == FINAL_UNDO
    assert "alice** wins" in text(world.last) and "Not rated" in text(world.last)
    assert len(world.channel.history()) == 1
    await world.bob.click(world.last, label="Rematch")
    await world.alice.click(world.last, label="Agree")
    (board,) = elsewhere.live()
    assert "bob" in text(board)
    assert (await world.sql("SELECT count(*) FROM guilds"))[0][0] == 0


@group
async def test_the_first_match_of_a_series_says_why_it_is_not_rated(
    world: World, elsewhere: Elsewhere
) -> None:
    """Its end says that ratings belong to servers, those of its rematches don't again."""
    await world.played()
    first = text(world.last)
    await world.bob.click(world.last, label="Rematch")
    await world.alice.click(world.last, label="Agree")
    await world.resign(world.bob)
    assert "ratings belong to servers" in first
    assert "**alice** 2" in text(world.last) and "rated" not in text(world.last)


@everywhere
async def test_picking_a_man(world: World, elsewhere: Elsewhere) -> None:
    """A pick changes the board in place, and the move brings a new one."""
    board = await world.challenge(game="nineholes")
    await world.press(world.alice, "a1")
    assert "a1 is picked" in text(world.now(board))
    await world.press(world.alice, "a1-c4")
    await world.move(world.bob, "a5-c2")
    (last,) = elsewhere.live()
    assert "Last move: 🔵 a5-c2" in text(last)


@group
async def test_three_play_to_the_end(world: World, elsewhere: Elsewhere) -> None:
    """Tribolo for three by `/move`: after each move one board stands, which the next one sees."""
    await three(world)
    while not (await world.stored()).match.outcome:
        await move(world)
        assert len(world.channel.history()) == 1
    assert "Rematch" in labels(world.last)


@group
async def test_an_open_table(world: World, elsewhere: Elsewhere) -> None:
    """Others join the table by presses; the board replaces it."""
    await world.alice.slash(world.channel, "play tribolo", open=True)
    await world.carol.click(world.last, label="Join")
    await world.bob.click(world.last, label="Join")
    (board,) = elsewhere.live()
    assert "carol" in text(board)


@everywhere
async def test_offers_and_resigning_elsewhere(world: World, elsewhere: Elsewhere) -> None:
    """A draw and an undo are offered, withdrawn and agreed on; resigning is confirmed."""
    await world.played("b2")
    await world.alice.click(world.last, label="Undo")
    await world.bob.click(world.last, label="Agree")
    (board,) = elsewhere.live()
    assert "Last move" not in text(board)
    await world.alice.click(board, label="Draw")
    await world.alice.click(world.last, label="Decline")
    await world.bob.slash(world.channel, "draw")
    await world.alice.click(world.last, label="Agree")
    assert labels(world.last) == FINAL[:2], "no move is left to look at"
    await world.alice.click(world.last, label="Rematch")
    await world.bob.click(world.last, label="Agree")
    await world.resign(world.bob)
    assert "bob** resigned" in text(world.last)
    await world.alice.slash(world.channel, "rematch")
    await world.bob.slash(world.channel, "rematch")
    (board,) = elsewhere.live()
    asked = await world.bob.click(board, label="Resign")
    assert asked.followups
    await world.bob.click(asked.followups[-1], label="Yes, resign")
    assert "resigned" in text(world.last) and not elsewhere.live()


@everywhere
async def test_a_large_board(world: World, elsewhere: Elsewhere) -> None:
    """A row opens privately; a move there brings a new board, and removes the old one."""
    await world.challenge(rows=6, columns=6, line=4)
    for who, row, square in ((world.alice, "3", "c3"), (world.bob, "4", "d4")):
        before = world.last
        custom_id = next(i for i in ids(before) if i.split(":")[3:4] == [row])
        opened = await who.click(before, custom_id=custom_id)
        assert opened.followups[-1].ephemeral
        await world.press(who, square, opened.followups[-1])
        (board,) = [m for m in world.channel.history() if not m.flags.ephemeral]
        assert board.id > before.id and f"{square}" in text(board)


@pytest.mark.parametrize("elsewhere", [WITH_BOT, DIRECT], indirect=True)
async def test_everything_around_a_match_with_the_computer(
    world: World, elsewhere: Elsewhere
) -> None:
    """Hints and undo work; after the end so do review, replay, export, sharing and own results."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    assert "Not rated" not in text(world.last)
    hint = await world.alice.click(world.last, label="Hint")
    assert "**a1** – draws" in refused(hint)
    await world.press(world.alice, "b2")
    await world.alice.click(world.last, label="Undo")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    final = world.last
    for label, told in (("Analyse", "Analysis"), ("Replay", " of 2")):
        assert told in refused(await world.alice.click(final, label=label))
    assert labels(world.now(final)) == labels(final)
    await world.alice.click(final, label="Share")
    assert world.last.attachments
    profile = await world.alice.slash(world.channel, "profile")
    assert "(easy): 0 won · 0 drawn · 1 lost" in text(profile)


@pytest.mark.parametrize("elsewhere", [DIRECT, GROUP, GUEST], indirect=True)
async def test_a_share_that_was_deleted(world: World, elsewhere: Elsewhere) -> None:
    """Nobody tells the bot, which may not read messages there and doesn't ask: it counts as shared.

    The match can still be replayed.
    """
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    final = world.last
    await world.alice.click(final, label="Share")
    shared = world.last
    assert shared.attachments
    world.env.backend.delete_message(world.channel.id, shared.id)
    before = len(world.env.backend.http_requests)
    assert "shared already" in refused(await world.alice.slash(world.channel, "share"))
    assert not [m for m in world.env.backend.http_requests[before:] if m.method == "GET"]
    assert "1 of 2" in refused(await world.alice.slash(world.channel, "replay", move=1))


@guest
async def test_a_stranger_who_analyses_a_match(world: World, elsewhere: Elsewhere) -> None:
    """The press comes from its channel, so Discord, which would refuse, isn't asked for that."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    assert "Analysis" in refused(await world.carol.click(world.last, label="Analyse"))


@guest
async def test_a_match_that_begins_while_discord_is_away(
    world: World, elsewhere: Elsewhere
) -> None:
    """Its board takes the place of the table at which it began, since no other way is left."""
    await world.alice.slash(world.channel, "play nineholes", open=True)
    table = world.last
    with failing(world):
        for call in (CALLBACK, *((method, "/webhooks/*") for method in ("GET", "POST", "PATCH"))):
            world.env.inject_error(*call, times=None)
        world.begin(world.alice, table, "c:1:start")
        await world.env.settle()
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = elsewhere.live()
    assert board.id == table.id and "p:1:0:a1" in ids(board)
