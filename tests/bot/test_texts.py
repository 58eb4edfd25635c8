"""The catalogue and the code hold together: no text is missing, none is left over, all can be said.

Keys that the code puts together from parts (`f"level.{level}"`) are enumerated here, from the same
enumerations and games that the code takes the parts from.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from babel.messages.pofile import read_po

import bot
from bot.commands import all_commands
from bot.commands.seats import OTHERS
from bot.errors import Refusal
from bot.i18n import Texts, texts_for
from bot.records import First, InvitationStatus, OfferKind, StoredMatch
from bot.render import words
from bot.render.refusals import refusal_text
from bot.views.codec import Action, Answer, Verb
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
from core.game import Choice, Game, Result, Termination
from core.games import GAMES
from core.grid import Move
from core.match import Match
from tests.bot.playing import DRAWN, HERE, X_WINS, begin
from tests.core.boards import ALICE, ROBOT, after

BOT = Path(bot.__file__).parent


@pytest.fixture
def texts() -> Texts:
    return texts_for("en-GB")


@cache
def catalogue() -> dict[str, str]:
    """Return every text by its key, as the file has them."""
    with (BOT / "i18n" / "en.po").open("rb") as source:
        return {str(m.id): str(m.string) for m in read_po(source, locale="en") if m.id}


# --- what the code asks for


@dataclass(frozen=True)
class Asked:
    """A call with a key: `form` has {} for each part put in; `values` is None where unknown."""

    form: str
    values: frozenset[str] | None
    where: str


def _form(node: ast.expr) -> str | None:
    """Return a string as it stands in the code, with {} for each part that an f-string puts in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return None


@cache
def _trees() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(BOT)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(BOT.rglob("*.py"))
    }


def _strings(tree: ast.AST) -> Iterator[str]:
    """Yield every string and f-string in the code, but not the parts of f-strings."""
    for node in ast.iter_child_nodes(tree):
        form = _form(node) if isinstance(node, ast.expr) else None
        if form is not None:
            yield form
        if not isinstance(node, ast.JoinedStr):
            yield from _strings(node)
        else:
            values = (part for part in node.values if isinstance(part, ast.FormattedValue))
            yield from chain.from_iterable(_strings(value) for value in values)


@cache
def forms() -> frozenset[str]:
    """Return every string of the code that looks like a key: a family of the catalogue, dotted."""
    families = {key.partition(".")[0] for key in catalogue()}
    key = re.compile(rf"(?:{'|'.join(families)})(?:\.[a-z_{{}}-]+)+")
    strings = chain.from_iterable(_strings(tree) for tree in _trees().values())
    return frozenset(string for string in strings if key.fullmatch(string))


def _calls() -> Iterator[Asked]:
    """Yield the calls whose first argument is a key or a form of keys."""
    for where, tree in _trees().items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            form = _form(node.args[0])
            if form is None or (form not in forms() and form not in catalogue()):
                continue
            names = [keyword.arg for keyword in node.keywords]
            known = frozenset(name for name in names if name is not None)
            values = None if None in names else known
            if values is not None and ast.unparse(node.func) == "Refusal":
                values |= {"players"}  # `refusal_text` gives the board's names to every refusal
            yield Asked(form, values, f"{where}:{node.lineno}")


def _options(game: Game) -> Iterator[str]:
    for option in game.declared:
        if isinstance(option, Choice):
            yield from option.choices


def enumerated() -> dict[str, list[str]]:
    """Return all keys of each form that the code puts together from parts."""
    commands = {command.name for command in all_commands(GAMES, texts_for("en"))} - {"play"}
    declared = {option.name for game in GAMES.values() for option in game.declared}
    variants = set(chain.from_iterable(_options(game) for game in GAMES.values()))
    closed = {*InvitationStatus} - {InvitationStatus.OPEN}
    parts: dict[str, set[str]] = {
        "game.{}": set(GAMES),
        "game.{}.title": set(GAMES),
        "game.{}.rules": set(GAMES),
        "variant.{}": variants,
        "level.{}": set(Level),
        "first.{}": set(First),
        "button.{}": {*Action, *Verb, *Answer},
        "result.{}": set(Result),
        "verdict.{}": set(Result),
        "verdict.{}.in": {Result.WIN, Result.LOSS},
        "hint.{}": {"lost", "bad", "even", "good", "won"},
        "review.step.{}": {"plain", "turning", "swing"},
        "challenge.{}": closed,
        "table.{}": closed - {InvitationStatus.DECLINED},
        "refusal.table.{}": closed - {InvitationStatus.DECLINED},
        "offer.{}": set(OfferKind),
        "offer.{}.declined": set(OfferKind),
        "command.{}": commands,
        "command.play.{}": set(GAMES),
        "option.{}": {*declared, *OTHERS, "level", "open", "first"},
        "refusal.illegal.{}": set(Illegal),
        "outcome.{}.{}": set(),  # not every pair is possible: `endings` has those that are
    }
    keys = {form: [form.format(part) for part in found] for form, found in parts.items()}
    keys["outcome.{}.{}"] = [f"outcome.{name}" for name in endings()]
    return keys


@cache
def endings() -> dict[str, Match]:
    """Return a finished match for every way in which one can end."""
    found = {
        "won.line": after(begin(), X_WINS),
        "lost.line": after(begin(options={"variant": "misere"}), X_WINS),
        "draw.full": after(begin(), DRAWN),
        "draw.agreement": begin().agree_draw(),
        "won.resignation": begin().resign(ALICE),
        "won.timeout": begin().time_out(),
        "draw.resignation": _deserted().resign(ALICE),
        "draw.timeout": _deserted().time_out(),
    }
    others = {
        Termination.BLOCKED: "won.blocked",
        Termination.REPETITION: "draw.repetition",
        Termination.PLY_LIMIT: "draw.ply_limit",
    }
    for name, board in {"won.exhausted": "BRRG -", "draw.exhausted": "BRG -"}.items():
        found[name] = replace(begin(game="tribolo"), start=GAMES["tribolo"].parse(board))
    for seed in range(300):
        match = _played_at_random(seed)
        assert match.outcome is not None
        if (termination := match.outcome.termination) in others:
            found.setdefault(others.pop(termination), match)
        if not others:
            break
    return found


def _deserted() -> Match:
    """Return a match of a member, who is to move, against two computers."""
    match = begin(ALICE, ROBOT, ROBOT, game="tribolo")
    return replace(match, start=GAMES["tribolo"].parse("BR./RG./GB. B"))


def _played_at_random(seed: int) -> Match:
    match, rng = begin(game="nineholes", options={"variant": "step"}), Random(seed)
    while (player := match.next_player) is not None:
        match = match.play(player, rng.choice(match.position.legal_moves()))
    return match


# --- the two together


def test_forms_are_enumerated() -> None:
    """Whoever puts a key together in a new way has to say here which keys that makes."""
    assert {form for form in forms() if "{}" in form} == set(enumerated())


def test_every_key_that_is_used_exists() -> None:
    """The code asks for no text that the catalogue doesn't have."""
    plain = {form for form in forms() if "{}" not in form}
    built = set(chain.from_iterable(enumerated().values()))
    assert sorted((plain | built) - set(catalogue())) == []


def test_every_key_that_exists_is_used() -> None:
    """The catalogue has no text that the code never asks for."""
    plain = {call.form for call in _calls()} | forms()
    built = set(chain.from_iterable(enumerated().values()))
    assert sorted(set(catalogue()) - plain - built) == []


def test_every_text_says_something() -> None:
    """No text is empty, has blanks at its ends, or places that can't be filled."""
    for key, text in catalogue().items():
        assert text.strip(), key
        assert text == text.strip() or key == "board.versus", key
        for _, name, spec, conversion in Formatter().parse(text):
            assert name is None or name.isidentifier(), key
            assert not spec, key
            assert conversion is None, key


def test_the_code_gives_what_the_texts_ask_for() -> None:
    """Every {place} of a text is filled by each call that is written out in the code."""
    short = []
    for call in _calls():
        for key in enumerated().get(call.form, [call.form]):
            asked = {name for _, name, _, _ in Formatter().parse(catalogue()[key]) if name}
            if call.values is not None and not asked <= call.values:
                short.append(f"{call.where}: {key} lacks {sorted(asked - call.values)}")
    assert short == []
    assert sum(call.values is not None for call in _calls()) > 50


def test_unknown_keys_are_errors(texts: Texts) -> None:
    """A missing text fails loudly, not as a key in somebody's chat."""
    with pytest.raises(KeyError, match=r"no\.such\.key"):
        texts("no.such.key")
    with pytest.raises(KeyError):
        texts("board.turn")  # without its values


@pytest.mark.parametrize("locale", ["en-US", "en-GB", "xx-YY", ""])
def test_every_locale_has_texts(locale: str) -> None:
    """Locales without a catalogue get English."""
    assert texts_for(locale)("level.easy") == "easy"


# --- said aloud


def test_every_ending_has_words(texts: Texts) -> None:
    """Each way in which a match can end is said with the names that it needs."""
    said = {}
    for name, match in endings().items():
        said[name] = words.result(match, ["Alice", "Bob", "Carol"][: match.game.seats], texts)
        assert "{" not in said[name]
    assert len(set(said.values())) == len(said) == 13
    assert "❌ Alice" in said["won.line"]
    assert "⭕ Bob" in said["lost.line"].partition("wins")[0]
    assert "a1 b1 c1" in said["won.line"]
    assert "⭕ Bob" in said["won.resignation"].partition("wins")[0]
    assert "100" in said["draw.ply_limit"]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_has_a_title(texts: Texts, game: Game) -> None:
    """Each variant has a title of its own."""
    titles = [
        words.title(game, game.resolve({option.name: choice}), texts)
        for option in game.declared
        if isinstance(option, Choice)
        for choice in option.choices
    ]
    assert len(set(titles)) == len(titles) >= 3
    assert all(title.startswith(texts(f"game.{game.key}")) for title in titles)


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
    *(IllegalMove(Move.parse("a1-b2"), reason) for reason in Illegal),
]


@pytest.mark.parametrize("error", REFUSED, ids=repr)
def test_every_error_of_the_core_has_words(texts: Texts, error: GameError) -> None:
    """Whatever the core refuses is told in a sentence, with the board's link where there is one."""
    names = ("Alice", None)
    board = StoredMatch(1, HERE, begin(ALICE, ROBOT), names, 1, board_id=30)
    told = refusal_text(Refusal(error, board), texts, str)
    assert "{" not in told
    assert told.partition("\n")[0][-1] in ".!"
    assert "https://discord.com/channels/10/20/30" in told


def test_the_errors_of_the_core_are_all_tested() -> None:
    """Each error that a player can run into stands in the list above."""

    def leaves(kind: type[GameError]) -> Iterator[type[GameError]]:
        below = kind.__subclasses__()
        yield from chain.from_iterable(map(leaves, below)) if below else [kind]

    unsaid = {kind.__name__ for kind in leaves(GameError)} - {type(e).__name__ for e in REFUSED}
    assert unsaid == {"PositionError"}  # stored texts only: a CorruptRowError by the time it shows
