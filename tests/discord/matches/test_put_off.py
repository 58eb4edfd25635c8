"""A board that couldn't be shown is shown later, as the database holds its match by then."""

import pytest

from bot.identity import MatchId, MemberId
from bot.preview import let_the_computer_think
from tests.bot.engines import WaitingEngine
from tests.bot.processes import until
from tests.bot.searching import Gate
from tests.conftest import Calendar
from tests.discord.elsewhere import Elsewhere, direct, guest
from tests.discord.failing import PUT_OFF_SECONDS, unchangeable, unreachable
from tests.discord.matches.passing import DAY, MINUTE, pass_time
from tests.discord.privacy.own_data import erase
from tests.discord.world import ALICE_WINS, LOOKING, World, ids, labels, mentioned, refused, text

# Within this time the first look after the start is over, which would also bring the board.
_STARTED_SECONDS = 15


async def test_an_erased_name_does_not_come_back(world: World) -> None:
    """A member who erases their data before the final board arrives isn't named by it."""
    await world.challenge()
    *moves, last = ALICE_WINS.split()
    await world.play(" ".join(moves))
    with unreachable(world):
        await world.press(world.alice, last)
    await erase(world)
    await world.env.advance_time(PUT_OFF_SECONDS)
    (final,) = world.channel.history()
    assert "New match" in labels(final)
    assert "alice" not in text(final) and "bob" in text(final)


async def test_a_later_state(world: World) -> None:
    """The board shows a turn that was saved since."""
    await world.challenge()
    await world.env.advance_time(_STARTED_SECONDS)
    with unreachable(world):
        await world.press(world.alice, "b2")
    play = world.services.matches.play
    await play(MatchId(1), MemberId(world.bob.id), "a1")
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.channel.history()
    assert "m:1:2:c3" in ids(board)
    assert mentioned(board, world.env) == [world.alice.id]


async def test_the_board_of_the_one_who_has_acted(world: World) -> None:
    """It mentions them if they are to move, since they no longer wait for an answer."""
    await world.alice.click(await world.played(), label="Rematch")
    await world.env.advance_time(_STARTED_SECONDS)
    with unreachable(world):
        await world.bob.click(world.last, label="Agree")
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert mentioned(board, world.env) == [world.bob.id]


async def test_a_later_state_that_was_shown(world: World) -> None:
    """If a later state was shown already, its board isn't sent again."""
    await world.challenge()
    with unreachable(world):
        await world.press(world.alice, "b2")
    shown = await world.command(world.bob, "move", where="a1")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert [message.id for message in world.channel.history()] == [shown.id]


async def test_a_first_board_that_was_shown(world: World) -> None:
    """The question that led to it is still removed."""
    final = await world.played()
    await world.alice.click(final, label="Rematch")
    await world.env.advance_time(_STARTED_SECONDS)
    with unreachable(world):
        await world.bob.click(world.last, label="Agree")
    shown = await world.command(world.alice, "board")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert [message.id for message in world.channel.history()] == [final.id, shown.id]


async def test_the_language_of_its_arrival(world: World) -> None:
    """A server whose language has changed meanwhile gets the board in the new one."""
    await world.challenge()
    with unreachable(world):
        await world.press(world.alice, "b2")
    await world.sql(
        f"INSERT INTO guild_settings (guild_id, language) VALUES ({world.guild.id}, 'de')"
    )
    await world.env.advance_time(PUT_OFF_SECONDS)
    (board,) = world.boards()
    assert "du bist" in text(board)


@pytest.mark.parametrize("answers", [404, 503])
async def test_an_archived_match_gets_no_board(world: World, answers: int) -> None:
    """Its board says that the match is put away; a new one would be pressed in vain."""
    board = await world.command(world.alice, "play tictactoe")
    with unreachable(world, answers):
        await world.press(world.alice, "b2")
    await world.sql("UPDATE matches SET put_away_at = 1, due_at = NULL")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert [message.id for message in world.channel.history()] == [board.id]


async def test_a_match_that_was_begun_anew(world: World) -> None:
    """The old match's board doesn't come between boards of the new match."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    with unreachable(world):
        await world.press(world.alice, "b2")
    new = await world.command(world.alice, "restart")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert [message.id for message in world.channel.history()] == [new.id]


async def test_a_note_that_a_match_is_archived(world: World, calendar: Calendar) -> None:
    """If the note comes late, it doesn't name a player who has erased their data since."""
    await world.alice.slash(world.channel, "play tictactoe")
    with unchangeable(world):
        await pass_time(world, calendar, 8 * DAY)
    await erase(world)
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert "put away" in text(world.last)
    assert "alice" not in text(world.last)


async def test_a_note_about_a_match_that_is_back(world: World, calendar: Calendar) -> None:
    """The match's new board doesn't say that it is archived, and the one before is removed."""
    await world.alice.slash(world.channel, "play tictactoe")
    with unchangeable(world):
        await pass_time(world, calendar, 8 * DAY)
    board = await world.command(world.alice, "board")
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert [message.id for message in world.boards()] == [board.id]
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_a_final_board_that_is_played_again(world: World) -> None:
    """When its buttons go late, it doesn't name a player who has erased their data since."""
    final = await world.played()
    await world.bob.click(final, label="Rematch")
    with unchangeable(world):
        await world.alice.click(world.last, label="Agree")
    await erase(world)
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert labels(world.now(final)) == LOOKING
    assert "alice" not in text(world.now(final))


async def test_a_question_that_is_void(world: World) -> None:
    """When its buttons go late, it doesn't name a player who has erased their data since."""
    await world.challenge()
    await world.alice.click(world.last, label="Draw")
    question = world.last
    (board,) = world.boards()
    with unchangeable(world):
        await world.press(world.alice, "b2", board)
    await erase(world)
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert not labels(world.now(question))
    assert "alice" not in text(world.now(question))


@guest
async def test_a_change_that_fails_where_answers_are_hidden(
    world: World, elsewhere: Elsewhere
) -> None:
    """The change is tried again, since until then the others see the state before."""
    board = await world.played("b2")
    elsewhere.secretly.add(world.bob.id)
    with unchangeable(world):
        hidden = await world.bob.slash(world.channel, "move", where="a1")
    assert "Use External Apps" in refused(hidden)
    assert "Last move: ❌ b2" in text(world.now(board))
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert "Last move: 🔵 a1" in text(world.now(board))


@guest
@pytest.mark.parametrize("simcord_bot", [WaitingEngine], indirect=True)
async def test_a_hidden_answer_while_the_computer_thinks(
    world: World, elsewhere: Elsewhere, gate: Gate
) -> None:
    """The computer thinks on even if the board can't be edited, since its move must be shown."""
    let_the_computer_think(world.env)
    board = await world.command(world.alice, "play tictactoe", level="perfect")
    elsewhere.secretly.add(world.alice.id)
    with unchangeable(world):
        await world.alice.slash(world.channel, "move", where="b2")
        gate.open()
        await until(lambda: gate.begun() == 1)
        await world.env.settle()
    await world.env.advance_time(PUT_OFF_SECONDS)
    await until(lambda: "Last move: 🔵" in text(world.now(board)))


@direct
async def test_an_end_on_time_whose_change_fails(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """Where only a token reaches the board, it shows the end when a later try succeeds."""
    board = await world.challenge(clock=5 * MINUTE)
    with unchangeable(world):
        await pass_time(world, calendar, 5 * MINUTE)
    assert "Rematch" not in labels(world.now(board))
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert "Rematch" in labels(world.now(board))
