"""Components are what discord.py would send, made without its objects."""

from typing import Any

import discord
import pytest
from discord import ButtonStyle, ui

from bot.analysis.model import ShowReview
from bot.gateway.components import (
    Component,
    Part,
    Upload,
    attached,
    button,
    button_row,
    card,
    display,
    gallery,
    icon_button,
    label_button,
    member_menu,
    menu,
    option,
    page_buttons,
    view_of,
)
from bot.i18n import own_texts
from bot.identity import MatchId
from bot.matches.presses import Rematch

PRESS = Rematch(MatchId(7))
# Fields that discord.py sends although they have Discord's defaults.
_DEFAULTS: dict[str, Any] = {"min_values": 1, "max_values": 1, "required": None, "id": None}
_DEFAULTS |= {"disabled": False, "default": False, "spoiler": False, "accent_color": None}


def bare(value: Any) -> Any:
    """Return components without the fields that have defaults."""
    if isinstance(value, list):
        return [bare(one) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {k: v for k, v in value.items() if k != "required" and _DEFAULTS.get(k, ...) != v}
    return {key: bare(one) for key, one in kept.items()}


def theirs(*items: ui.Item[Any]) -> list[Component]:
    """Return the components that discord.py makes of its objects."""
    view = ui.LayoutView()
    for item in items:
        view.add_item(item)
    return view.to_components()  # type: ignore[no-any-return, no-untyped-call]


@pytest.mark.parametrize(
    ("ours", "item"),
    [
        (display("**a**"), ui.TextDisplay("**a**")),
        (
            button_row(
                button("b", PRESS, ButtonStyle.danger, "❌", disabled=True),
                icon_button("▫️", PRESS.custom_id, ButtonStyle.success),
                label_button("a1", "m:7:0:a1", ButtonStyle.secondary),
            ),
            ui.ActionRow(
                ui.Button(
                    label="b", custom_id="r:7", style=ButtonStyle.danger, emoji="❌", disabled=True
                ),
                ui.Button(custom_id="r:7", style=ButtonStyle.success, emoji="▫️"),
                ui.Button(label="a1", custom_id="m:7:0:a1"),
            ),
        ),
        (
            menu("r:7", "which", [option("l", "v", "d"), option("m", "w")]),
            ui.ActionRow(
                ui.Select(
                    custom_id="r:7",
                    placeholder="which",
                    options=[
                        discord.SelectOption(label="l", value="v", description="d"),
                        discord.SelectOption(label="m", value="w"),
                    ],
                )
            ),
        ),
        (
            member_menu("r:7", "whom"),
            ui.ActionRow(ui.UserSelect(custom_id="r:7", placeholder="whom")),
        ),
        (
            gallery(Upload("a.png", b""), "alt"),
            ui.MediaGallery(discord.MediaGalleryItem("attachment://a.png", description="alt")),
        ),
        (attached("a.txt"), ui.File("attachment://a.txt")),
    ],
)
def test_components_are_those_of_discord_py(ours: Component, item: ui.Item[Any]) -> None:
    """A component equals what discord.py's object sends, without fields that have defaults."""
    assert [ours] == bare(theirs(item))


def test_a_card_is_a_container() -> None:
    """A card has its parts in order, texts in succession as one, and the colour of its edge."""
    row = ui.ActionRow[Any](ui.Button(label="b", custom_id="r:7"))
    parts: list[Part] = ["one", "two", button_row(button("b", PRESS)), "three"]
    items = [ui.TextDisplay[Any]("one\ntwo"), row, ui.TextDisplay[Any]("three")]
    expected = bare(theirs(ui.Container(*items, accent_colour=0xDD2E44)))
    assert bare(card(parts, 0xDD2E44).to_components()) == expected


def test_discord_py_forgets_a_message_when_it_is_sent() -> None:
    """discord.py takes the message for a finished view, and doesn't keep it in memory."""
    view = view_of(button_row(button("b", PRESS)))
    assert view.is_finished()
    assert not view.is_dispatchable()
    assert view.has_components_v2()
    assert view.timeout is None  # discord.py reads it when it sends a private followup


def test_the_buttons_of_pages_keep_their_places() -> None:
    """Each page has both, so that a second press on one never hits the other; their ids differ."""
    texts = own_texts("en")
    for number in range(3):
        (row,) = page_buttons(number, 3, lambda page: ShowReview(MatchId(7), page), texts)
        back, on = row["components"]
        assert [back["label"], on["label"]] == ["Back", "Next"]
        assert [bare(one).get("disabled", False) for one in (back, on)] == [
            number == 0,
            number == 2,
        ]
        assert back["custom_id"] != on["custom_id"]
    assert page_buttons(0, 1, lambda page: ShowReview(MatchId(7), page), texts) == []
