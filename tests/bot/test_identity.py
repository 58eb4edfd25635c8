"""Escaped names are safe in messages, and places share the processes by server."""

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.identity import ChannelId, Context, Place, ServerId, escape


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("Alice", "Alice"),
        ("@everyone", "@\u200beveryone"),
        ("<@!222222222222222222>", "\\<@\u200b!222222222222222222\\>"),
        ("**_loud_**", r"\*\*\_loud\_\*\*"),
        ("[x](https://evil.example)", r"\[x\](https\://evil.example)"),
        ("- item", r"\- item"),
        ("semi-detached", "semi-detached"),
        ("two\nlines", "two lines"),
        ("\u202egnorw", "gnorw"),
        ("@\u2066everyone", "@\u200beveryone"),
        ("\u05d3\u05d5\u05d3", "\u2068\u05d3\u05d5\u05d3\u2069"),
        ("\u0639\u0644\u064a (1)", "\u2068\u0639\u0644\u064a (1)\u2069"),
        ("a" * 100, "a" * 100),
        ("a" * 101, "a" * 99 + "…"),
        ("*" * 6000, r"\*" * 99 + "…"),
    ],
)
def test_names_are_escaped(name: str, escaped: str) -> None:
    """Formatting, links, mentions, line breaks, directions and excess length are removed.

    A name with letters that run from right to left is isolated, so that it moves no number.
    """
    assert escape(name) == escaped


@given(
    st.lists(
        st.sampled_from(["@", "everyone", "here", "!", "&", "1" * 17, "2" * 21, "x"]), max_size=4
    )
)
def test_mentions_are_escaped_as_by_discord_py(parts: list[str]) -> None:
    """The result equals discord.py's, which `bot.identity` doesn't import."""
    name = "".join(parts)
    assert escape(name) == discord.utils.escape_mentions(name)


@pytest.mark.parametrize(
    ("place", "queue_id"),
    [
        (Place(ServerId(1), ChannelId(2)), 1),
        (Place(None, ChannelId(2), context=Context.GUEST, guest_of=ServerId(1)), 1),
        (Place(None, ChannelId(2), context=Context.PRIVATE), 2),
    ],
)
def test_a_server_has_one_share(place: Place, queue_id: int) -> None:
    """All channels of a server share one, even if only members have the bot there."""
    assert place.queue_id == queue_id
