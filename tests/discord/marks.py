"""The table of all marks, docs/marks.png: `python -m tests.discord.marks TWEMOJI`.

TWEMOJI is a folder with the pictures that Discord draws emoji by, such as `package` after

    npm pack @twemoji/svg@15.0.0 && tar xzf twemoji-svg-15.0.0.tgz

Chromium simulates how the marks look to people who don't see red or green, by the model of Machado,
Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency"
(2009), https://doi.org/10.1109/TVCG.2009.113.
"""

import argparse
from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser

from bot.render.emoji import BLANKS, CORNER, MARKS, STAR, TARGET, column_letter, row_number
from core.games import GAMES
from core.marks import Mark
from core.position import Blank
from tests.discord.program.browser import ROOT, open_browser

PICTURE = ROOT / "docs" / "marks.png"
COLOURS = 128
VISIONS = {
    "none": "All colours",
    "deuteranopia": "Deuteranopia (without green)",
    "protanopia": "Protanopia (without red)",
}
# Discord's colours in each theme: of text, background, and the styles of buttons.
THEMES = {
    "Light": ("#313338", "#ffffff", ("#e3e5e8", "#5865f2")),
    "Dark": ("#dbdee1", "#313338", ("#3e3f45", "#5865f2")),
}
HEADS = ("", "", "last", "taken", "on a button", "last or picked")
STYLE = """
    body { margin: 0; width: 1000px; font: 15px sans-serif; }
    h1 { font-size: 17px; margin: 0; padding: 10px 16px; background: #f2f3f5; color: #060607; }
    main { display: flex; }
    section { flex: 1; padding: 8px 16px 16px; }
    table { border-spacing: 6px 4px; }
    th { font-weight: normal; font-size: 12px; text-align: left; }
    td { white-space: nowrap; }
    img { width: 22px; height: 22px; vertical-align: middle; }
    .button { display: inline-block; padding: 4px 19px; border-radius: 8px; }
"""


class Table:
    """The table as a page, with emoji from a folder of Twemoji."""

    def __init__(self, twemoji: Path):
        self._twemoji = twemoji.resolve()

    def html(self, title: str) -> str:
        """Return the page: all marks on both themes, under a title."""
        themes = "".join(map(self._theme, THEMES))
        return f"<!doctype html><style>{STYLE}</style><h1>{escape(title)}</h1><main>{themes}</main>"

    def _theme(self, theme: str) -> str:
        ink, ground, styles = THEMES[theme]
        heads = "".join(f"<th>{escape(head)}</th>" for head in (theme, *HEADS[1:]))
        rows = "".join(f"<tr>{row}</tr>" for row in self._rows(styles))
        colours = f"color: {ink}; background: {ground}"
        return f'<section style="{colours}"><table><tr>{heads}</tr>{rows}</table></section>'

    def _rows(self, styles: tuple[str, str]) -> Iterator[str]:
        games: dict[Mark, list[str]] = {}
        for game in GAMES.values():
            for mark in game.marks:
                games.setdefault(mark, []).append(game.key)
        for mark, keys in games.items():
            plain, framed, taken, _ = MARKS[mark.shape]
            buttons = [self._button(plain, style) for style in styles]
            name = f"{mark}: {', '.join(keys)}"
            shown = [name, *map(self._drawn, (plain, framed, taken)), *buttons]
            yield "".join(f"<td>{cell}</td>" for cell in shown)
        blanks = [self._drawn(BLANKS[kind]) for kind in Blank]
        yield f"<td>empty, closed, wall</td><td colspan=5>{' '.join(blanks)}</td>"
        others = [self._drawn(emoji) for emoji in (STAR, TARGET)]
        yield f"<td>hint, legal square</td><td colspan=5>{' '.join(others)}</td>"
        labels = [row_number(8), row_number(9), row_number(10, 2), CORNER, column_letter(0)]
        drawn = " &nbsp; ".join(map(self._drawn, labels))
        yield f"<td>coordinates</td><td colspan=5>{drawn}</td>"

    def _button(self, emoji: str, colour: str) -> str:
        return f'<span class="button" style="background: {colour}">{self._drawn(emoji)}</span>'

    def _drawn(self, text: str) -> str:
        """Return the pictures of a text that is all emoji; a keycap is three characters."""
        clusters: list[list[str]] = []
        for character in text.replace("\ufe0f", ""):
            if character == "\u20e3":
                clusters[-1].append(character)
            else:
                clusters.append([character])
        names = ("-".join(f"{ord(part):x}" for part in cluster) for cluster in clusters)
        files = (self._twemoji / f"{name}.svg" for name in names)
        return "".join(f'<img src="{file.resolve(strict=True).as_uri()}">' for file in files)


def seen(chromium: Browser, page_file: Path, vision: str) -> Image.Image:
    """Return a picture of a page as people with this colour vision see it."""
    with chromium.new_page(viewport={"width": 1000, "height": 100}) as page:
        page.goto(page_file.as_uri())
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setEmulatedVisionDeficiency", {"type": vision})
        return Image.open(BytesIO(page.screenshot(full_page=True))).convert("RGB")


def main() -> None:
    """Draw the table for each colour vision, one below the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("twemoji", type=Path)
    table = Table(parser.parse_args().twemoji)
    pictures = []
    with TemporaryDirectory() as folder, open_browser() as chromium:
        for vision, title in VISIONS.items():
            file = Path(folder) / f"{vision}.html"
            file.write_text(table.html(title), encoding="utf-8")
            pictures.append(seen(chromium, file, vision))
    whole = Image.new("RGB", (pictures[0].width, sum(picture.height for picture in pictures)))
    top = 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height
    whole.quantize(COLOURS).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
