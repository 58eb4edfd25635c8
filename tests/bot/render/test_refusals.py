"""Every refusal has words, which Discord takes and which mention nobody."""

import re
from collections.abc import Iterator
from itertools import chain
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.analysis.service import RatedRefusal
from bot.i18n import OwnTexts, own_texts
from bot.identity import MatchId, MemberId, MessageId
from bot.invitations.options import read_level
from bot.matches.model import StoredMatch
from bot.refusals import Refusal
from bot.render.refusals import refusal_text
from core.engine.levels import Level
from core.errors import (
    BadNotation,
    GameError,
    HasLeft,
    Illegal,
    IllegalMove,
    MatchOver,
    NotAPlayer,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    StalePly,
)
from core.games import GAMES
from core.grid import Move
from tests.bot.i18n.catalogue import LANGUAGES, catalogue, own_reasons
from tests.bot.playing import HERE, begin
from tests.core.boards import ALICE, BOB, CAROL, ROBOT
from tests.texts import ANY


@pytest.fixture
def texts() -> OwnTexts:
    return own_texts("en-GB")


REFUSED: list[GameError] = [
    BadNotation("castle"),
    NotYourTurn(),
    StalePly(1, 2),
    MatchOver(),
    NotAPlayer(),
    HasLeft(),
    NothingToUndo(),
    OptionError("rows", 99, (3, 10)),
    OptionError("line", 5, (3, 3)),
    OptionError("variant", "giant", ("classic", "torus")),
    *(IllegalMove(Move.parse("a1-b2"), reason) for reason in (*Illegal, *own_reasons())),
]


@pytest.mark.parametrize("error", REFUSED, ids=repr)
def test_every_error_of_the_core_has_words(texts: OwnTexts, error: GameError) -> None:
    """Each refusal by the core becomes a sentence, with the board's link if there is a board."""
    names = ("Alice", None)
    board = StoredMatch(
        MatchId(1), HERE, begin(ALICE, ROBOT), names, MatchId(1), (0, 0), board_id=MessageId(30)
    )
    told = refusal_text(Refusal(error, board), texts)
    assert "{" not in told
    assert told.partition("\n")[0][-1] in ".!"
    assert "https://discord.com/channels/10/20/30" in told


def test_the_errors_of_the_core_are_all_tested() -> None:
    """Each error that a player can cause is in the list above."""

    def leaves(kind: type[GameError]) -> Iterator[type[GameError]]:
        below = kind.__subclasses__()
        yield from chain.from_iterable(map(leaves, below)) if below else [kind]

    unsaid = {kind.__name__ for kind in leaves(GameError)} - {type(e).__name__ for e in REFUSED}
    # Players never cause these: they concern stored texts (shown as CorruptRowError) and records.
    assert unsaid == {"PositionError", "RecordError"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_missing_permissions_are_named(language: str) -> None:
    """The list is the bot's own, so it isn't shortened like texts of members."""
    texts = own_texts(language)
    lacking = (
        "view_channel",
        "send_messages",
        "create_public_threads",
        "send_messages_in_threads",
    )
    for key in ("refusal.tournament.missing", "refusal.settings.unposted"):
        told = refusal_text(Refusal(key, channels=(20,), permissions=lacking), texts)
        assert all(f"*{texts(f'permission.{name}')}*" in told for name in lacking), told


def test_lists_have_the_comma_of_their_language() -> None:
    """Lists of names and of levels do."""
    names, texts, game = ("alice", "bob", "carol"), own_texts("ja"), GAMES["tictactoe"]
    match = begin(ALICE, BOB, CAROL, game="tribolo")
    stored = StoredMatch(MatchId(1), HERE, match, names, MatchId(1), (0, 0, 0))
    assert "bob、carol" in refusal_text(RatedRefusal(stored, MemberId(ALICE.id)), texts)
    with pytest.raises(Refusal) as refused:
        read_level(game, game.resolve({}), "godlike", texts)
    first, second, *_ = (texts(f"level.{level}") for level in Level)
    assert f"{first}、{second}" in refusal_text(refused.value, texts)


def test_play_is_named_where_it_can_be_left_out() -> None:
    """Only the lines about what to do next name it, and the text about other channels."""
    named = {key for key, forms in catalogue().items() if "`/play`" in "".join(forms)}
    assert {key for key in named if key.startswith("refusal.")} == {
        *(key for key in named if key.startswith("refusal.next.")),
        "refusal.corrupt.free",
    }


# Lines that follow a refusal
FURTHER = (
    *("refusal.link", "refusal.see", "refusal.put_away_busy.anywhere"),
    *("board.back.anywhere", "board.back.here"),
    *(key for key in catalogue() if key.startswith("refusal.next.")),
)
REFUSALS = {
    key: forms[-1]
    for key, forms in catalogue().items()
    if key.startswith("refusal.") and key not in FURTHER
}
# The characters that the content of a message may have.
LIMIT = 2000
# Discord's own syntax; a backslash before it takes the power away.
MENTION = re.compile(r"(?<!\\)<(?:@|@&|@!|#|/|id:)|@everyone|@here")
HOSTILE = st.sampled_from(
    (
        "," * 2500,
        "@everyone " * 300,
        "<@&111111111111111111>" * 100,
        "<@222222222222222222>",
        "</play:1><id:guide><#333333333333333333>",
        "# big\n> quoted\n-# small",
        "||`[x](https://evil.example)`||" * 60,
        "\u202egnorw\u2066" * 400,
        "\u05d3\u2069" * 400,
        "@\u202eeveryone @\u2066here",
        "z" + "\u0363\u0489" * 3000,
        "👩‍👩‍👧‍👦" * 900,
        "*" * 6000,
        "{evil} {0} {players.__class__}",
        "\u05d0\u2069" * 60,
        "",
    )
) | st.text(ANY, max_size=6000)
NUMBERS = {"count", "channel", "low", "high"}
OWN = {"players", "permissions"}  # `refusal_text` fills them in by itself


@given(values=st.lists(HOSTILE, min_size=3, max_size=3), board=st.booleans())
def test_refusals_fit_into_a_message_and_mention_nobody(values: list[str], board: bool) -> None:
    """They do with anything that members can write as names, moves and options."""
    texts = own_texts("en-GB")
    further = tuple(texts(key, link="", channels="").rstrip(".)") for key in FURTHER)
    match = begin(ALICE, ROBOT)
    shown = StoredMatch(
        MatchId(1), HERE, match, (values[0], None), MatchId(1), (0, 0), board_id=MessageId(30)
    )
    refusals = [
        Refusal(key, shown if board else None, **{"channels": values[0], **filled(text, values)})
        for key, text in REFUSALS.items()
    ]
    unread = OptionError("variant", values[1], ("classic", "torus"))
    refusals += [Refusal(BadNotation(values[0])), Refusal(unread)]
    refusals += [Refusal(NotYourTurn(), shown), Refusal(NotAPlayer(), shown)]
    for refusal in refusals:
        told = refusal_text(refusal, texts)
        assert len(told.encode("utf-16-le")) // 2 <= LIMIT, told
        assert not MENTION.search(told), told
        assert not re.search("[\u202a-\u202e\u2066\u2067]", told)
        # What is in Arabic or Hebrew is isolated, and nothing that it holds ends that.
        assert told.count("\u2068") == told.count("\u2069"), told
        assert all(line.startswith(further) for line in told.splitlines()[1:]), told


def filled(text: str, values: list[str]) -> dict[str, Any]:
    """Return a value for each name in a text."""
    names = [name for _, name, _, _ in Formatter().parse(text) if name and name not in OWN]
    return {
        name: 10**18 if name in NUMBERS else values[n % len(values)] for n, name in enumerate(names)
    }
