"""What isn't to be had where only answers reach the channel, and what happens instead."""

from typing import Any

import discord
import pytest

from bot.preview import let_the_computer_think
from tests.bot.engines import WaitingEngine
from tests.bot.processes import until
from tests.bot.searching import Gate
from tests.conftest import Calendar
from tests.discord.conftest import Restart
from tests.discord.contexts.test_matches import DIRECT, GROUP, GUEST, WITH_BOT
from tests.discord.elsewhere import Elsewhere
from tests.discord.matches.passing import HOUR, MINUTE, pass_time
from tests.discord.matches.test_taking_over import TAKE
from tests.discord.privacy.test_mydata import erase, handed_out
from tests.discord.world import World, ids, labels, refused, text

direct = pytest.mark.parametrize("elsewhere", [DIRECT], indirect=True)
guest = pytest.mark.parametrize("elsewhere", [GUEST], indirect=True)
with_bot = pytest.mark.parametrize("elsewhere", [WITH_BOT], indirect=True)


@direct
async def test_after_the_tokens_have_ended(world: World, elsewhere: Elsewhere) -> None:
    """A press always reaches the board that was pressed.

    A board in whose place `/move` has put another one stays. Its presses are refused, and the first
    of them removes it.
    """
    await world.challenge()
    elsewhere.end_tokens()
    await world.press(world.alice, "b2")
    (board,) = elsewhere.live()
    elsewhere.end_tokens()
    await world.bob.slash(world.channel, "move", where="a1")
    new, old = sorted(elsewhere.live(), key=lambda m: -m.id)
    assert old.id == board.id
    answer = refused(await world.press(world.alice, "c3", old))
    assert f"@me/{world.channel.id}/{new.id}" in answer
    assert [m.id for m in elsewhere.live()] == [new.id]
    await world.press(world.alice, "c3", new)
    (last,) = elsewhere.live()
    assert last.id > new.id


@pytest.mark.parametrize("elsewhere", [GROUP], indirect=True)
async def test_a_stranger_presses_an_old_board(world: World, elsewhere: Elsewhere) -> None:
    """Their press removes it too: without it the board would wait for a player's."""
    await world.challenge()
    old = world.last
    elsewhere.end_tokens()
    await world.alice.slash(world.channel, "move", where="a1")
    new, _ = sorted(elsewhere.live(), key=lambda m: -m.id)
    answer = refused(await world.press(world.carol, "b2", old))
    assert f"@me/{world.channel.id}/{new.id}" in answer
    assert [m.id for m in elsewhere.live()] == [new.id]
    assert "not in this match" in refused(await world.press(world.carol, "b2", new))


@pytest.mark.parametrize("elsewhere", [GROUP], indirect=True)
@pytest.mark.parametrize("control", ["c3", "undo", "resign"])
async def test_a_stranger_presses_a_board_that_lags_behind(
    world: World, elsewhere: Elsewhere, control: str
) -> None:
    """It is replaced by the current one, which answers them: it would wait for a player's press."""
    await world.challenge()
    await world.press(world.alice, "b2")
    lagging = world.last
    elsewhere.end_tokens()
    world.env.inject_error("POST", "/interactions/*", status=500, times=5)
    await world.bob.slash(world.channel, "move", where="a1")
    world.env.backend.faults = [f for f in world.env.backend.faults if f["status"] == 403]
    assert [m.id for m in elsewhere.live()] == [lagging.id]
    await world.press(world.carol, control, lagging)
    (current,) = elsewhere.live()
    assert "Last move: 🔵 a1" in text(current)
    assert "not in this match" in refused(await world.press(world.carol, control, current))


@pytest.mark.parametrize("elsewhere", [GROUP], indirect=True)
@pytest.mark.parametrize("control", ["b2", "undo"])
@pytest.mark.parametrize("who", ["alice", "carol"])
async def test_a_press_on_the_board_of_an_archived_match(
    world: World, elsewhere: Elsewhere, calendar: Calendar, control: str, who: str
) -> None:
    """It says from then on that the match is put away; no token reached it when that was done."""
    await world.alice.slash(world.channel, "play tictactoe")
    board = world.last
    elsewhere.end_tokens()
    await pass_time(world, calendar, 31 * MINUTE)
    offer = (await world.bob.slash(world.channel, "play nineholes", against=world.carol)).response
    assert offer is not None
    await world.bob.click(offer, label=TAKE)
    assert [m.id for m in elsewhere.live()] == [board.id]
    assert "put away" in refused(await world.press(getattr(world, who), control, board))
    assert elsewhere.live() == []
    assert "put away" in text(world.now(board)) and not labels(world.now(board))


@pytest.mark.parametrize("elsewhere", [GROUP], indirect=True)
async def test_a_press_on_an_old_board_of_an_archived_match(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """It is removed: the newest board says that the match is put away."""
    await world.alice.slash(world.channel, "play tictactoe")
    old = world.last
    elsewhere.end_tokens()
    await world.alice.slash(world.channel, "move", where="b2")
    await pass_time(world, calendar, 31 * MINUTE)
    offer = (await world.bob.slash(world.channel, "play nineholes", against=world.carol)).response
    assert offer is not None
    await world.bob.click(offer, label=TAKE)
    assert old.id in [m.id for m in elsewhere.live()]
    assert "put away" in refused(await world.press(world.alice, "undo", old))
    assert old.id not in [m.id for m in world.channel.history()]


@pytest.mark.parametrize(
    ("elsewhere", "failure"),
    [
        (DIRECT, {"status": 500, "times": 5}),
        (GUEST, {"status": 500, "times": 5}),
        (GUEST, {"status": 403, "code": 50013, "times": 1}),
    ],
    indirect=["elsewhere"],
)
async def test_an_answer_that_fails(
    world: World, elsewhere: Elsewhere, failure: dict[str, Any]
) -> None:
    """The pressed board is changed instead, also if Discord names a permission (50013).

    Nobody could give that to a bot that isn't on the server. The next press brings a new board.
    """
    await world.challenge()
    board, usual = world.last, [*world.env.backend.faults]
    world.env.inject_error("POST", "/webhooks/*", **failure)
    result = await world.press(world.alice, "b2")
    assert [m.id for m in elsewhere.live()] == [board.id] and not world.private()
    assert result.acknowledged and "Last move: ❌ b2" in text(world.now(board))
    world.env.backend.faults = usual
    await world.press(world.bob, "a1", world.now(board))
    (last,) = elsewhere.live()
    assert last.id > board.id and "Last move: 🔵 a1" in text(last)


@direct
async def test_an_old_board_whose_removal_fails_for_a_moment(
    world: World, elsewhere: Elsewhere
) -> None:
    """It goes half a minute later: until then a press would be the only thing that removes it."""
    await world.challenge()
    old = world.last
    world.env.inject_error("DELETE", "/webhooks/*", status=503, times=2)
    await world.press(world.alice, "b2")
    await world.env.advance_time(20)
    assert old.id in {board.id for board in elsewhere.live()}
    await world.env.advance_time(40)
    assert [board.id for board in elsewhere.live()] == [world.last.id]


@direct
async def test_lost_on_time(world: World, elsewhere: Elsewhere, calendar: Calendar) -> None:
    """Nobody is reminded, nothing is posted, and the next press or `/board` shows the end."""
    await world.challenge(clock=HOUR)
    await world.press(world.alice, "b2")
    board = world.last
    elsewhere.end_tokens()
    await pass_time(world, calendar, 50 * MINUTE)
    await pass_time(world, calendar, HOUR)
    assert [m.id for m in world.channel.history()] == [board.id]
    await world.press(world.bob, "a1")
    assert "time" in text(world.last) and "Rematch" in labels(world.last)
    assert not elsewhere.live()
    final = world.last
    await world.alice.slash(world.channel, "board")
    assert world.last.id > final.id and "Rematch" in labels(world.last)


@direct
@pytest.mark.parametrize("label", ["Undo", "Resign", "Draw", "Hint", "Restart"])
async def test_an_end_that_nobody_has_seen(
    world: World, elsewhere: Elsewhere, calendar: Calendar, label: str
) -> None:
    """A press below the squares shows it too, in place of the board that still has them."""
    await world.challenge(clock=HOUR)
    await world.play("b2 a1")
    board = world.last
    elsewhere.end_tokens()
    await pass_time(world, calendar, HOUR)
    await world.bob.click(board, label=label)
    (final,) = world.channel.history()
    assert "time" in text(final) and "Rematch" in labels(final)


@direct
async def test_legal_squares_on_a_board_that_is_not_current(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """They bring the end that nobody has seen; an old board goes, as with its other buttons."""
    for player in (world.alice, world.bob):
        await player.slash(world.channel, "settings me", board="words")
    await world.challenge(game="nineholes", clock=HOUR)
    old = world.last
    elsewhere.end_tokens()
    await world.alice.slash(world.channel, "move", where="a1-a3")
    board = world.last
    assert "out of date" in refused(await world.bob.click(old, label="Legal squares"))
    assert [message.id for message in world.channel.history()] == [board.id]
    elsewhere.end_tokens()
    await pass_time(world, calendar, HOUR)
    await world.bob.click(board, label="Legal squares")
    (final,) = world.channel.history()
    assert "time" in text(final) and "Rematch" in labels(final)


@pytest.mark.parametrize("elsewhere", [GROUP], indirect=True)
@pytest.mark.parametrize("control", ["c3", "undo", "resign"])
async def test_a_stranger_presses_a_board_whose_match_has_ended(
    world: World, elsewhere: Elsewhere, calendar: Calendar, control: str
) -> None:
    """Anybody may see how it ended, and play it again or something else."""
    await world.challenge(clock=HOUR)
    await world.play("b2 a1")
    board = world.last
    elsewhere.end_tokens()
    await pass_time(world, calendar, HOUR)
    await world.press(world.carol, control, board)
    (final,) = world.channel.history()
    assert "time" in text(final) and "Rematch" in labels(final)


@direct
async def test_a_deadline_while_a_token_lives(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The board that stands shows the end, by that token."""
    await world.challenge(clock=5 * MINUTE)
    board = world.last
    await pass_time(world, calendar, 5 * MINUTE)
    assert "Rematch" in labels(world.now(board)) and len(world.channel.history()) == 1


@direct
async def test_one_match_in_a_conversation(world: World, elsewhere: Elsewhere) -> None:
    """A second one is refused, with a link that Discord understands."""
    await world.challenge()
    board = world.last
    answer = refused(await world.bob.slash(world.channel, "play nineholes"))
    assert f"https://discord.com/channels/@me/{world.channel.id}/{board.id}" in answer


@with_bot
async def test_alone_with_the_bot(world: World, elsewhere: Elsewhere) -> None:
    """Nobody can be challenged there, by no way."""
    alice, channel = world.alice, world.channel
    asked = [
        await alice.slash(channel, "play tictactoe", against=world.bob),
        await alice.slash(channel, "play tribolo", open=True),
        await alice.context_menu(channel, "Challenge", world.bob),
    ]
    assert all("Nobody can join you here" in refused(one) for one in asked)


@pytest.mark.parametrize("simcord_bot", [WaitingEngine], indirect=True)
@direct
async def test_the_computer_thinks(world: World, elsewhere: Elsewhere, gate: Gate) -> None:
    """The move is shown at once, and the answer comes into that board by its token."""
    let_the_computer_think(world.env)
    await world.alice.slash(world.channel, "play tictactoe", level="perfect")
    await world.press(world.alice, "b2")
    (board,) = elsewhere.live()
    assert "is thinking" in text(board)
    gate.open()
    await until(lambda: "is thinking" not in text(world.now(board)))
    await world.env.settle()
    assert [m.id for m in elsewhere.live()] == [board.id]
    await world.press(
        world.alice, next(i for i in ids(world.now(board)) if i.startswith("m:")).split(":")[-1]
    )
    assert len(elsewhere.live()) == 1


@guest
async def test_who_may_not_use_external_apps(world: World, elsewhere: Elsewhere) -> None:
    """No game is started that nobody else could see; a move in one changes the board in place."""
    elsewhere.hidden.add(world.bob.id)
    for options in ({}, {"against": world.alice}, {"open": True}):
        result = await world.bob.slash(world.channel, "play tictactoe", **options)
        assert "Use External Apps" in refused(result)
    assert await world.sql("SELECT id FROM matches UNION SELECT id FROM invitations") == []
    await world.challenge()
    await world.press(world.alice, "b2")
    board = world.last
    await world.press(world.bob, "a1")
    assert [m.id for m in elsewhere.live()] == [board.id]
    assert "Last move: 🔵 a1" in text(world.now(board))
    await world.press(world.alice, "c1", world.now(board))
    (board,) = elsewhere.live()
    await world.bob.slash(world.channel, "move", where="a3")
    assert "Last move: 🔵 a3" in text(world.now(board))
    assert "Use External Apps" in refused(await world.bob.click(world.now(board), label="Draw"))
    await world.press(world.alice, "a2", world.now(board))
    assert "Last move: ❌ a2" in text(elsewhere.live()[0])


@guest
async def test_a_rematch_that_takes_the_place_of_the_final_board(
    world: World, elsewhere: Elsewhere
) -> None:
    """It isn't closed as the final board that it was."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.resign(world.alice)
    final = next(m for m in world.channel.history() if "Rematch" in labels(m))
    elsewhere.hidden.add(world.alice.id)
    await world.alice.click(final, label="Rematch")
    assert [m.id for m in elsewhere.live()] == [final.id]


@guest
async def test_an_answer_that_discord_hides(world: World, elsewhere: Elsewhere) -> None:
    """What the permissions didn't tell, the flag of the answered message does."""
    elsewhere.secretly.add(world.bob.id)
    result = await world.bob.slash(world.channel, "play tictactoe", against=world.alice)
    assert "Use External Apps" in refused(result)
    assert await world.sql("SELECT id FROM matches UNION SELECT id FROM invitations") == []
    await world.challenge()
    await world.press(world.alice, "b2")
    board = world.last
    await world.press(world.bob, "a1", board)
    assert "Last move: 🔵 a1" in text(world.now(board))
    assert [m.id for m in elsewhere.live()] == [board.id]


@guest
async def test_an_offer_that_discord_hides(world: World, elsewhere: Elsewhere) -> None:
    """It isn't made: who asks again hears the same, and the other one hasn't agreed to anything."""
    elsewhere.secretly.add(world.bob.id)
    await world.challenge()
    board = world.last
    for _ in range(2):
        assert "Use External Apps" in refused(await world.bob.click(board, label="Draw"))
    await world.alice.click(board, label="Draw")
    assert "**alice** offers a draw" in text(world.last)


@guest
async def test_a_question_before_an_answer_that_discord_hides(
    world: World, elsewhere: Elsewhere
) -> None:
    """It loses its buttons also if the match goes on in the board that is there."""
    elsewhere.secretly.add(world.bob.id)
    await world.challenge()
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "draw")
    question = world.last
    await world.bob.slash(world.channel, "move", where="a1")
    assert not labels(world.now(question))


@guest
@pytest.mark.parametrize("way", ["computer", "table"])
async def test_a_private_choice_whose_answer_discord_hides(
    way: str, world: World, elsewhere: Elsewhere
) -> None:
    """Neither a match nor a table is left behind that nobody else sees."""
    elsewhere.secretly.add(world.bob.id)
    helped = (await world.bob.slash(world.channel, "help")).response
    assert helped is not None
    await world.bob.click(helped, custom_id=f"b:{way}")
    chosen = await world.bob.select(world.now(helped), ["tictactoe"], custom_id=f"b:{way}")
    if way == "computer":
        chosen = await world.bob.click(world.now(helped), label="easy")
    assert "Use External Apps" in refused(chosen)
    assert await world.sql("SELECT id FROM matches WHERE ended_at IS NULL") == []
    assert await world.sql("SELECT id FROM invitations WHERE status = 'open'") == []


@direct
async def test_the_data_of_direct_messages(world: World, elsewhere: Elsewhere) -> None:
    """They are exported and erased like a server's; the profile is that of the conversation."""
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    profile = text(await world.bob.slash(world.channel, "profile"))
    assert "Against other members: 0 won · 0 drawn · 1 lost" in profile
    (match,) = (await handed_out(world))["matches"]
    assert (match["guild_id"], match["context"], match["channel_id"]) == (
        0,
        "private",
        world.channel.id,
    )
    assert match["unrated"] == "elsewhere"
    await erase(world)
    rows = await world.sql("SELECT user_id, name FROM seats ORDER BY seat")
    assert rows[0][0] < 0 and rows[0][1] is None and rows[1] == (world.bob.id, "bob")
    assert (
        await world.sql("SELECT count(*) FROM guilds UNION ALL SELECT count(*) FROM standings")
    ) == [(0,), (0,)]


async def lagging(world: World, restart: Restart, level: str) -> discord.Message:
    """Return the board of a match in which the computer owed a move that was made at a restart."""
    await world.alice.slash(world.channel, "play tictactoe", level=level)
    board = world.last
    await world.sql("UPDATE matches SET moves = 'b2', computer_due = 1")
    # simcord's server has been welcomed before.
    await world.sql(f"INSERT INTO guild_settings (guild_id) VALUES ({world.guild.id})")
    await restart()
    await world.env.advance_time(10)
    return board


@direct
@pytest.mark.parametrize("simcord_bot", [WaitingEngine], indirect=True)
async def test_a_restart_while_the_computer_owes_a_move(
    world: World, elsewhere: Elsewhere, restart: Restart
) -> None:
    """The move is made; as nothing can be posted, the next press shows it."""
    board = await lagging(world, restart, "perfect")
    assert [m.id for m in world.channel.history()] == [board.id]
    await world.press(world.alice, "a1", board)
    (last,) = elsewhere.live()
    assert last.id > board.id and "Last move: 🔵" in text(last)


@direct
async def test_a_hint_on_a_board_that_lags_behind(
    world: World, elsewhere: Elsewhere, restart: Restart
) -> None:
    """The press shows the match as it is, as others do; without that it would have no board."""
    board = await lagging(world, restart, "easy")
    await world.alice.click(board, label="Hint")
    (last,) = elsewhere.live()
    assert last.id > board.id and "Last move: 🔵" in text(last)
    assert "💡" in refused(await world.alice.click(last, label="Hint"))


@direct
async def test_a_challenge_that_expires_without_a_token(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """The first press on it takes its buttons away."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    challenge = world.last
    elsewhere.end_tokens()
    await pass_time(world, calendar, 15 * MINUTE)
    assert "Accept" in labels(world.now(challenge))
    assert "has expired" in refused(await world.bob.click(challenge, label="Accept"))
    assert "has expired" in text(world.now(challenge)) and not labels(world.now(challenge))


@direct
async def test_an_expired_challenge_whose_change_fails_for_a_moment(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """It loses its buttons half a minute after the press, which alone can bring that about."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    challenge = world.last
    elsewhere.end_tokens()
    await pass_time(world, calendar, 15 * MINUTE)
    world.env.inject_error("PATCH", "/webhooks/*", status=503)
    refused(await world.bob.click(challenge, label="Accept"))
    assert "Accept" in labels(world.now(challenge))
    await world.env.advance_time(40)
    assert "has expired" in text(world.now(challenge)) and not labels(world.now(challenge))


@direct
async def test_an_invitation_of_somebody_erased(world: World, elsewhere: Elsewhere) -> None:
    """The first press removes its message, which names them: nothing else reaches it."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    challenge = world.last
    elsewhere.end_tokens()
    await erase(world)
    assert "alice" in text(world.now(challenge))
    refused(await world.bob.click(challenge, label="Accept"))
    assert challenge.id not in [message.id for message in world.channel.history()]


@direct
async def test_an_offer_that_ends_without_a_token(world: World, elsewhere: Elsewhere) -> None:
    """The first press on its question takes the buttons away."""
    await world.challenge()
    board = world.last
    await world.bob.slash(world.channel, "draw")
    question = world.last
    elsewhere.end_tokens()
    await world.press(world.alice, "b2", board)
    assert "Agree" in labels(world.now(question))
    assert "no longer stands" in refused(await world.alice.click(question, label="Agree"))
    assert not labels(world.now(question)) and "no longer open" in text(world.now(question))
