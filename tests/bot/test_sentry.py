"""Errors told to Sentry hold no names, tokens, or values of variables."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sentry_sdk
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from bot import sentry
from bot.failures import ExitCode
from bot.logs import about, redacting
from bot.sentry import start_sentry
from tests.bot.processes import one_sentence, run_here

DSN = "http://key@127.0.0.1:9/1"
TOKEN = "secret-of-the-bot"
ADDRESS = "https://discord.com/api/v10/webhooks/1/aW50ZXJhY3Rpb24/messages/@original"


class Kept(Transport):
    """Keeps the events that would be sent."""

    sent: list[str]

    def __init__(self, options: dict[str, Any] | None = None):
        super().__init__(options)
        self.sent = []

    def capture_envelope(self, envelope: Envelope) -> None:
        self.sent += [json.dumps(item.payload.json) for item in envelope.items]


@pytest.fixture
def ended() -> Iterator[None]:
    """End the SDK, which is global, with the test."""
    yield
    sentry_sdk.init()


def test_an_error_is_told_without_secrets(ended: None) -> None:
    """It has its subject, and neither local variables nor tokens."""
    kept = Kept()
    start_sentry(DSN, redacting([TOKEN]), transport=kept)

    def fail(member: str) -> None:
        raise RuntimeError(f"{TOKEN} {ADDRESS}")

    log = logging.getLogger("bot.router")
    log.warning("a call to %s failed", ADDRESS)
    try:
        with about(interaction=12, press="m"):
            fail("Alice" + "Smith")
    except RuntimeError:
        with about(interaction=12, press="m"):
            log.exception("interaction %s failed", 12)
    (event,) = kept.sent
    assert json.loads(event)["tags"] == {"interaction": "12", "press": "m"}
    assert "RuntimeError" in event and "<token>" in event
    for secret in ("AliceSmith", TOKEN, "aW50ZXJhY3Rpb24"):
        assert secret not in event


def test_a_missing_package_is_said_plainly(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A sentence says so, and the bot serves without the package."""
    monkeypatch.setattr(sentry, "find_spec", lambda name: None)
    start_sentry(DSN, redacting([]))
    assert [record.getMessage() for record in caplog.records] == [sentry.MISSING]


@pytest.mark.parametrize("wrong", ["secret-nonsense", "https://secret-nonsense:b@[::1/1"])
def test_a_wrong_dsn_is_final(tmp_path: Path, wrong: str) -> None:
    """It ends the program with a sentence that names the setting, and isn't tried again."""
    ended = run_here(tmp_path, "migrate", settings={"SENTRY_DSN": wrong})
    sentence = one_sentence(ended, ExitCode.DONT_RESTART)
    assert sentence.startswith("SENTRY_DSN: ")
    assert "secret-nonsense" not in sentence
