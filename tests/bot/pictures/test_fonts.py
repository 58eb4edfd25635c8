"""Pictures write every script for which the system has a font."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.check.machine import check_fonts
from bot.pictures import fonts
from bot.pictures.canvas import width_of
from bot.pictures.fonts import FONT, writable

# A letter that matplotlib's STIX has and DejaVu Sans lacks; here STIX stands for a Noto font.
LETTER = "ᶁ"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, the only one in which fonts of the system are looked for."""
    monkeypatch.setattr(fonts, "_FOLDERS", (tmp_path,))
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    for found in (fonts._found, fonts.fonts, fonts.font_of, fonts.families):  # noqa: SLF001
        found.cache_clear()


def test_without_a_font_there_is_a_box(folder: Path) -> None:
    """A letter that no font has is drawn as a box, and `check` names the scripts without a font."""
    assert writable(f"a{LETTER}{LETTER}b", 10) == "a□b"
    assert fonts.scripts_without_font() == list(fonts.SCRIPTS)
    finding = check_fonts()
    assert str(finding).startswith("⚠ fonts:") and "fonts-noto-cjk" in finding.text
    assert finding.well, "the bot works without them"


def test_a_font_of_the_system_is_used(folder: Path) -> None:
    """Each part of a text is written in a font that has it, and matplotlib knows the font too."""
    (folder / "noto").mkdir()
    thai = folder / "noto" / "NotoSansThai-Regular.ttf"
    shutil.copy(FONT.with_name("STIXGeneral.ttf"), thai)
    assert writable(f"a{LETTER}b", 10) == f"a{LETTER}b"
    assert list(fonts.runs(f"a{LETTER}b")) == [("a", FONT), (LETTER, thai), ("b", FONT)]
    assert width_of(f"a{LETTER}b", 16) > width_of("ab", 16)
    assert fonts.families() == ["DejaVu Sans", "STIXGeneral"]
    assert "Thai" not in fonts.scripts_without_font()


def test_marks_of_direction_are_no_boxes() -> None:
    """The marks around names that run from right to left aren't drawn."""
    assert writable("\u2067\u2068a1\u2069 \u200fab\u2069", 10) == "a1 ab"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("𝕱𝖆𝖓𝖈𝖞 𝓕𝓸𝓷𝓽", "Fancy Font"),
        ("Ａｄａ", "Ada"),
        ("🅂🅄🄼", "SUM"),
        ("ﬁn", "ﬁn"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_letters_in_another_style_are_drawn_plainly(name: str, shown: str) -> None:
    """If no font has a letter, the plain one that it stands for takes its place."""
    assert writable(name, 20) == shown
