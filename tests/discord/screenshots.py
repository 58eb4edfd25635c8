"""Pictures of real boards, for review: `python -m tests.discord.screenshots FOLDER`.

It also makes the README's pictures, docs/message.png and docs/board.gif.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Locator, ViewportSize

from bot.pictures.frames import animate
from core.match import Match
from tests.discord.program.browser import ROOT, Page, Program, open_browser, open_page

MARGIN = 16
DESK: ViewportSize = {"width": 1280, "height": 1000}
PHONE: ViewportSize = {"width": 390, "height": 844}
SHOWN_IN_THE_README = "d5 b5 e1 e2 e5 d1 d3 c2 a1 e4 b3 c1 a2 c4 c3 e3 a3"
PLAYERS = ("alice", "bob")
# The part of the 5x5 board's picture that the README shows: left, top, right and bottom in pixels.
README_PART = (MARGIN, 0, 1000 + MARGIN, 826)
Scene = Callable[[Page, Path], None]


def three_by_three(page: Page, folder: Path) -> None:
    begin(page, "/play tictactoe")
    press(page, "b2", "a1", "c1")
    page.as_member("bob")
    shoot(page.boards().last, folder / "a-middle.png")
    page.press("a3")
    page.as_member("alice")
    page.press("a2")
    page.as_member("bob")
    page.press("c2")
    page.as_member("alice")
    page.press("b1")
    page.as_member("bob")
    page.press("b3")
    page.as_member("alice")
    page.press("c3")
    shoot(page.messages().last, folder / "b-draw.png")
    page.command("/leaderboard")
    shoot(page.messages().last, folder / "i-leaderboard.png")


def won(page: Page, folder: Path) -> None:
    begin(page, "/play tictactoe")
    press(page, "b2", "a1", "c1", "a2", "a3")
    shoot(page.messages().last, folder / "b-final.png")
    page.command("/leaderboard")
    shoot(page.messages().last, folder / "i-leaderboard.png")


def nine_holes(page: Page, folder: Path) -> None:
    begin(page, "/play nineholes")
    shoot(page.boards().last, folder / "c-start.png")
    press(page, "a1", "a2", "a5", "b3")
    page.press("b1")
    shoot(page.boards().last, folder / "c-picked.png")
    page.press("b2")
    press(page, "b5", "b4", "c1", "c2", first="bob")
    shoot(page.messages().last, folder / "c-final.png")


def five_by_five(page: Page, folder: Path) -> None:
    begin(page, "/play tictactoe", rows="5", columns="5")
    press(page, "c3", "b2", "d4", "e5")
    shoot(page.boards().last, folder / "d-5x5.png")


def six_by_six(page: Page, folder: Path) -> None:
    begin(page, "/play tictactoe", rows="6", columns="6", line="3")
    shoot(page.messages().last, folder / "e-6x6-start.png")
    move(page, "c3", "d4")
    shoot(page.messages().last, folder / "e-6x6.png")
    move(page, "c4", "d5", "c5")
    shoot(page.messages().last, folder / "e-6x6-final.png")


def nine_by_four(page: Page, folder: Path) -> None:
    begin(page, "/play tictactoe", rows="9", columns="4")
    move(page, "b5", "c6", "b6")
    shoot(page.messages().last, folder / "f-9x4.png")


def ten_by_ten(page: Page, folder: Path) -> None:
    begin(page, "/play tictactoe", rows="10", columns="10")
    move(page, "e5", "j10", "f6")
    shoot(page.messages().last, folder / "g-10x10.png")
    page.click("7")
    shoot(page.private().last, folder / "g-10x10-row.png")
    page.browser.set_viewport_size(PHONE)
    page.messages().nth(-2).scroll_into_view_if_needed()
    page.browser.screenshot(path=folder / "g-10x10-phone.png")


def connect_four(page: Page, folder: Path) -> None:
    page.command("/rules")
    page.click("Connect four")
    page.browser.wait_for_timeout(4000)
    shoot(page.messages().last, folder / "p-rules.png")
    begin(page, "/play connectfour")
    press(page, *"ddddddeec")
    shoot(page.messages().last, folder / "p-7x6.png")
    page.browser.set_viewport_size(PHONE)
    page.messages().last.scroll_into_view_if_needed()
    page.browser.screenshot(path=folder / "p-7x6-phone.png")
    page.browser.set_viewport_size(DESK)
    page.as_member("alice")
    page.command("/resign")
    page.click("Yes, resign")
    begin(page, "/play connectfour", rows="10", columns="10", line="5")
    press(page, *"abab")
    page.browser.set_viewport_size(PHONE)
    page.messages().last.scroll_into_view_if_needed()
    page.browser.screenshot(path=folder / "p-10x10-phone.png")
    page.browser.set_viewport_size(DESK)
    press(page, *"ababa")
    shoot(page.messages().last, folder / "p-10x10-final.png")


def tribolo(page: Page, folder: Path) -> None:
    for size in ("small", "medium", "full"):
        page.command("/play tribolo", size=size, level="medium")
        shoot(page.messages().last, folder / f"n-{size}.png")
        page.click("Legal squares")
        shoot(page.private().last, folder / f"n-{size}-legal.png")
        page.click("Resign")
        page.click("Yes, resign")


def tables(page: Page, folder: Path) -> None:
    page.command("/play tribolo", open="True", level="hard")
    shoot(page.messages().last, folder / "o-table.png")
    page.as_member("bob")
    page.click("Join")
    shoot(page.messages().last, folder / "o-joined.png")
    page.as_member("alice")
    page.click("Start")
    shoot(page.messages().last, folder / "o-started.png")
    page.command("/resign")
    shoot(page.private().last, folder / "o-resign.png")
    page.click("Yes, leave")
    shoot(page.messages().last, folder / "o-left.png")
    page.command("/settings show")
    shoot(page.private().last, folder / "o-settings.png")
    page.command("/games")
    shoot(page.private().last, folder / "o-games.png")


def computer(page: Page, folder: Path) -> None:
    page.command("/play tictactoe", level="easy")
    page.press("b2")
    shoot(page.boards().last, folder / "k-computer.png")


def insight(page: Page, folder: Path) -> None:
    begin(page, "/play tictactoe", rows="4", columns="4", line="3")
    press(page, "b2")
    page.as_member("bob")
    page.command("/hint")
    shoot(page.private().last, folder / "l-hint.png")
    press(page, "d4", "c3", "a4", "a1", first="bob")
    page.as_member("bob")
    page.click("Analyse")
    shoot(page.private().last, folder / "l-analysis.png")


def records(page: Page, folder: Path) -> None:
    for played in range(6):
        begin(page, "/play tictactoe")
        if played % 3 == 2:
            press(page, "a1", "b2", "a2", "b1", "c1", "b3")
        else:
            press(page, "b2", "a1", "c1", "a2", "a3")
        page.as_member("alice")
    shoot(page.messages().last, folder / "m-rated.png")
    page.click("Replay")
    page.click("Next")
    page.click("Next")
    shoot(page.private().last, folder / "m-replay.png")
    page.click("Export")
    page.browser.wait_for_timeout(4000)
    shoot(page.private().last, folder / "m-export.png")
    for command, name in (("/leaderboard", "m-leaderboard"), ("/profile", "m-profile")):
        page.command(command)
        page.browser.wait_for_timeout(4000)
        shoot(page.messages().last, folder / f"{name}.png")
    page.command("/history")
    shoot(page.private().last, folder / "m-history.png")
    page.command("/mydata delete")
    shoot(page.private().last, folder / "m-mydata.png")


def words(page: Page, folder: Path) -> None:
    page.command("/rules")
    shoot(page.messages().last, folder / "j-rules.png")
    page.command("/help")
    shoot(page.messages().last, folder / "j-help.png")
    page.command("/play tictactoe", against="bob", variant="misère", first="random")
    shoot(page.messages().last, folder / "h-challenge.png")
    page.browser.screenshot(path=folder / "h-page.png")


SCENES: tuple[Scene, ...] = (
    three_by_three,
    won,
    nine_holes,
    five_by_five,
    six_by_six,
    nine_by_four,
    ten_by_ten,
    connect_four,
    tribolo,
    tables,
    computer,
    insight,
    records,
    words,
)


def begin(page: Page, command: str, **options: str) -> None:
    """Let alice challenge bob and bob accept, and show alice's view."""
    page.command(command, against="bob", **options)
    page.as_member("bob")
    page.click("Accept")
    page.as_member("alice")


def press(page: Page, *presses: str, first: str = "alice") -> None:
    """Press squares in turns, and show the next player's view. A man takes two presses."""
    each = 2 if "hole" in page.texts()[-1].lower() else 1
    names = ("alice", "bob") if first == "alice" else ("bob", "alice")
    for i, square in enumerate(presses):
        page.as_member(names[i // each % 2])
        page.press(square)
    page.as_member(names[len(presses) // each % 2])


def move(page: Page, *moves: str) -> None:
    """Make moves by command, alice first, and show the view of the next player."""
    for i, where in enumerate(moves):
        page.as_member(("alice", "bob")[i % 2])
        page.command("/move", where=where)
    page.as_member(("alice", "bob")[len(moves) % 2])


def shoot(message: Locator, path: Path) -> None:
    """Take a picture of a message, cropped to its content and without hover effects."""
    page = message.page
    page.mouse.move(0, 0)
    message.scroll_into_view_if_needed()
    box = message.bounding_box()
    framed = message.locator(".component-container").last
    inner = framed.bounding_box() if framed.count() else box
    assert box is not None and inner is not None
    width = min(box["width"], inner["x"] + inner["width"] + MARGIN - box["x"])
    page.screenshot(path=path, clip={**box, "width": width})


def play(scene: Scene, chromium: Browser, folder: Path) -> None:
    """Play a scene in its own program."""
    with TemporaryDirectory() as home:
        program = Program(Path(home))
        try:
            with open_page(chromium, program.url(), scale=2) as page:
                scene(page, folder)
        finally:
            program.kill()


def shown_in_the_readme() -> Match:
    """Return the match of the README's animation."""
    match = Match.start("tictactoe", rows=5, line=4)
    for move in SHOWN_IN_THE_README.split():
        match = match.play(move)
    return match


def message_in_the_readme(folder: Path) -> Image.Image:
    """Return the README's picture of a message, from the 5x5 board in `folder`."""
    with Image.open(folder / "d-5x5.png") as shot:
        part = shot.convert("RGB").crop(README_PART)
    return part.quantize(128, dither=Image.Dither.NONE)


def main() -> None:
    """Play every scene, each in its own program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with open_browser() as chromium:
        for scene in SCENES:
            print(scene.__name__)
            play(scene, chromium, folder)
    message_in_the_readme(folder).save(ROOT / "docs" / "message.png", optimize=True)
    (ROOT / "docs" / "board.gif").write_bytes(animate(shown_in_the_readme(), PLAYERS))


if __name__ == "__main__":
    main()
