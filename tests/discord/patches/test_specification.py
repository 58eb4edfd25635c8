"""A test fails at a request that Discord would refuse, although simcord accepts it."""

from collections.abc import Iterator

import pytest

from tests.discord.patches.specification import SPECIFICATION

MESSAGES = "/channels/1/messages"
CALLBACK = "/interactions/1/secret/callback"


@pytest.fixture(autouse=True)
def nothing_found() -> Iterator[None]:
    """Forget what was found here, so that it doesn't fail the next test."""
    yield
    SPECIFICATION.found()


def row(**button: object) -> dict[str, object]:
    """Return a row with one button."""
    return {"type": 1, "components": [{"type": 2, "style": 1, **button}]}


@pytest.mark.parametrize(
    ("path", "body", "where"),
    [
        (MESSAGES, {"nonce": "9" * 26}, "nonce"),
        (MESSAGES, {"components": [row(label="a" * 81)]}, "components/0/components/0/label"),
        (CALLBACK, {"type": 4, "data": {"components": [{"type": 10}]}}, "data/components/0"),
        (CALLBACK, {"type": 4, "data": {"components": [{"type": 99}]}}, "data/components/0/type"),
    ],
)
def test_a_request_that_discord_refuses_is_noted(path: str, body: object, where: str) -> None:
    """It is noted, with the place in the body."""
    SPECIFICATION.check("POST", path, body)
    assert any(f": {where}: " in one for one in SPECIFICATION.found())


def test_requests_that_discord_takes() -> None:
    """A message of ours is accepted, and so is a request that the excerpt doesn't describe."""
    sent = {"nonce": "9" * 25, "components": [row(label="a", custom_id="m:1:0:a1")]}
    SPECIFICATION.check("POST", MESSAGES, sent)
    SPECIFICATION.check("POST", CALLBACK, {"type": 4, "data": sent | {"nonce": None}})
    SPECIFICATION.check("DELETE", f"{MESSAGES}/1", {"what": "ever"})
    assert SPECIFICATION.found() == []
