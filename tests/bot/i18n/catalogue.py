"""The keys that the code looks up in the catalogue.

Keys built from parts (`f"level.{level}"`) are enumerated here, from the same enumerations and games
that supply the parts.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from gettext import c2py
from itertools import chain
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from discord import AppCommandType, app_commands

import bot
from bot.achievements.rules import Achievement
from bot.app import create_bot
from bot.db.database import create_engine
from bot.forms import Form
from bot.gateway.permissions import NEEDED
from bot.help.view import SECTIONS
from bot.honours.model import RoleHolder, Trouble
from bot.invitations.model import First, InvitationStatus, Verb
from bot.invitations.options import annotations
from bot.leaderboard.model import Period, Scope
from bot.matches.board_pictures import Undrawn
from bot.matches.model import OfferKind
from bot.matches.presses import Step, Way
from bot.matches.settings import Challengers
from bot.offers.model import Answer
from bot.ratings.model import By, Unrated, Visibility
from bot.render import telling
from bot.settings import Settings
from bot.tournaments.model import Format, Stage
from bot.tournaments.obstacles import ObstacleKind
from bot.tournaments.stored import NoteKind
from core.engine.levels import Level
from core.errors import Illegal, Reason
from core.game import Game
from core.games import GAMES
from core.marks import Shape
from core.match import Match, record
from core.options import Choice, Flag
from core.outcome import NO_RESULT, Result, Termination
from core.position import Blank
from core.puzzles.finding import Difficulty, Goal
from tests.bot.playing import begin
from tests.core.boards import ALICE, ROBOT
from tests.core.records import FOLDER

BOT = Path(bot.__file__).parent
# The calls that make a refusal, including those in subclasses.
_REFUSALS = ("Refusal", "super().__init__")


LANGUAGES = sorted(folder.parent.name for folder in (BOT / "i18n").glob("*/LC_MESSAGES"))


@cache
def read(language: str) -> Catalog:
    """Return the catalogue of a language as Babel reads it."""
    with (BOT / "i18n" / language / "LC_MESSAGES" / "rowbot.po").open("rb") as source:
        return read_po(source, locale=language)


@cache
def catalogue(language: str = "en") -> dict[str, tuple[str, ...]]:
    """Return the texts of a catalogue by key, by default in English; plurals in all forms."""
    messages = [message for message in read(language) if message.id]
    # The plural id repeats the key, because gettext requires one.
    return {
        _parts(message.id)[0]: _parts(message.string)
        for message in messages
        if len({*_parts(message.id)}) == 1
    }


def in_words(language: str, forms: Sequence[str]) -> Iterator[str]:
    """Yield the plural forms that stand for one number only, and that spell it in words."""
    if len(forms) > 1:
        chosen = Counter(map(c2py(read(language).plural_expr), range(1000)))
        yield from (
            text for form, text in enumerate(forms) if chosen[form] == 1 and "{count}" not in text
        )


def _parts(string: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string or ())


@dataclass(frozen=True)
class Asked:
    """A lookup of a key: `form` has {} for each inserted part; `values` is None if unknown."""

    form: str
    values: frozenset[str] | None
    where: str


def _form(node: ast.expr) -> str | None:
    """Return a string of the code, with {} for each part that an f-string inserts."""
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
    """Yield every string and f-string of the code, but not the parts of f-strings."""
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
    """Return the strings in the code that look like keys: dotted, starting with a known family."""
    families = {key.partition(".")[0] for key in catalogue()}
    key = re.compile(rf"(?:{'|'.join(families)})(?:\.[a-z_{{}}-]+)+")
    strings = chain.from_iterable(_strings(tree) for tree in _trees().values())
    return frozenset(string for string in strings if key.fullmatch(string))


def calls() -> Iterator[Asked]:
    """Yield the calls whose first argument is a key or a form."""
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
            if values is not None and ast.unparse(node.func) in _REFUSALS:
                values |= {"players"}  # `refusal_text` passes the board's names to every refusal
            yield Asked(form, values, f"{where}:{node.lineno}")


def _of_games() -> dict[str, set[str]]:
    """Return the keys made of a game's key and the name of something the game declares."""
    own: dict[str, set[str]] = {
        f"game.{{}}.{rest}": set()
        for rest in (
            "option.{}",
            "variant.{}",
            "variant.{}.rule",
            "flag.{}",
            "flag.{}.rule",
            "illegal.{}",
        )
    }
    for game in GAMES.values():
        for option in game.declared:
            own["game.{}.option.{}"].add(f"game.{game.key}.option.{option.name}")
            if isinstance(option, Choice):
                named = {f"game.{game.key}.variant.{choice}" for choice in option.choices}
                own["game.{}.variant.{}"] |= named
                own["game.{}.variant.{}.rule"] |= {f"{name}.rule" for name in named}
            if isinstance(option, Flag):
                own["game.{}.flag.{}"].add(f"game.{game.key}.flag.{option.name}")
                own["game.{}.flag.{}.rule"].add(f"game.{game.key}.flag.{option.name}.rule")
    own["game.{}.illegal.{}"] = {f"game.{r.game}.illegal.{r}" for r in own_reasons()}
    return own


def _of_play(game: Game) -> set[str]:
    """Return the options of a game's `/play` that the game doesn't declare."""
    return {*annotations(game)} - {option.name for option in game.declared}


def own_reasons() -> list[Reason]:
    """Return the games' own reasons for refusing a move."""
    return [r for reasons in Reason.__subclasses__() for r in reasons if r.game in GAMES]


def names_of(
    commands: Iterable[app_commands.Command[Any, ..., Any] | app_commands.Group],
) -> set[str]:
    """Return the names of commands, of their subcommands, and of the options of both."""
    found = set()
    for command in commands:
        found.add(command.name)
        if isinstance(command, app_commands.Group):
            found |= names_of(command.commands)
        else:
            found |= {option.name for option in command.parameters}
    return found


@cache
def enumerated() -> dict[str, list[str]]:
    """Return all keys of each form that the code builds from parts."""
    unused = create_engine("sqlite:///unused.db")
    tree = create_bot(Settings.model_construct(), unused).tree
    commands = {command.qualified_name.replace(" ", ".") for command in tree.walk_commands()}
    of_games = {f"{group}.{game}" for group in ("play", "tournament.create") for game in GAMES}
    settings = tree.get_command("settings")
    assert isinstance(settings, app_commands.Group)
    set_here = {
        command.name: {option.name for option in command.parameters}
        for command in settings.commands
        if isinstance(command, app_commands.Command)
    }
    # Of a match that has begun elsewhere, members are told as of one that has begun in the channel.
    closed = {*InvitationStatus} - {InvitationStatus.OPEN, InvitationStatus.MOVED}
    parts: dict[str, set[str]] = {
        "name.{}": names_of(tree.get_commands(type=AppCommandType.chat_input)),
        "game.{}": set(GAMES),
        "game.{}.title": set(GAMES),
        "game.{}.rules": set(GAMES),
        "game.{}.command": set(GAMES),
        "game.{}.example": set(GAMES),
        "help.section.{}": set(SECTIONS),
        "level.{}": set(Level),
        "first.{}": set(First),
        "button.{}": {*Verb, *Answer},
        "begin.{}": set(Way),
        "button.begin.{}": set(Way),
        "result.{}": set(Result),
        "history.{}": set(Result),
        "verdict.{}": set(Result),
        "verdict.{}.in": {Result.WIN, Result.LOSS},
        "hint.{}": {"lost", "bad", "even", "good", "won"},
        "review.step.{}": {"plain", "turning", "swing"},
        "board.by.{}": {"move", "row", "man"},
        "select.of.{}": {"row", "man"},
        "called_off.{}": {"match", "challenges"},
        "challenge.{}": closed
        - {InvitationStatus.BEGUN, InvitationStatus.LEFT, InvitationStatus.CALLED_OFF},
        "table.{}": {InvitationStatus.WITHDRAWN, InvitationStatus.LEFT, InvitationStatus.LAPSED},
        "refusal.table.{}": closed - {InvitationStatus.DECLINED},
        "offer.{}": set(OfferKind),
        "offer.{}.declined": set(OfferKind),
        "offer.{}.made": set(OfferKind),
        "command.{}": commands - of_games,
        "period.{}": set(Period),
        "by.{}": set(By),
        "leaderboard.counting.{}": {*By, Scope.EVERYWHERE},
        "replay.{}": {Step.FIRST, Step.BACK, Step.NEXT, Step.LAST},
        "streak.{}": set(Result),
        "duration.{}": {"days", "hours", "minutes", "seconds"},
        "option.{}": {name for game in GAMES.values() for name in _of_play(game)},
        "board.unrated.{}": set(Unrated),
        "option.settings.{}": set_here["set"],
        "option.tournament.{}": {
            *("format", "clock", "places", "start", "role", "rated", "rounds", "channels"),
        },
        "tournament.format.{}": set(Format),
        "tournament.stage.{}": set(Stage),
        "tournament.start.{}": {"full", "button"},
        "tournament.starts.{}": {"full", "button"},
        "tournament.result.{}": {"first", "second", "draw", "nobody"},
        "button.tournament.{}": {"withdraw", "cancel", "drop"},
        "tournament.note.{}": set(NoteKind),
        "tournament.picture.{}": {"bracket", "table"},
        "tournament.tie_break.{}": {"buchholz", "sonneborn"},
        "tournament.obstacle.{}": set(ObstacleKind),
        "settings.final.{}": {"stay", "go"},
        "challenges.{}": set(Challengers),
        "everywhere.{}": set(Visibility),
        "scope.{}": set(Scope),
        "holder.{}": set(RoleHolder),
        "achievement.{}": {one for one in Achievement if one.level is None},
        "achievement.{}.how": {one for one in Achievement if one.level is None},
        "honours.seasons.{}": {"here", "off"},
        "honours.achievements.{}": {"told", "untold"},
        "honours.everywhere.{}": {"on", "off"},
        "honours.trouble.{}": set(Trouble),
        "option.honours.{}": set_here["honours"],
        "option.role.{}": set_here["role"],
        "settings.board.{}": {*Form, "server"},
        "board.undrawn.{}": set(Undrawn),
        "puzzle.difficulty.{}": set(Difficulty),
        "puzzle.goal.{}": set(Goal),
        "puzzle.wrong.{}": {"loses", "draws"},
        "puzzle.wrong.{}.now": {"loses", "draws"},
        "spoken.mark.{}": set(Shape),
        "spoken.blank.{}": {blank.name.lower() for blank in Blank},
        "permission.{}": {*NEEDED, "create_public_threads", "private_thread"},
        "refusal.illegal.{}": set(Illegal),
        "refusal.notation.{}": {"column", "man", "square"},
        "outcome.{}": set(NO_RESULT),
        "refusal.{}": {*NO_RESULT - {Termination.VOIDED}},  # no tournament game is taken back
        "outcome.{}.{}": set(),  # not every pair is possible; `endings` has the possible ones
    }
    keys = {form: [form.format(part) for part in found] for form, found in parts.items()}
    keys |= {form: list(found) for form, found in _of_games().items()}
    keys["outcome.{}.{}"] = [f"outcome.{name}" for name in endings()]
    return keys


@cache
def endings() -> dict[str, Match]:
    """Return a match for each way to end with a result, by the rest of the way's key.

    These are the golden records' matches, and matches that a member has left to computers.
    """
    paths = sorted(FOLDER.glob("*.rowbot"))
    found = [record.read(path.read_text("utf-8")).match for path in paths]
    match = begin(ALICE, ROBOT, ROBOT, game="tribolo")
    match = replace(match, initial=GAMES["tribolo"].parse("BR./RG./GB. B"))
    found += [match.resign(ALICE), match.time_out(), match.depart(ALICE)]
    return {
        f"{telling._kind(match, match.outcome)}.{match.outcome.termination}": match  # noqa: SLF001
        for match in found
        if match.outcome and match.outcome.has_result
    }
