"""Discord's limits on a message, and how long a name may be.

https://discord.com/developers/docs/components/reference
"""

from typing import Any
from unicodedata import category

from discord import ui
from simcord.components import walk_components

from bot.gateway.components import MAX_OPTIONS
from tests.bot.gateway.kinds import KINDS

MAX_COMPONENTS, MAX_TEXT, MAX_ID, MAX_BUTTONS = 40, 4000, 100, 5
MAX_WORDS = {"label": 80, "placeholder": 150, "value": 100, "description": 100}
MAX_OPTION_LABEL = 100
MAX_PIECES = 199
# The longest name, of which each character has to be escaped.
LONGEST = "*_" * 16


def parts_of(view: ui.LayoutView) -> list[dict[str, Any]]:
    """Return all components of a message, in Discord's JSON."""
    sent: list[dict[str, Any]] = view.to_components()  # type: ignore[no-untyped-call]
    return list(walk_components(sent))


def check(view: ui.LayoutView) -> None:
    """Fail if Discord would refuse the message, or clients would truncate it."""
    parts = parts_of(view)
    assert len(parts) <= MAX_COMPONENTS
    written = [part["content"] for part in parts if "content" in part]
    assert sum(len(text.encode("utf-16-le")) // 2 for text in written) <= MAX_TEXT
    for text in written:
        assert text.strip()
        assert pieces(text) <= MAX_PIECES
    custom_ids = [part["custom_id"] for part in parts if "custom_id" in part]
    assert len(set(custom_ids)) == len(custom_ids)
    for part in parts:
        if "components" in part and part["type"] == 1:
            assert 1 <= len(part["components"]) <= MAX_BUTTONS
        options = part.get("options", [])
        assert len(options) <= MAX_OPTIONS
        assert len({option["value"] for option in options}) == len(options)
        arriving = [f"{part['custom_id']}:{option['value']}" for option in options]
        for said in [*arriving, *([part["custom_id"]] if "style" in part else [])]:
            assert len(said) <= MAX_ID
            assert any(kind.parse(said) for kind in KINDS)
        of_options = MAX_WORDS | {"label": MAX_OPTION_LABEL}
        for worded, limits in [(part, MAX_WORDS), *((one, of_options) for one in options)]:
            for key, limit in limits.items():
                assert worded.get(key) is None or 1 <= len(worded[key]) <= limit


def pieces(text: str) -> int:
    """Return roughly how many elements a client renders for a text besides plain words."""
    emoji = sum(c >= "\u2000" and category(c) in ("So", "Me") for c in text)
    return emoji + text.count("**") // 2 + text.count("`") // 2 + text.count("<@") + 2
