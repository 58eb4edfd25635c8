"""The forms of boards: emoji, a picture, words, and what a channel sees if its players differ."""

from io import BytesIO
from typing import Any

import psutil
import pytest
from PIL import Image
from simcord.actors import MemberActor

from bot.matches import board_pictures
from tests.bot.processes import children, until
from tests.conftest import Calendar
from tests.discord.calls import CALLBACK, IN_CHANNEL
from tests.discord.conftest import Restart
from tests.discord.failing import PUT_OFF_SECONDS
from tests.discord.killing import REST_SECONDS
from tests.discord.matches.forms import pictures, wants
from tests.discord.matches.menus import choose, open_row
from tests.discord.matches.passing import DEFAULT, pass_time
from tests.discord.matches.three import mover
from tests.discord.matches.tribolo import WIDE, seated
from tests.discord.servers.moderating import change
from tests.discord.world import World, answer_to, ids, labels, newest, refused, text

# The largest board, on which only some of the lower rows have marks.
FULL = "/".join(["." * 16] * 6) + "/" + WIDE


async def test_a_wide_board_is_a_picture(world: World, restart: Restart) -> None:
    """Each message has the current board: after a turn, /board or an open menu, and at the end."""
    await seated(world, FULL, size="full")
    (alt,) = pictures(world.last)
    assert alt.startswith("Circle to move: alice. Rows 11 to 5: all empty. Row 4: triangle")
    assert "Row 4: triangle a to n, empty o p." in alt
    assert "▫️" not in text(world.last)
    (file,) = world.last.attachments
    with Image.open(BytesIO(await file.read())) as picture:
        assert picture.format == "PNG" and picture.width > 500
    await open_row(world, world.alice, "5")
    assert pictures(world.last) == [alt]
    await choose(world, world.alice, "c5")
    (alt,) = pictures(world.last)
    assert alt.startswith(
        "Last move: circle c5 (+4). Triangle to move: bob. Rows 11 to 6: all empty."
    )
    assert "Row 5: empty a b, d to p, circle c." in alt
    await restart()
    await world.bob.slash(world.channel, "board")
    assert pictures(world.last) == [alt]
    for who in (world.bob, world.carol):
        await world.resign(who)
    (alt,) = pictures(world.last)
    assert "🏆 alice (circle) wins!" in alt


async def test_a_server_or_a_member_wants_pictures(world: World, mod: MemberActor) -> None:
    """The squares stay buttons where they fit; edits of the board keep its picture."""
    await wants(world, world.bob, "picture")
    await world.challenge(game="nineholes")
    assert len(pictures(world.last)) == 1
    await world.move(world.alice, "a1-c4")
    board = world.last
    (alt,) = pictures(board)
    assert alt.startswith("Last move: X a1-c4.")
    await world.press(world.bob, "a5")
    assert pictures(world.now(board)) == [alt] and "a5 is picked" in text(world.now(board))
    await world.resign(world.alice)
    final = world.last
    await world.alice.click(final, label="Rematch")
    await world.bob.click(final, label="Rematch")
    assert len(pictures(world.now(final))) == len(pictures(world.last)) == 1
    assert "Rematch" not in labels(world.now(final))
    await wants(world, world.bob, "server")
    await world.alice.slash(world.channel, "board")
    assert pictures(world.last) == []
    await change(world, mod, boards="picture")
    await world.alice.slash(world.channel, "board")
    assert len(pictures(world.last)) == 1
    assert len(pictures(answer_to(await world.alice.slash(world.channel, "moves")))) == 1


async def test_a_match_in_words_alone_has_no_squares(world: World) -> None:
    """A lone player who wants words gets the last move and the rows, and moves by `/move`.

    The message doesn't mention pieces to press, since men are moved only by the command.
    """
    await wants(world, world.alice, "words")
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.alice.slash(world.channel, "move", where="b2")
    told = text(world.last).split("\n")
    assert told[0].startswith("Last move: circle ")
    assert told[1] == "X to move: **alice**."
    assert [line.partition(":")[0] for line in told[2:5]] == ["Row 3", "Row 2", "Row 1"]
    assert "X b" in told[3]
    assert not world.last.attachments and "❌" not in text(world.last)
    assert not [i for i in ids(world.last) if i[-1].isdigit() and i[-2] in "abc"]
    await world.resign(world.alice)
    await world.alice.slash(world.channel, "play nineholes", level="easy")
    assert "Press one of your pieces" not in text(world.last)
    assert "Use `/move a1-a2`." in text(world.last)


async def test_words_beside_a_board(world: World) -> None:
    """If one player wants words, the message has both: the words first, then the other's board."""
    await wants(world, world.alice, "words")
    await world.played("b2 a1 c3")
    told = text(world.last).split("\n")
    assert told[0] == "Last move: X c3."
    assert told[2:5] == [
        "-# Row 3: empty a b, X c.",
        "-# Row 2: empty a c, X b.",
        "-# Row 1: circle a, empty b c.",
    ]
    assert len(world.boards()) == 1
    await world.resign(world.bob)
    assert pictures(world.last) == ["The board as described above."]
    assert "Row 2: empty a c, X b." in text(world.last) and "▫️" not in text(world.last)


async def test_players_who_were_skipped_are_told_in_words(world: World) -> None:
    """The marks of those who had no move are words too, beside a board for the others as well."""
    await wants(world, world.alice, "words")
    await seated(world, "G.../.BG./.G.R B", size="small")
    for move in ("d2", "b3", "d3"):
        await (await mover(world)).slash(world.channel, "move", where=move)
    told = text(world.last)
    assert "No legal move, so skipped: **alice** (circle), **bob** (triangle)." in told
    assert "🔵" not in told and "🔺" not in told


async def test_private_boards_are_pictures_where_emoji_do_not_fit(world: World) -> None:
    """So are legal moves and hints on a wide board, with the moves in words beside the picture."""
    await seated(world, FULL, computers=2, size="full")
    asked = [await world.alice.slash(world.channel, name) for name in ("moves", "hint")]
    asked.append(await world.alice.click(world.last, label="Legal squares"))
    for answer in map(answer_to, asked):
        assert answer.ephemeral
        (alt,) = pictures(answer)
        assert alt.startswith("Circle to move: alice. Rows 11 to 5: all empty.")
        assert "▫️" not in text(answer)


async def test_private_boards_are_pictures_for_those_who_want_them(world: World) -> None:
    """So are mistakes in a review, replays and lines of play; each step changes the picture."""
    await wants(world, world.alice, "picture")
    await world.played("b2 a2 a1 c3 b1 b3 c1")
    review = answer_to(await world.alice.click(world.last, label="Analyse"))
    assert not pictures(review)
    await world.alice.click(review, label="Next")
    assert [alt[:20] for alt in pictures(world.now(review))] == ["Last move: X b2. Cir"]
    for label in ("Replay", "Best line"):
        opened = answer_to(await world.alice.click(world.now(review), label=label))
        seen = [pictures(opened)]
        for step in ("Next", "Back"):
            await world.alice.click(world.now(opened), label=step)
            seen.append(pictures(world.now(opened)))
        assert len(seen[0]) == len(seen[1]) == 1
        assert seen[0] != seen[1] and seen[0] == seen[2]
    await world.alice.click(world.now(review), label="Back")
    assert not pictures(world.now(review))


async def test_emoji_if_drawing_fails(world: World) -> None:
    """The board says so, the game goes on, and the next turn is a picture again."""
    before = children()
    await seated(world, FULL, size="full")
    for pid in children() - before:
        psutil.Process(pid).kill()
    await until(lambda: children() <= before)
    await choose(world, world.alice, "c5")
    assert pictures(world.last) == [] and "couldn't be drawn this time" in text(world.last)
    assert "▫️" in text(world.last) and len(world.public()) == 1
    await world.bob.slash(world.channel, "board")
    assert len(pictures(world.last)) == len(world.public()) == 1


async def test_emoji_if_drawing_takes_too_long(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has a sentence about it, since the machine may be too small."""
    await seated(world, FULL, size="full")
    monkeypatch.setattr(board_pictures, "_SECONDS", 0.0)
    await choose(world, world.alice, "c5")
    assert pictures(world.last) == []
    assert f"channel {world.channel.id} has no picture: it wasn't drawn within 0 s" in caplog.text


async def test_a_picture_that_is_put_off(world: World, calendar: Calendar) -> None:
    """If Discord refuses the board of a deadline at first, it comes later, with its picture."""
    await wants(world, world.bob, "picture")
    await world.challenge()
    await world.press(world.alice, "b2")
    world.env.inject_error(*IN_CHANNEL, status=503)
    await pass_time(world, calendar, DEFAULT)
    assert not [m for m in world.channel.history() if "ran out of time" in text(m)]
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert "ran out of time" in text(world.last)
    assert len(pictures(world.last)) == 1


async def test_a_match_without_moves_ends_without_its_board(world: World) -> None:
    """There is nothing to look back at: an empty board would only push the result away."""
    await world.challenge()
    await world.resign(world.bob)
    assert "**alice** wins" in text(world.last) and "▫️" not in text(world.last)
    await wants(world, world.alice, "picture")
    await world.challenge()
    await world.resign(world.bob)
    assert "**alice** wins" in text(world.last) and pictures(world.last) == []


async def test_a_picture_with_the_move_that_the_computer_owed(
    world: World, restart: Restart
) -> None:
    """After a start the board of an owed move is a picture too."""
    await wants(world, world.alice, "picture")
    await world.alice.slash(world.channel, "play tictactoe")
    (alt,) = pictures(world.last)
    await world.sql("UPDATE matches SET moves = 'b2', computer_due = 1")
    await restart()
    await world.env.advance_time(REST_SECONDS)
    assert (await world.stored()).match.ply == 2
    (later,) = pictures(world.last)
    assert "Last move: circle" in later and later != alt


async def test_emoji_if_the_bot_may_not_attach_files(world: World) -> None:
    """The board names the permission that the bot lacks for a picture."""
    await wants(world, world.alice, "picture")
    channel = world.channel_without("attach_files")
    await world.alice.slash(channel, "play tictactoe", rows=6, columns=6, line=4)
    board = newest(channel)
    assert not board.attachments
    assert "*Attach Files*" in text(board) and "▫️" in text(board)


async def test_emoji_if_discord_refuses_the_file(world: World) -> None:
    """If the answer is refused with its file, it is sent again without the file."""
    await seated(world, FULL, size="full")
    for path in ("/interactions/*/*/callback", "/channels/*/messages"):
        world.env.inject_error("POST", path, status=403, code=50013, times=1)
    await world.alice.slash(world.channel, "move", where="c5")
    assert pictures(world.last) == [] and "*Attach Files*" in text(world.last)
    assert "▫️" in text(world.last) and len(world.public()) == 1
    world.env.inject_error(*CALLBACK, status=403, code=50013, times=1)
    told = text(await world.bob.slash(world.channel, "moves"))
    assert "*Attach Files*" in told and "▫️" in told, "so is a private one"


async def test_private_answers_in_words(world: World) -> None:
    """A member who wants words gets them in refusals, legal moves, hints and a bystander's /board.

    Nobody else's answers have them.
    """
    row = "Row 2: empty a c, X b."
    await wants(world, world.alice, "words")
    await wants(world, world.carol, "words")
    await world.played("b2")
    assert row in refused(await world.alice.slash(world.channel, "move", where="a1"))
    assert row not in refused(await world.bob.slash(world.channel, "move", where="b2"))
    assert row in refused(await world.carol.slash(world.channel, "moves"))
    assert row not in refused(await world.bob.slash(world.channel, "moves"))
    await world.resign(world.bob)
    replayed = await world.carol.slash(world.channel, "replay")
    assert "Rows 3 to 1: all empty." in text(replayed)
    await wants(world, world.alice, "emoji")
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    seen = await world.carol.slash(world.channel, "board")
    assert "Rows 3 to 1: all empty." in text(seen) and seen.followups[-1].ephemeral
    assert "all empty" not in text(world.last)
    await wants(world, world.alice, "words")
    assert "Rows 3 to 1: all empty." in refused(await world.alice.slash(world.channel, "hint"))
    shown = await world.alice.slash(world.channel, "board")
    assert "Rows 3 to 1: all empty." in text(world.last) and not shown.followups


async def test_private_answers_speak_as_the_board_does(world: World) -> None:
    """In hints, legal moves, replays, lines and reviews, too, marks are words and never emoji."""
    await wants(world, world.alice, "words")
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    heard = [refused(await world.alice.slash(world.channel, name)) for name in ("hint", "moves")]
    assert "💡 X **a1** – draws." in heard[0]
    assert "**alice** (X) has 9 legal moves:" in heard[1]
    await world.resign(world.alice)
    await world.played("a1 a2 b1 b2 c1")
    for name in ("replay", "analyse"):
        shown = answer_to(await world.alice.slash(world.channel, name))
        heard.append(text(shown))
        if name == "replay":
            await world.alice.click(shown, label="Last")
            heard.append(text(world.now(shown)))
            assert "Last move: X c1." in heard[-1] and "🏆 **alice** (X) wins" in heard[-1]
        else:
            await world.alice.click(shown, label="Next")
            heard.append(text(world.now(shown)))
            assert "circle b2 – X wins in 1 move" in heard[-2] and "Best line: circle" in heard[-1]
    assert not [said for said in heard if "❌" in said or "🔵" in said]


async def test_private_answers_in_words_begin_with_what_was_asked_for(world: World) -> None:
    """Moves come before the rows, as on boards that are played on, so that they are heard first."""
    await wants(world, world.alice, "words")
    await world.challenge()

    async def asked(news: str, name: str, **options: Any) -> None:
        said = refused(await world.alice.slash(world.channel, name, **options))
        assert 0 <= said.find(news) < said.index("\nRow")

    await asked("9 legal moves:", "moves")
    await world.play("a1 a2 b1 b2 c1")
    await asked("Last move: circle a2.", "replay", move=2)
    await asked("wins with", "replay", move=5)
    await asked("Best line after move 2", "replay", move=2, best_line=True)
