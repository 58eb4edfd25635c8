"""The local preview in a real Chromium: the program as a process and its page as an object."""

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from typing import IO

from playwright.sync_api import Browser, Locator, Playwright, ViewportSize, expect, sync_playwright
from playwright.sync_api import Page as BrowserPage

from core.grid import Square

ROOT = Path(__file__).parents[3]
# On a busy machine the program needs more than 20 s to start.
STEP_SECONDS = 30
_STARTED = re.compile(r"http://127\.0\.0\.1:\S+")
_SQUARE = re.compile(r"[a-z][1-9][0-9]?$")
_SETTLED = """() => {
    const status = document.querySelector('#action-status').textContent;
    const busy = document.querySelector('#preview-app').getAttribute('aria-busy');
    return !status.endsWith('…') && busy === 'false';
}"""


class Program:
    """`python -m bot` without a token, in its own folder."""

    def __init__(self, folder: Path):
        environment = {k: v for k, v in os.environ.items() if k != "DISCORD_TOKEN"}
        self._log = (folder / "stderr.txt").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bot"],
            cwd=folder,
            env={**environment, "PYTHONPATH": str(ROOT), "PREVIEW_PORT": "0"},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self._process.stdout is not None
        self._lines: Queue[str] = Queue()  # an empty line stands for the end of the output
        self._reader = threading.Thread(target=self._read, args=[self._process.stdout])
        self._reader.start()

    def url(self) -> str:
        """Wait for the address that the program prints."""
        with suppress(Empty):
            while line := self._lines.get(timeout=4 * STEP_SECONDS):
                if found := _STARTED.search(line):
                    return found[0]
        raise AssertionError(f"no address was printed; stderr: {self.log()}")

    def log(self) -> str:
        """Return the program's stderr so far."""
        self._log.seek(0)
        return self._log.read()

    def interrupt(self) -> int:
        """Send Ctrl-C and return the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(STEP_SECONDS)

    def kill(self) -> None:
        """Kill the process and close its pipes."""
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._log.close()

    def _read(self, output: IO[str]) -> None:
        with output:
            for line in output:
                self._lines.put(line)
        self._lines.put("")


class Page:
    """The preview's page, as a member uses it."""

    def __init__(self, page: BrowserPage):
        self.browser = page

    def as_member(self, name: str) -> None:
        """Look at the channel as this member."""
        self._settle()
        if self.browser.locator("#viewer-picker option:checked").inner_text() == name:
            return
        self.browser.select_option("#viewer-picker", label=name)
        self._settle()
        expect(self.browser.locator("#channel-composer-input")).to_be_visible()

    def command(self, command: str, **options: str) -> None:
        """Send a slash command such as "/play tictactoe", filling in its options one by one."""
        self.write(command, **options)
        self.browser.click("#send-message")
        expect(self.browser.locator(".command-row")).to_have_count(0)
        self._settle()

    def write(self, command: str, **options: str) -> None:
        """Choose a command and fill in its options, without sending it."""
        self._settle()
        composer = self.browser.locator("#channel-composer-input")
        composer.fill("")
        composer.press_sequentially(command)
        expect(self.browser.locator(".command-entry.is-active")).to_contain_text(command)
        composer.press("Enter")
        for name, value in options.items():
            self._fill(name, value)

    def press(self, square: str) -> None:
        """Press a square of the current board, or a column such as `d`."""
        if len(square) == 1:
            column = self.messages().last.locator(".component-button")
            self._click(column.filter(has_text=re.compile(rf"^\s*{square}\s*$")))
            return
        at, board = Square.parse(square), self.boards().last
        rows = board.locator(".component-row").filter(has=self._squares())
        row = rows.nth(rows.count() - 1 - at.row)
        self._click(row.locator(self._squares()).nth(at.column))

    def click(self, label: str) -> None:
        """Press the last button with this label."""
        self._click(self.buttons(label).last)

    def choose(self, label: str) -> None:
        """Choose from the last menu of the last message."""
        self._settle()
        self.browser.locator(".select-trigger").last.click()
        option = self.browser.get_by_role("option").filter(has_text=label)
        self._click(option.first)

    def buttons(self, label: str) -> Locator:
        """Return the buttons with this label."""
        return self.browser.locator(".component-button").filter(has_text=label)

    def boards(self) -> Locator:
        """Return the messages whose squares can be pressed."""
        return self.messages().filter(has=self._squares())

    def messages(self) -> Locator:
        """Return all messages, oldest first."""
        return self.browser.locator("article.channel-message")

    def private(self) -> Locator:
        """Return the ephemeral messages."""
        return self.messages().filter(has=self.browser.locator(".message-ephemeral-note"))

    def texts(self) -> list[str]:
        """Return the texts of all messages, oldest first."""
        return self.messages().all_inner_texts()

    def _squares(self) -> Locator:
        """Return the buttons of squares: their labels are only a mark, or the square's name."""
        named = self.browser.locator(".component-button").filter(has_text=_SQUARE)
        return self.browser.locator(".is-icon-only").or_(named)

    def _fill(self, name: str, value: str) -> None:
        field = self.browser.locator(f'.command-option-input[data-option="{name}"]')
        if not field.count():
            self.browser.click(".command-ghost")
            self.browser.click(f'.command-suggestion[data-value="{name}"]')
        field.fill(value)
        if field.get_attribute("role") == "combobox":
            label = self.browser.locator(".command-suggestion-label")
            # The label of a choice begins with its value, such as "full: 16×11".
            label.filter(has_text=re.compile(rf"^{re.escape(value)}\b")).first.click()

    def _click(self, button: Locator) -> None:
        self._settle()
        button.click()
        self._settle()

    def _settle(self) -> None:
        """Wait until the bot has answered and the page shows it."""
        self.browser.wait_for_function(_SETTLED)


def chromium_path() -> str | None:
    """Return the path of Debian's Chromium, or None if it isn't installed."""
    return shutil.which("chromium") or shutil.which("chromium", path="/usr/bin")


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Start a headless Chromium; close it afterwards."""
    expect.set_options(timeout=STEP_SECONDS * 1000)
    with sync_playwright() as playwright, _launch(playwright) as chromium:
        yield chromium


@contextmanager
def open_page(chromium: Browser, url: str, scale: float = 1) -> Iterator[Page]:
    """Open the preview in a context of its own; close it at the end."""
    size: ViewportSize = {"width": 1280, "height": 1000}
    with chromium.new_page(viewport=size, device_scale_factor=scale) as page:
        page.set_default_timeout(STEP_SECONDS * 1000)
        page.goto(url, timeout=2_000 * STEP_SECONDS)  # ms; the program has only just begun
        page.wait_for_selector("#channel-composer-input")
        yield Page(page)


def _launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(
        executable_path=chromium_path(),
        args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        timeout=2 * STEP_SECONDS * 1000,
    )
