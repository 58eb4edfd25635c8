"""The building blocks of messages: buttons with their custom ids, layouts, pages, long texts.

Components are values in Discord's own format. discord.py's own objects would have to be made from
them, and turned back into them, for every board; `Layout` is all that discord.py needs to send
them.

A custom id is the identity of a button, never state: the tag of a kind of press and its fields,
such as `m:12:3:b2`. It has at most 100 characters and comes back from outside, so it is parsed as
strictly as any other input. A choice in a select completes the menu's custom id, so it arrives in
the form of a button's press.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from io import BytesIO
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeAlias,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)
from unicodedata import category

from discord import ButtonStyle, ComponentType, File, Message, SeparatorSpacing, ui

from bot.i18n import Texts
from bot.identity import InvitationId, MatchId, MemberId, PuzzleId, TournamentId
from bot.render import emoji
from bot.render.spoken import MAX_ALT
from bot.render.words import without_buttons

# https://discord.com/developers/docs/components/reference: components of a message, nested ones
# included; buttons of a row; options of a select; characters of a select option's label.
MAX_COMPONENTS = 40
MAX_ROW = 5
MAX_OPTIONS = 25
MAX_LABEL = 100
# https://discord.com/developers/docs/components/reference#component-object-component-types
_ROW = ComponentType.action_row.value
_BUTTON = ComponentType.button.value
_SELECT = ComponentType.select.value
_USER_SELECT = ComponentType.user_select.value
_TEXT = ComponentType.text_display.value
_GALLERY = ComponentType.media_gallery.value
_FILE = ComponentType.file.value
_SEPARATOR = ComponentType.separator.value
_CONTAINER = ComponentType.container.value

Component: TypeAlias = dict[str, Any]
"""A component as Discord takes it; fields that aren't given have Discord's defaults."""

Part: TypeAlias = str | Component | None
"""A part of a message: lines of text, or a component; an empty one is left out."""

_NUMBER = "[0-9]{1,18}"
# Discord's ids have 63 bits, the most that the database takes.
_SNOWFLAKE = "[0-9]{1,18}|[1-8][0-9]{18}"
_PATTERNS: dict[Any, str] = {
    MatchId: _NUMBER,
    InvitationId: _NUMBER,
    PuzzleId: _NUMBER,
    TournamentId: _NUMBER,
    MemberId: _SNOWFLAKE,
}

Ply = Annotated[int, "[0-9]{1,4}"]
PageNumber = Annotated[int, "[0-9]{1,6}"]
Key = Annotated[str, "[a-z]{0,20}"]
MemberIds = Annotated[str, rf"(?:(?:{_SNOWFLAKE})(?:,(?:{_SNOWFLAKE}))*)?"]
"""Ids of members with commas between them; empty for none."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Press:
    """A press of a button. A subclass is a kind of press: its tag and fields are the custom id.

    Each kind is a frozen dataclass. The type of a field says how it is written: an id, an
    enumeration, a literal, or `Annotated` with a regular expression.
    """

    tag: ClassVar[str]
    _pattern: ClassVar[re.Pattern[str]]
    _readers: ClassVar[tuple[Callable[[str], Any], ...]]

    def __init_subclass__(cls, tag: str) -> None:
        """Take the tag that begins the custom ids of this kind."""
        cls.tag = tag
        dataclass(frozen=True)(cls)

    @classmethod
    def parse(cls, custom_id: str) -> Self | None:
        """Return the press that `custom_id` stands for, None if it is of another kind."""
        if "_readers" not in cls.__dict__:
            cls._compile()
        found = cls._pattern.fullmatch(custom_id)
        if found is None:
            return None
        values = (read(text) for read, text in zip(cls._readers, found.groups(), strict=True))
        return cls(*values)

    @classmethod
    def _compile(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        syntax = [_syntax(hints[field.name]) for field in fields(cls)]
        pattern = ":".join([cls.tag, *(f"({shape})" for shape, _ in syntax)])
        cls._pattern = re.compile(pattern, re.ASCII)
        cls._readers = tuple(read for _, read in syntax)

    @property
    def custom_id(self) -> str:
        """The custom id of a button for this press."""
        return ":".join([self.tag, *map(str, vars(self).values())])


def _syntax(hint: Any) -> tuple[str, Callable[[str], Any]]:
    """Return the regular expression of a field of this type, and the function that reads it."""
    if hint in _PATTERNS:
        return _PATTERNS[hint], lambda text: hint(int(text))
    if get_origin(hint) is Annotated:
        kind, shape = get_args(hint)
        return shape, kind
    if get_origin(hint) is Literal:
        words = {str(word): word for word in get_args(hint)}
        return "|".join(words), words.__getitem__
    assert issubclass(hint, StrEnum), f"a custom id can't hold {hint}"
    return "|".join(hint), hint


@dataclass(frozen=True)
class Upload:
    """A small file of a message, which its view shows as `attachment://` and the name."""

    name: str
    content: bytes


class _Gallery(dict[str, Any]):
    """The component of a picture, with the file that it shows."""

    def __init__(self, upload: Upload, described: str):
        item = {"media": {"url": f"attachment://{upload.name}"}, "description": described}
        super().__init__(type=_GALLERY, items=[item])
        self.upload = upload


def custom_ids(message: Message) -> set[str]:
    """Return the custom ids of the buttons and menus on a message."""
    return {*_every("custom_id", (part.to_dict() for part in message.components))}


def content_of(message: Message) -> str:
    """Return the text of a message in the bot's layout."""
    return "\n".join(_every("content", (part.to_dict() for part in message.components)))


def _every(field: str, components: Iterable[Any]) -> Iterator[str]:
    """Yield a field of those components that have it, and of those within them."""
    for component in components:
        if field in component:
            yield component[field]
        yield from _every(field, component.get("components", ()))


class Layout(ui.LayoutView):
    """A message of components, which discord.py sends and then forgets.

    The router answers every button by its custom id, so there is nothing to keep: discord.py takes
    this for a finished view. It has no items, and doesn't run the constructor of views. The files
    of its pictures, `uploads`, are sent with it. As a new message, a `silent` one notifies nobody,
    not even members who want to be told of all messages.
    """

    def __init__(self, components: list[Component], *, silent: bool = False):
        self._components = components
        self.silent = silent
        framed = (part for frame in components for part in frame.get("components", ()))
        self.uploads = [p.upload for p in (*components, *framed) if isinstance(p, _Gallery)]

    def files(self) -> list[File]:
        """Return the files for one attempt: discord.py uses up a file by sending it."""
        return [File(BytesIO(upload.content), upload.name) for upload in self.uploads]

    def to_components(self) -> list[Component]:
        """Return the components."""
        return self._components

    def has_components_v2(self) -> bool:
        """Return whether the message is laid out by its components, as all of ours are."""
        return True

    @property  # type: ignore[misc] # nobody sets it
    def timeout(self) -> float | None:
        """None: nothing waits for a press. discord.py asks before a private followup."""
        return None

    def is_finished(self) -> bool:
        """Return whether nobody waits for its presses."""
        return True

    def is_dispatchable(self) -> bool:
        """Return whether discord.py is to pass presses on to it."""
        return False


def view_of(*parts: Part) -> Layout:
    """Return a message of these parts; texts in succession are lines of one text."""
    return Layout(_components(parts))


def card(parts: Iterable[Part], accent: int | None = None, *, silent: bool = False) -> Layout:
    """Return a message of these parts, with a frame around them.

    `accent` is the colour of the frame's edge, as 0xRRGGBB. `silent` is as for `Layout`.
    """
    frame: Component = {"type": _CONTAINER, "components": _components(parts)}
    if accent is not None:
        frame["accent_color"] = accent
    return Layout([frame], silent=silent)


def question_view(question: str, yes: Component, command: str, texts: Texts) -> Layout:
    """Return a question with the button `yes`, and the command that says yes by its `confirm`."""
    return view_of(question, without_buttons(command, "confirm", texts), button_row(yes))


def _components(parts: Iterable[Part]) -> list[Component]:
    """Return parts as components; texts in succession are lines of one text."""
    components: list[Component] = []
    lines: list[str] = []
    for part in parts:
        if not part:
            continue
        if isinstance(part, str):
            lines.append(part)
            continue
        if lines:
            components += displays("\n".join(lines))
            lines = []
        components.append(part)
    if lines:
        components += displays("\n".join(lines))
    return components


def button_row(*buttons: Component) -> Component:
    """Return a row of up to MAX_ROW buttons; a menu takes a row for itself."""
    return {"type": _ROW, "components": list(buttons)}


def display(text: str) -> Component:
    """Return a text as a component of its own."""
    return {"type": _TEXT, "content": text}


def separator() -> Component:
    """Return a line with room around it, for a button that nobody should press by mistake."""
    return {"type": _SEPARATOR, "divider": True, "spacing": SeparatorSpacing.large.value}


def button(
    label: str,
    press: Press,
    style: ButtonStyle = ButtonStyle.secondary,
    icon: str | None = None,
    *,
    disabled: bool = False,
) -> Component:
    """Return a button with a label, and an emoji before it if there is an `icon`."""
    made: Component = {
        "type": _BUTTON,
        "style": style.value,
        "label": label,
        "custom_id": press.custom_id,
    }
    if icon:
        made["emoji"] = {"name": icon}
    if disabled:
        made["disabled"] = True
    return made


def label_button(label: str, custom_id: str, style: ButtonStyle) -> Component:
    """Return a button with a label and this custom id."""
    return {"type": _BUTTON, "style": style.value, "label": label, "custom_id": custom_id}


def icon_button(icon: str, custom_id: str, style: ButtonStyle) -> Component:
    """Return a button with an emoji, no label, and this custom id."""
    shown = {"name": icon}
    return {"type": _BUTTON, "style": style.value, "emoji": shown, "custom_id": custom_id}


def option(label: str, value: str, description: str | None = None) -> Component:
    """Return an option of a menu, cut to the length that Discord takes."""
    made = {"label": label[:MAX_LABEL], "value": value}
    return made | {"description": description[:MAX_LABEL]} if description else made


def menu(custom_id: str, prompt: str, options: Sequence[Component]) -> Component:
    """Return a menu of up to MAX_OPTIONS; the value that is chosen completes the custom id."""
    select = {"type": _SELECT, "custom_id": custom_id, "placeholder": prompt}
    return button_row(select | {"options": list(options[:MAX_OPTIONS])})


def member_menu(custom_id: str, prompt: str) -> Component:
    """Return a menu of all members; the id of the one who is chosen completes the custom id."""
    return button_row({"type": _USER_SELECT, "custom_id": custom_id, "placeholder": prompt})


def gallery(upload: Upload, described: str) -> Component:
    """Return a picture, which is sent with its message, and its alt text, cut to fit."""
    return _Gallery(upload, described[:MAX_ALT])


def attached(name: str) -> Component:
    """Return the component of the file `name`, which is sent with the message."""
    return {"type": _FILE, "file": {"url": f"attachment://{name}"}}


def page_buttons(
    number: int, pages: int, turned: Callable[[int], Press], texts: Texts
) -> list[Component]:
    """Return the row that turns the pages of a list, no row for a single page.

    `turned` gives the press that asks for a page; pages are numbered from 0.
    """
    if pages <= 1:
        return []

    def turn(key: str, target: int, icon: str) -> Component:
        press = turned(max(0, target))
        outside = not 0 <= target < pages
        return button(texts(key), press, icon=icon, disabled=outside)

    # Both are on every page: otherwise Back would take the place of Next on the last page, and a
    # further press of Next would hit it.
    back = turn("replay.back", number - 1, emoji.BACK)
    return [button_row(back, turn("replay.next", number + 1, emoji.NEXT))]


def page_end(number: int, pages: int, turned: Callable[[int], Press], texts: Texts) -> list[Part]:
    """Return the number of a page of a list, and `page_buttons`; nothing for a single page."""
    if pages <= 1:
        return []
    told = texts("list.page", page=number + 1, pages=pages)
    return [told, *page_buttons(number, pages, turned, texts)]


# Of one text, Discord's clients show at most 199 pieces other than plain words, such as emoji, and
# silently leave out the rest. The limit is undocumented; it can be counted in issues such as
# https://github.com/discord/discord-api-docs/issues/8501 (40 lines of 5 pieces are cut off) and
# https://github.com/JochCool/minesweeper-bot/issues/24 (198 spoilers). A 16x11 board has 204.
# The difference leaves room for bold names, mentions, code and the like.
MAX_EMOJI = 170
# Pictographs, and the character that makes a keycap of a digit.
_EMOJI = ("So", "Me")


def displays(text: str) -> list[Component]:
    """Return `text` as one component, or cut between lines into as many as clients will show."""
    if len(text) - len(text.encode("ascii", "ignore")) <= MAX_EMOJI:
        return [display(text)]  # no emoji is among ASCII's characters
    parts: list[list[str]] = [[]]
    room = MAX_EMOJI
    for line in text.split("\n"):
        found = sum(category(character) in _EMOJI for character in line)
        if found > room:
            parts.append([])
            room = MAX_EMOJI
        parts[-1].append(line)
        room -= found
    return [display("\n".join(lines)) for lines in parts if lines]
