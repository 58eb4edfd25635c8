"""Match records: round trips, refusals, and records of earlier versions."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.levels import levels_of
from core.errors import RecordError
from core.match.record import Record, read, write
from core.outcome import Termination
from core.players import Computer, Member, Player
from tests.core.boards import ALICE, BOB, ROBOT, TRIBOLO, after, begin
from tests.core.playthroughs import settings
from tests.core.records import FOLDER
from tests.core.test_laws import REGISTERED, Played, played
from tests.texts import ANY

ROOT = Path(__file__).parents[3]
GOLDEN = sorted(FOLDER.glob("*.rowbot"))
# Earlier versions also ranked the seats of a match that ended without a result.
RANKED = {"abandoned", "called-off"}
SAMPLE = write(after(begin(), "b2 a1 c3").resign(BOB), ("Alice", "Bob"))

_ODD_NAMES = ["", "member", 'a"\n', "\\u0041", "\x1b[2J\u2028"]
names = st.none() | st.text(ANY) | st.sampled_from(_ODD_NAMES)


@hypothesis.settings(max_examples=30)
@given(played(REGISTERED), st.data())
def test_a_record_round_trips(so_far: Played, data: st.DataObject) -> None:
    """This holds for any registered game and players, at any ply, after any ending."""
    match = so_far.match
    levels = levels_of(match.game, match.options)
    players: list[Player] = []
    called: list[str | None] = []
    for seat in range(match.game.seats):
        level = data.draw(st.none() | st.sampled_from(levels))
        players.append(Computer(level) if level else Member(seat))
        called.append(None if level else data.draw(names))
    match = replace(match, players=tuple(players))
    if match.outcome is None:
        ways = [
            match,
            match.agree_draw(),
            match.time_out(),
            *(match.depart(player) for player in players),
            *(match.resign(player) for player in players),
        ]
        match = data.draw(st.sampled_from(ways))
    text = write(match, called)
    assert read(text) == Record(match, tuple(called))
    assert all(line.isprintable() for line in text.split("\n"))


def test_ids_are_omitted() -> None:
    """A record names members by seat; one member at both seats reads as two."""
    record = read(write(after(begin(ALICE, ALICE), "b2"), ("Alice", "Alice")))
    assert record.match.players == (Member(0), Member(1))
    assert record.names == ("Alice", "Alice")


def test_names_are_optional() -> None:
    """Without names each member is called a member, in a game for any number of seats."""
    match = begin(ALICE, BOB, ROBOT, game=TRIBOLO)
    text = write(match)
    assert "seat 1: member\nseat 2: member\nseat 3: computer hard\n" in text
    assert read(text).names == (None, None, None)


def test_a_record_saved_by_an_editor() -> None:
    """Windows line endings, a byte order mark, indents and blank lines are accepted."""
    edited = "\ufeff" + SAMPLE.replace("\n", "  \r\n\r\n  ")
    assert read(edited) == read(SAMPLE)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_record_is_read(path: Path) -> None:
    """A record of any earlier version replays to its stated result, and is written as it was.

    All its positions read back, too.
    """
    text = path.read_text("utf-8")
    record = read(text)
    match = record.match
    assert (write(match, record.names) == text) is (path.stem not in RANKED)
    assert tuple(match.game.parse(one.notation) for one in match.positions) == match.positions
    told = text.splitlines()[-1].removeprefix("result: ").split(" | ")
    outcome = match.outcome
    if outcome is None:
        assert told == ["unfinished"]
        return
    if told == [outcome.termination]:
        assert not outcome.counts
        return
    assert told[:2] == [outcome.termination, f"ranks {' '.join(map(str, outcome.ranks))}"]
    squares = " ".join(map(str, sorted(outcome.squares)))
    assert told[2:] == ([f"squares {squares}"] if squares else [])


def test_golden_records_are_complete() -> None:
    """They cover each game and variant, and each termination."""
    matches = [read(path.read_text("utf-8")).match for path in GOLDEN]
    assert {m.outcome.termination for m in matches if m.outcome} == {*Termination}
    shown = {(m.game.key, *map(str, m.options.values())) for m in matches}
    for _, game, options in settings():
        assert (game.key, *map(str, game.resolve(options).values())) in shown


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("rowbot match 1", "rowbot match 2", "the first line is not 'rowbot match 1'"),
        (SAMPLE, "", "the first line is not 'rowbot match 1'"),
        ("game: tictactoe\n", "", "expected a line 'game: …', found 'options: rows=3"),
        ("tictactoe", "chess", "unknown game 'chess'"),
        ("rows=3", "rows=2", "make no board"),
        ("rows=3", "rows=x", "make no board"),
        ("rows=3", "rows", "make no board"),
        ("rows=3", "colour=3", "make no board"),
        ("rows=3", "rows=4", "the start is no position of these options"),
        ("start: classic 3 ", "start: classic 4 ", "no position of tictactoe"),
        ("rows=3", "rows=٣", "make no board"),
        ("rows=3", "rows=+3", "make no board"),
        ("rows=3", "rows=03", "make no board"),
        ("rows=3", "rows=4 rows=3", "make no board"),
        ("variant=classic", "variant=classic swap=on", "no position of these options"),
        ("start: classic", "start: misere", "no position of these options"),
        (".../.../...", ".../.../... swap", "no position of these options"),
        (".../.../...", "..../..../....", "no position of these options"),
        ('"Alice"', '"Ali', "not a player: '\"Ali'"),
        ('"Alice"', '"Alice" "Bob"', "not a player"),
        ('"Alice"', "Alice", "not a player: 'Alice'"),
        ('"Alice"', "hard", "not a player"),
        ('"Alice"', "computer godlike", "not a player"),
        ('"Alice"', "robot hard", "not a player"),
        ("seat 2", "seat 3", "expected a line 'seat 2: …', found 'seat 3"),
        ("moves: b2", "moves: z", "move 1, 'z', is not legal"),
        ("a1", "b2", "move 2, 'b2', is not legal"),
        ("a1", "a9", "move 2, 'a9', is not legal"),
        ("a1 c3", "a3 a2 c1 c2 b1", "move 6, 'b1', comes after the end"),
        ("ending: resignation 2", "ending: luck", "not an ending: 'luck'"),
        ("ending: resignation 2", "ending: resignation two", "not an ending"),
        ("ending: resignation 2", "ending: resignation", "not an ending"),
        ("ending: resignation 2", "ending: resignation ٢", "not an ending"),
        ("ending: resignation 2", "ending: agreement 2", "not an ending"),
        ("ending: resignation 2", "ending: line 2", "not an ending"),
        ("ending: resignation 2", "ending: full", "not an ending"),
        ("ending:", "left: 2 after 3 resignation\nending:", "withdrawals that can't have happened"),
        ("ending:", "left: 2 after 9 resignation\nending:", "withdrawals that can't have happened"),
        ("ending:", "left: 2 resignation\nending:", "not a withdrawal"),
        ("ending:", "left: 2 after 3 luck\nending:", "not a withdrawal"),
        ("ending: resignation 2", "ending: resignation 3", "an ending that can't have happened"),
        ("ending: resignation 2", "ending: resignation 0", "an ending that can't have happened"),
        ("ending:", "ending: resignation 1\nending:", "an ending that can't have happened"),
        ("ending: resignation 2\n", "", "but the moves lead to 'unfinished'"),
        ("ranks 1 2", "ranks 2 1", "the moves lead to 'resignation | ranks 1 2'"),
        ("result: resignation | ranks 1 2\n", "", "expected a line 'result: …', found the end"),
        ("ranks 1 2\n", "ranks 1 2\nresult: unfinished", "nothing should follow the result"),
        ("tictactoe", "\x1b[31m\x00", "unknown game '\\x1b[31m\\x00'"),
    ],
)
def test_a_malformed_record_is_refused(old: str, new: str, reason: str) -> None:
    """The error is one line, without any text that a terminal would interpret."""
    assert old in SAMPLE
    with pytest.raises(RecordError) as refused:
        read(SAMPLE.replace(old, new, 1))
    assert reason in str(refused.value)
    assert str(refused.value).isprintable()


def test_a_refusal_quotes_a_long_text_in_part() -> None:
    with pytest.raises(RecordError) as refused:
        read(SAMPLE.replace("b2", "b" * 100_000, 1))
    assert str(refused.value).startswith("move 1, 'bbb")
    assert len(str(refused.value)) < 400


@given(st.text(ANY) | st.text(alphabet=SAMPLE).map(lambda text: f"rowbot match 1\n{text}"))
def test_random_text_is_refused(text: str) -> None:
    """Random text raises RecordError and no other error."""
    with pytest.raises(RecordError):
        read(text)


def run(*arguments: str, given: bytes = b"") -> tuple[int, str, str]:
    """Return exit code, stdout and stderr of ``python -m core.match`` with these arguments."""
    ran = subprocess.run(
        [sys.executable, "-m", "core.match", *arguments],
        cwd=ROOT,
        input=given,
        capture_output=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii"},
    )
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


PRINTED = """\
nineholes variant=free
X: "Al\\xefce"
O: computer hard

 5 - O O
 4 . . .
 3 . . O
 2 . X .
 1 - X X
   a b c

1. a1-b2  2. a5-c3
resignation | ranks 2 1
"""


def test_the_core_prints_a_record(tmp_path: Path) -> None:
    """It prints players, board, moves and result, from a file or from standard input."""
    path = tmp_path / "match.rowbot"
    text = """rowbot match 1
        game: nineholes
        options: variant=free
        seat 1: "Alïce"
        seat 2: computer hard
        start: free OOO/.../.../.../XXX X
        moves: a1-b2 a5-c3
        ending: resignation 1
        result: resignation | ranks 2 1"""
    path.write_text(text, "utf-8")
    from_file = run(str(path))
    assert (from_file[0], from_file[1].replace("\r", ""), from_file[2]) == (0, PRINTED, "")
    assert run(given=text.encode()) == from_file


@pytest.mark.parametrize(
    ("arguments", "given"), [((), b"hello"), ((), b"\xff"), (("no such file",), b"")]
)
def test_the_core_refuses_a_malformed_record(arguments: tuple[str, ...], given: bytes) -> None:
    """One line gives the reason, and the exit code is nonzero."""
    exit_code, output, errors = run(*arguments, given=given)
    assert (exit_code, output, errors.count("\n")) == (1, "", 1)


def test_the_core_says_how_it_is_called() -> None:
    """It prints its usage for `--help`, and as an error if its arguments are wrong."""
    usage = "usage: python -m core.match [-h] [FILE]"
    code, output, errors = run("--help")
    assert (code, errors) == (0, "") and output.startswith(usage)
    code, output, errors = run("a", "b")
    assert (code, output) == (2, "") and errors.startswith(usage)
