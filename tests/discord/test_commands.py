"""The commands of a running match, and those that only tell."""

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from core.games import GAMES
from core.grid import Move
from tests.discord.world import World, labels, mentioned, refused, text

MAX_CHOICES = 25


async def move(world: World, who: MemberActor, where: str) -> str:
    """Let somebody /move; return what the newest message says then."""
    await who.slash(world.channel, "move", where=where)
    return text(world.last)


async def choices(world: World, who: MemberActor, typed: str = "") -> list[str]:
    """Return the moves that /move offers to somebody who has typed so far."""
    found = await who.autocomplete(world.channel, "move", "where", typed)
    assert all(choice["name"] == choice["value"] for choice in found)
    return [choice["value"] for choice in found]


# --- /move


async def test_a_whole_game_by_command(world: World) -> None:
    """/move plays what the buttons play: one board at a time, and the result at the end."""
    await world.challenge()
    for ply, where in enumerate(["a1", "b1", "a2", "b2", "a3"]):
        assert len(world.boards()) == 1
        await move(world, (world.alice, world.bob)[ply % 2], where)
    assert "**alice** wins" in text(world.last)
    assert len(world.channel.history()) == 1


async def test_commands_and_buttons_mix(world: World) -> None:
    """Every turn may be made the one way or the other."""
    await world.challenge()
    await move(world, world.alice, "b2")
    await world.press(world.bob, "a1")
    assert "Last move: ❌ c3" in await move(world, world.alice, "c3")


async def test_a_man_moves_by_command(world: World) -> None:
    """Nine Holes needs one /move where it needs two presses."""
    await world.challenge(game="nineholes")
    assert "Last move: ❌ a1-b3" in await move(world, world.alice, "a1-b3")
    assert "Last move: ⭕ c5-c2" in await move(world, world.bob, "c5-c2")


@pytest.mark.parametrize("written", ["B2", " b2 "])
async def test_moves_are_read_kindly(world: World, written: str) -> None:
    """Capitals and blanks around a square don't matter."""
    await world.challenge()
    assert "Last move: ❌ b2" in await move(world, world.alice, written)


async def test_move_mentions_whoever_is_next(world: World) -> None:
    """By command too a turn notifies the other player alone."""
    await world.challenge()
    await move(world, world.alice, "b2")
    assert mentioned(world.last, world.env) == [world.bob.id]


async def test_the_computer_answers_a_command(world: World) -> None:
    """One /move is a whole turn: its own move and the computer's, in one board."""
    await world.alice.slash(world.channel, "play tictactoe")
    assert "Last move: ⭕" in await move(world, world.alice, "b2")
    assert len(world.channel.history()) == 1


async def test_five_refusals_of_a_move(world: World) -> None:
    """Bad notation, an illegal move, out of turn, over, no match: each in words of its own."""
    no_match = await refuse_move(world, world.alice, "a1")
    await world.challenge()
    notation = await refuse_move(world, world.alice, "middle")
    off_board = await refuse_move(world, world.alice, "d4")
    out_of_turn = await refuse_move(world, world.bob, "a1")
    await move(world, world.alice, "b2")
    taken = await refuse_move(world, world.bob, "b2")
    for ply, where in enumerate(["a1", "b1", "a2", "b3"]):
        await move(world, (world.bob, world.alice)[ply % 2], where)
    over = await refuse_move(world, world.bob, "c3")
    assert "`/play` starts one" in no_match
    assert "“middle” is not a move" in notation and "`b2`" in notation
    assert "d4 is off the board" in off_board
    assert "It is **alice**'s turn" in out_of_turn
    assert "b2 is taken" in taken
    assert "This match is over" in over and "`/rematch`" in over
    assert len({no_match, notation, off_board, out_of_turn, taken, over}) == 6


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("b3", "`/move a1-b3`"),
        ("a5-b3", "no man of yours"),
        ("b3-c3", "no man of yours"),
        ("a1-a5", "a5 is a home square"),
        ("a1-d9", "off the board"),
        ("a1-", "is not a move"),
    ],
)
async def test_refusals_of_nine_holes(world: World, where: str, words: str) -> None:
    """A move that the rules of Nine Holes don't allow is refused with the rule."""
    await world.challenge(game="nineholes")
    assert words in await refuse_move(world, world.alice, where)
    assert "a1-b3" in await move(world, world.alice, "a1-b3")


@pytest.mark.parametrize(
    ("variant", "moves", "illegal", "words"),
    [
        ("drop-first", "a1-a2 a5-a4", "a2-a3", "all your men must be on the holes"),
        ("step", "a1-a2 a5-a4 b1-b2 b5-b4 c1-c3 c5-c2", "a2-b3", "one step"),
    ],
)
async def test_refusals_of_variants(
    world: World, variant: str, moves: str, illegal: str, words: str
) -> None:
    """What only a variant forbids is refused in the variant's words."""
    await world.challenge(game="nineholes", variant=variant)
    for ply, where in enumerate(moves.split()):
        await move(world, (world.alice, world.bob)[ply % 2], where)
    assert words in await refuse_move(world, world.alice, illegal)


async def test_what_was_written_is_shown_safely(world: World) -> None:
    """Bad notation comes back short, without format or mention."""
    await world.challenge()
    answer = await refuse_move(world, world.alice, "**@everyone** " + "x" * 500)
    assert r"\*\*@" in answer
    assert "@everyone" not in answer
    assert len(answer) < 300


async def test_a_stranger_may_not_move(world: World) -> None:
    """Carol is told who plays, with the way to a game of her own."""
    await world.challenge()
    answer = await refuse_move(world, world.carol, "b2")
    assert "alice" in answer and "bob" in answer and "`/play`" in answer


async def test_a_refused_move_links_to_the_board(world: World) -> None:
    """The answer leads to the board that is current."""
    await world.challenge()
    board = world.last
    answer = await refuse_move(world, world.bob, "b2")
    assert f"{board.channel.id}/{board.id}" in answer
    assert [m.id for m in world.boards()] == [board.id]


async def refuse_move(world: World, who: MemberActor, where: str) -> str:
    """Let somebody /move in vain; return the refusal."""
    return refused(await who.slash(world.channel, "move", where=where))


# --- autocomplete


async def test_the_legal_moves_are_offered(world: World) -> None:
    """All that are legal and nothing else, in the order of the board."""
    await world.challenge()
    await world.play("b2 a1")
    assert await choices(world, world.alice) == ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]


async def test_what_is_typed_narrows_the_choice(world: World) -> None:
    """Moves that begin with what stands there, whatever its case."""
    await world.challenge()
    await world.play("b2")
    assert await choices(world, world.bob, "B") == ["b1", "b3"]
    assert await choices(world, world.bob, "x") == []
    assert await choices(world, world.bob, "b2") == []


async def test_at_most_twenty_five_choices(world: World) -> None:
    """A hundred squares are more than Discord takes; typing a column shows its ten."""
    await world.challenge(rows=10, columns=10)
    assert len(await choices(world, world.alice)) == MAX_CHOICES
    assert await choices(world, world.alice, "j") == [f"j{row}" for row in range(1, 11)]
    assert await choices(world, world.alice, "j1") == ["j1", "j10"]


async def test_moves_of_men_are_offered(world: World) -> None:
    """Nine Holes: from-to moves, at most 25 of the 27, found by where they start."""
    await world.challenge(game="nineholes")
    assert len(await choices(world, world.alice)) == MAX_CHOICES
    found = await choices(world, world.alice, "b1-")
    assert len(found) == 9
    assert all(str(Move.parse(choice)).startswith("b1-") for choice in found)


async def test_nothing_is_offered_without_a_match(world: World) -> None:
    """Before a match and after it the list is empty, and never an error."""
    assert await choices(world, world.alice) == []
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    assert await choices(world, world.alice) == []


# --- /board


async def test_board_posts_the_board_again(world: World) -> None:
    """The new board replaces the old one, looks the same, and notifies nobody."""
    await world.challenge()
    await world.play("b2")
    before = world.last
    await world.carol.slash(world.channel, "board")
    (board,) = world.boards()
    assert board.id > before.id
    assert not mentioned(board, world.env)
    assert text(board).replace("**bob**,", f"<@{world.bob.id}>,") == text(before)
    await world.press(world.bob, "a1")
    assert "Last move: ⭕ a1" in text(world.last)


async def test_board_without_a_match(world: World) -> None:
    """Nothing is posted, and the answer says how to start."""
    assert "`/play`" in refused(await world.alice.slash(world.channel, "board"))
    await world.challenge()
    await world.play("a1 b1 a2 b2 a3")
    final = world.last
    answer = refused(await world.alice.slash(world.channel, "board"))
    assert "This match is over" in answer and str(final.id) in answer


async def test_board_mends_a_removed_board(world: World) -> None:
    """A moderator has deleted the board: /board posts it, and play goes on."""
    await world.challenge()
    world.env.backend.delete_message(world.channel.id, world.last.id)
    await world.bob.slash(world.channel, "board")
    await world.press(world.alice, "b2")
    assert len(world.boards()) == len(world.channel.history()) == 1


# --- /undo against the computer


@pytest.mark.parametrize("by_button", [False, True])
async def test_undo_against_the_computer(world: World, by_button: bool) -> None:
    """At once, back to the member's own decision: the computer's answer goes with the move."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await ask(world, world.alice, "Undo", by_button=by_button)
    assert len(await choices(world, world.alice)) == 9
    assert len(world.channel.history()) == 1
    assert not mentioned(world.last, world.env)


async def test_undo_step_by_step(world: World) -> None:
    """Asked twice, it goes back twice; then there is nothing left to take back."""
    await world.alice.slash(world.channel, "play tictactoe", first="opponent", rows=5)
    for _ in range(2):
        await move(world, world.alice, (await choices(world, world.alice))[0])
    assert len(await choices(world, world.alice)) == 20
    for left in (22, 24):
        await world.alice.slash(world.channel, "undo")
        assert len(await choices(world, world.alice)) == left
    assert "no move yet" in refused(await world.alice.slash(world.channel, "undo"))


@pytest.mark.parametrize("by_button", [False, True])
async def test_undo_after_the_end_against_the_computer(world: World, by_button: bool) -> None:
    """A lost game against the computer can be taken back and played on."""
    await world.alice.slash(world.channel, "play tictactoe", level="hard")
    await lose(world)
    assert "wins" in text(world.last)
    await ask(world, world.alice, "Undo", by_button=by_button)
    assert "**alice**, your move" in text(world.last)
    assert len(world.boards()) == 1


async def test_a_taken_back_resignation(world: World) -> None:
    """Resigning against the computer ends the game; Undo goes on before the last move."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    await world.alice.click(world.last, label="Undo")
    assert len(await choices(world, world.alice)) == 9


async def test_undo_needs_a_player(world: World) -> None:
    """A stranger takes nothing back, by command or by button."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    board = world.last
    assert "alice" in refused(await world.bob.slash(world.channel, "undo"))
    assert "alice" in refused(await world.bob.click(board, label="Undo"))
    assert "Last move" in text(world.now(board))


async def test_an_old_match_taken_up_again_is_the_current_one(world: World) -> None:
    """Undo on an older final board revives that match; commands then mean it and not the newer."""
    await world.alice.slash(world.channel, "play tictactoe", rows=4)
    await world.press(world.alice, "a1")
    await world.resign(world.alice)
    older = world.last
    await world.alice.slash(world.channel, "play tictactoe")
    await world.resign(world.alice)
    await world.alice.click(older, label="Undo")
    await move(world, world.alice, "d4")
    await world.alice.slash(world.channel, "undo")
    assert len(await choices(world, world.alice)) == 16


# --- /resign


@pytest.mark.parametrize("by_button", [False, True])
async def test_resign_asks_once_more(world: World, by_button: bool) -> None:
    """The question is private and names the winner; until Yes nothing happens."""
    await world.challenge()
    board = world.last
    asked = await ask(world, world.alice, "Resign", by_button=by_button)
    assert "**bob** would win" in refused(asked)
    assert [m.id for m in world.channel.history(viewer=world.bob)] == [board.id]
    await world.press(world.alice, "b2", board)
    assert asked.response is not None
    await world.alice.click(asked.response, label="Yes, resign")
    assert "**bob** wins! ❌ **alice** resigned" in text(world.last)
    assert text(asked.response).strip() == "You have resigned."
    assert not world.boards()


async def test_one_may_resign_out_of_turn(world: World) -> None:
    """Giving up needs no turn."""
    await world.challenge()
    await world.resign(world.bob)
    assert "**alice** wins" in text(world.last)


async def test_resigning_against_the_computer(world: World) -> None:
    """The computer wins, and no leaderboard counts it."""
    await world.alice.slash(world.channel, "play nineholes")
    await world.resign(world.alice)
    assert "**Computer (medium)** wins" in text(world.last)
    await world.alice.slash(world.channel, "leaderboard", by="wins")
    assert "Nobody has finished" in text(world.last)


async def test_a_stranger_resigns_nothing(world: World) -> None:
    """By command or by button: told who plays, and asked nothing."""
    await world.challenge()
    board = world.last
    assert "alice" in refused(await world.carol.slash(world.channel, "resign"))
    answer = await world.carol.click(board, label="Resign")
    assert "alice" in refused(answer)
    assert not labels_of(answer)


async def test_yes_after_the_end(world: World) -> None:
    """The question is still open when the match ends otherwise: Yes changes nothing."""
    await world.challenge()
    asked = await world.bob.click(world.last, label="Resign")
    await world.play("a1 b1 a2 b2 a3")
    assert asked.response is not None
    answer = await world.bob.click(asked.response, label="Yes, resign")
    assert "This match is over" in refused(answer)


async def test_resign_without_a_match(world: World) -> None:
    """There is nothing to resign before a match, nor after it."""
    assert "`/play`" in refused(await world.alice.slash(world.channel, "resign"))
    await world.challenge()
    await world.resign(world.alice)
    assert "over" in refused(await world.bob.slash(world.channel, "resign"))


# --- refusals without a match


@pytest.mark.parametrize("command", ["board", "undo", "resign", "draw", "rematch"])
async def test_commands_without_a_match(world: World, command: str) -> None:
    """In an empty channel each is refused with the way to start."""
    assert "`/play` starts one" in refused(await world.alice.slash(world.channel, command))


@pytest.mark.parametrize("command", ["undo", "draw", "rematch", "resign"])
async def test_commands_of_a_stranger(world: World, command: str) -> None:
    """In others' match each is refused, and nothing is posted."""
    await world.challenge()
    answer = refused(await world.carol.slash(world.channel, command))
    assert "**alice** vs **bob**" in answer
    assert len(world.channel.history(viewer=world.bob)) == 1


# --- /rules and /help


@pytest.mark.parametrize("game", GAMES)
async def test_rules_of_a_game(world: World, game: str) -> None:
    """/rules tells one game's rules, with its variants, privately."""
    answer = refused(await world.alice.slash(world.channel, "rules", game=game))
    for option in GAMES[game].declared:
        for choice in getattr(option, "choices", ()):
            assert f"`{choice}`" in answer
    others = set(GAMES) - {game}
    whole = refused(await world.alice.slash(world.channel, "rules"))
    assert answer in whole and len(whole) > len(answer) * bool(others)


async def test_rules_fit_a_message(world: World) -> None:
    """All the rules together keep to Discord's 4,000 characters of text in components."""
    assert len(refused(await world.alice.slash(world.channel, "rules"))) <= 4000


async def test_help_names_every_command(world: World) -> None:
    """/help is private, and leaves no command out but itself."""
    answer = refused(await world.alice.slash(world.channel, "help"))
    for command in world.alice.available_commands(world.channel):
        assert f"`/{command}" in answer or command == "help"


async def ask(world: World, who: MemberActor, label: str, *, by_button: bool) -> InteractionResult:
    """Ask for something by its button on the newest board, or by its command."""
    if by_button:
        return await who.click(world.last, label=label)
    return await who.slash(world.channel, label.lower())


async def lose(world: World) -> None:
    """Play badly against the computer until it has won."""
    while found := await choices(world, world.alice):
        await move(world, world.alice, found[0])


def labels_of(result: InteractionResult) -> list[str]:
    assert result.response is not None
    return labels(result.response)
