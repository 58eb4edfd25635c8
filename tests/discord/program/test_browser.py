"""A newcomer's first steps: start the program without a token and play in a browser."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.discord.program.browser import Page, Program, chromium_path, open_browser, open_page

_FOLLOWS_WITHIN_SECONDS = 300


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    """Start the real program, and end it with the test.

    CI installs Chromium beside the tests, and makes a file once it is there.
    """
    if "CHROMIUM_FOLLOWS" in os.environ:
        until = time.monotonic() + _FOLLOWS_WITHIN_SECONDS
        while not Path(os.environ["CHROMIUM_FOLLOWS"]).exists():
            assert time.monotonic() < until, "Chromium wasn't installed"
            time.sleep(0.5)
    elif chromium_path() is None:
        pytest.skip("no Chromium is installed (Debian: apt-get install chromium)")
    started = Program(tmp_path)
    yield started
    started.kill()


def test_whole_game_in_browser(program: Program, tmp_path: Path) -> None:
    """Two members play from challenge to result, on one board; Ctrl-C ends the program.

    A press out of turn is answered privately and changes nothing. The page suggests the levels of
    the board being typed, and one of them is played. The program leaves no file behind, and the
    only line of its log tells who asked for its end.
    """
    with open_browser() as chromium, open_page(chromium, program.url()) as page:
        challenge_and_accept(page)
        press_out_of_turn(page)
        play(page, "a1", "a2")
        resign(page)
        play_the_computer(page)
        assert program.interrupt() == 0, program.log()
    (line,) = program.log().splitlines()
    assert line.endswith("asked to end by SIGINT")
    assert [file.name for file in tmp_path.iterdir()] == ["stderr.txt"]


def challenge_and_accept(page: Page) -> None:
    page.command("/play tictactoe", against="bob")
    expect(page.messages().last).to_contain_text("@bob, alice challenges you!")
    page.as_member("bob")
    page.click("Accept")
    expect(page.boards()).to_have_count(1)
    expect(page.buttons("Accept")).to_have_count(0)
    expect(page.boards()).to_contain_text("❌ @alice, your move.")


def press_out_of_turn(page: Page) -> None:
    page.as_member("bob")
    page.press("b2")
    expect(page.private()).to_contain_text("It's alice's turn.")
    expect(page.boards()).not_to_contain_text("Last move")
    page.as_member("alice")
    expect(page.private()).to_have_count(0)


def play(page: Page, *moves: str) -> None:
    """Let alice and bob press squares alternately, each time on the only board."""
    for ply, move in enumerate(moves):
        page.as_member(("alice", "bob")[ply % 2])
        page.press(move)
        expect(page.messages().last).to_contain_text(f"Last move: {'❌🔵'[ply % 2]} {move}.")
        expect(page.boards()).to_have_count(1)


def resign(page: Page) -> None:
    """Let bob resign, who confirms it in a private message; check the result."""
    page.click("Resign")
    page.click("Yes, resign")
    expect(page.boards()).to_have_count(0)
    final = page.messages().last
    expect(final).to_contain_text("🏆 ❌ alice wins! 🔵 bob resigned.")
    expect(page.buttons("Rematch")).to_have_count(1)


def play_the_computer(page: Page) -> None:
    page.write("/play tictactoe", level="perfect")
    page.browser.click("#send-message")
    expect(page.boards()).to_contain_text("Computer (perfect)")
    page.press("b2")
    expect(page.messages().last).to_contain_text("Last move: 🔵")
    page.click("Hint")
    expect(page.private().last).to_contain_text("💡 ❌")
