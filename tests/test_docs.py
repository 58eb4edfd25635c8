"""The documentation names files, sections, programs and classes that exist."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageSequence, ImageStat

from bot.help.view import SECTIONS
from bot.pictures.frames import draw_board
from bot.settings import Settings
from core.engine.levels import Level
from core.games import GAMES
from tests.bot.i18n.catalogue import catalogue
from tests.discord.screenshots import PLAYERS, shown_in_the_readme

ROOT = Path(__file__).parents[1]
PAGES = sorted(chain(ROOT.glob("*.md"), (ROOT / "docs").rglob("*.md")))
FILES = [file for folder in ("bot", "core", "tests") for file in (ROOT / folder).rglob("*.py")]
TEXTS = [file.read_text(encoding="utf-8") for file in FILES]
CODE = "\n".join(TEXTS)
WORDS = {*re.findall(r"\w+", CODE)}
# Classes of Python and discord.py.
_OTHERS = {"Guild", "ProcessPoolExecutor"}
SETTINGS = {name.upper() for name in Settings.model_fields}
# Variables of Git and Podman, and a placeholder.
_NO_SETTINGS = {"ADDRESS_OF_THE_REPOSITORY", "BUILDAH_FORMAT", "ORIG_HEAD"}

# Labels of Discord itself, which the guide for members names.
_OF_DISCORD = {
    "Add App",
    "Add to My Apps",
    "Apps",
    "Manage Roles",
    "Server Settings → Integrations → Rowbot",
    "Use External Apps",
}

_ITALICS = re.compile(r"(?<![*\w])\*([^*]+)\*(?!\*)")
_LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"(?<!/)\b(?:bot|core|deploy|docs|migrations|tests)/[\w./*<>-]+")
_FILE = re.compile(r"(?:\w+/)*\w+\.py")
_MODULE = re.compile(r"-m ((?:bot|core|tests)(?:\.\w+)+)")
# A command that runs a program of the tests; in a table it may begin with the program's name.
_COMMAND = re.compile(r"(?:.*-m )?(tests(?:\.\w+)+)( .*)?")
_OPTION = re.compile(r"--[a-z-]+")
_CAPITALS = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")
# Commands and options in the guide: `/settings set`, `confirm: True`, `/puzzle move:b2`.
_TYPED = re.compile(r"(?:/[a-z ]+)?(?:\b[a-z_]+:.*)?|[a-z_]{2,}")
# A method, such as `MatchService.play`, perhaps with arguments.
_MEMBER = re.compile(r"([A-Z]+[a-z]\w*)\.(\w+)(?:\(.*\))?")


@cache
def members() -> dict[str, set[str]]:
    """Return the methods and attributes in the files that define a class, by its name."""
    found = defaultdict[str, set[str]](set)
    for text in TEXTS:
        named = re.findall(r"^ +(?:async )?(?:def |self\.)?(\w+)(?=\(| = |: )", text, re.MULTILINE)
        for name in re.findall(r"^class (\w+)", text, re.MULTILINE):
            found[name].update(named)
    return found


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    headings = _HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def missing(page: Path) -> Iterator[str]:
    """Yield the files, sections, classes and so on that a page names but that don't exist."""
    text = page.read_text(encoding="utf-8")
    for path, anchor in _LINK.findall(text):
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"({path}#{anchor})"
    for path in _PATH.findall(" ".join(_SPAN.findall(text))):
        if not list(ROOT.glob(re.sub(r"<\w+>", "*", path))):
            yield path
    yield from unknown_files(_SPAN.findall(text))
    yield from {*_CAPITALS.findall(text)} - SETTINGS - WORDS - _NO_SETTINGS
    for module in _MODULE.findall(text):
        folder = ROOT.joinpath(*module.split("."))
        if not (folder.with_suffix(".py").exists() or folder.is_dir()):
            yield module
    yield from not_taken(_SPAN.findall(text))
    for span in _SPAN.findall(text):
        member = _MEMBER.fullmatch(span)
        if member is None or member[1] in _OTHERS:
            continue
        if member[2] not in members()[member[1]]:
            yield span


def unknown_files(spans: Iterable[str]) -> Iterator[str]:
    """Yield the Python files, such as `matches/service.py`, that exist in no folder."""
    for span in filter(_FILE.fullmatch, spans):
        if not any(file.match(span) for file in (*FILES, ROOT / "setup.py")):
            yield span


def not_taken(spans: Iterable[str]) -> Iterator[str]:
    """Yield the commands whose program of the tests doesn't exist or doesn't take an option."""
    for span in spans:
        if command := _COMMAND.fullmatch(span):
            taken = _options(command[1])
            if taken is None or not taken.issuperset(_OPTION.findall(span)):
                yield span


def _options(module: str) -> set[str] | None:
    """Return the options of a program; None if no program has that name.

    Both fuzzers share one command line, and so its options.
    """
    named = ROOT.joinpath(*module.split("."))
    files = [named.with_suffix(".py"), named / "__main__.py"]
    code = "".join(file.read_text(encoding="utf-8") for file in files if file.exists())
    if "command.main" in code:
        code = (ROOT / "tests" / "fuzzing" / "command.py").read_text(encoding="utf-8")
    return {*re.findall(r'"(--[a-z-]+)"', code)} if code else None


def test_the_version_is_that_of_the_changelog() -> None:
    """An unreleased program doesn't call itself by the number of a release, as in its log."""
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    released = project["version"].removesuffix(".dev0")
    assert headings[0] == ("Unreleased" if released != project["version"] else released)
    assert released not in headings[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_in_the_documentation_exist(page: Path) -> None:
    """If a file, section, class or method is renamed or removed, no page may still name it."""
    assert list(missing(page)) == []


def test_commands_in_docstrings_exist() -> None:
    """A program of the tests takes the options with which any docstring calls it."""
    called = re.findall(r"(?:^    |`)(python -m tests[^`\n]*)", CODE, re.MULTILINE)
    assert len(called) > 10
    assert list(not_taken(called)) == []


def test_the_guide_names_what_members_press_by_its_label() -> None:
    """Names of buttons, menus, choices and permissions are in italics, exactly as shown."""
    guide = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
    shown = {form for forms in catalogue().values() for form in forms}
    named = {" ".join(name.split()) for name in _ITALICS.findall(guide)}
    assert len(named) > len(_OF_DISCORD)
    assert sorted(named - shown - _OF_DISCORD) == []


def test_the_guide_names_every_command() -> None:
    """`docs/playing.md` names a new command too."""
    guide = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
    untold = [one for one in chain(*SECTIONS.values()) if not re.search(rf"`/{one}\b", guide)]
    assert untold == []


@pytest.mark.parametrize("page", ["README.md", "docs/playing.md"])
def test_every_game_is_named(page: str) -> None:
    """The README and the guide for members name a new game too."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [key for key in GAMES if f"`/play {key}`" not in text] == []


def test_the_guide_names_commands_and_options_that_exist() -> None:
    """If one is renamed or removed, `docs/playing.md` may not name it any more."""
    guide = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
    typed = {span.partition(":") for span in _SPAN.findall(guide) if _TYPED.fullmatch(span)}
    words = {word for names, _, _ in typed for word in names.strip("/").split()}
    names = {key.removeprefix("name.") for key in catalogue() if key.startswith("name.")}
    assert len(words) > len(SECTIONS)
    assert sorted(word for word in words - names - {*Level} if len(word) > 1) == []


def test_files_that_catalogues_name_exist() -> None:
    """For example, comments for translators name the page with the rules."""
    for written in (ROOT / "bot" / "i18n").rglob("*.po"):
        comments = re.findall(r"^#.*$", written.read_text(encoding="utf-8"), re.MULTILINE)
        named = {
            path for path in _PATH.findall(" ".join(comments)) if not ROOT.joinpath(path).exists()
        }
        assert named == set(), written


def test_the_readme_shows_a_board_as_it_is_drawn() -> None:
    """After a change of the style, `python -m tests.discord.screenshots` makes the animation."""
    with Image.open(ROOT / "docs" / "board.gif") as animation:
        shown = ImageSequence.all_frames(animation)[-1].convert("RGB")
    drawn = Image.open(BytesIO(draw_board(shown_in_the_readme(), PLAYERS))).convert("RGB")
    assert max(ImageStat.Stat(ImageChops.difference(shown, drawn)).mean) < 1
