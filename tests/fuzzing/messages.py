"""The laws of every message, and the parts of one that fuzzers read."""

import re
from collections.abc import Iterable, Iterator

from simcord.backend.models import Message

from tests.load.payloads import Json, parts
from tests.load.reading import text_of

# https://discord.com/developers/docs/components/reference: limits of a message
_MOST_PARTS, _MOST_TEXT, _MOST_CONTENT, _LONGEST_ID = 40, 4000, 2000, 100

# What a text shows if something is missing from it, or if it is a key without a text.
_UNFILLED = re.compile(
    r"\{[a-z_]+\}|\bNone\b|\bnan\b|<[@#&!]*(?:None|-\d+|0)>"
    r"|\b(?:refusal|tournament|button|board|settings|outcome|called_off)\.[a-z_.]+\b"
)


def body(message: Message) -> Json:
    """Return what a message shows."""
    return {"content": message.content, "components": message.components}


def ids(message: Message) -> list[str]:
    """Return the custom ids of a message."""
    return [part["custom_id"] for part in parts(body(message)) if "custom_id" in part]


def too_much(told: str, shown: Json) -> Iterator[str]:
    """Yield the limits of Discord that a message exceeds; `told` names the message in the lines."""
    found = list(parts(shown))
    custom_ids = [part["custom_id"] for part in found if "custom_id" in part]
    if len(found) > _MOST_PARTS:
        yield f"limits: {told} has {len(found)} components"
    if len(said := text_of(shown)) > _MOST_TEXT:
        yield f"limits: {told} has {len(said)} characters"
    if len(shown["content"]) > _MOST_CONTENT:
        yield f"limits: {told} has {len(shown['content'])} characters of plain content"
    yield from (f"limits: {told}: {one}" for one in custom_ids if len(one) > _LONGEST_ID)
    if len({*custom_ids}) < len(custom_ids):
        yield f"limits: {told} has a custom id twice"


def unfilled(told: str, text: str) -> Iterator[str]:
    """Yield that something is missing from a text."""
    if _UNFILLED.search(text):
        yield f"text: {told}: {text!r}"


def named(told: str, text: str, erased: Iterable[str]) -> Iterator[str]:
    """Yield the names in a text whose owners' data is erased."""
    for name in erased:
        if name in text:
            yield f"named: {told} names {name}, whose data is erased: {text[:200]!r}"
