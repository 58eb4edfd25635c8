"""Reading messages as a member does: a board, whose turn it is, an invitation, an offer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .payloads import EPHEMERAL, LOADING, SELECT, TEXT, USER_BASE, Json, buttons, parts

# A board lists one last move for each other seat; this finds the newest, the last in the list. In
# some games its points follow.
_LAST = re.compile(
    r"Last moves?: (?:[^\n]*, )?(?:(swap)|\S+\s([a-z][0-9]*(?:-[a-z][0-9]+)?))(?: \(\+[0-9]+\))?\."
)
_TURN = re.compile(r"(?:<@([0-9]+)>|\*\*Player ([0-9]+)\*\*), your move\.")
_ON_BOARD = re.compile(r"([mpwa]):([0-9]+):([0-9]+)(?::|$)")
_AFTER = re.compile(r"[vyrg]:([0-9]+)")
_INVITATION = re.compile(r"c:([0-9]+):([a-z]+)")
_OFFER = re.compile(r"o:([0-9]+):")
FAILED = "Something went wrong on my side"


@dataclass(frozen=True)
class Control:
    """A live button, or one choice of a live menu; `face` is the emoji or the label."""

    custom_id: str
    value: str | None
    face: str
    style: int = 2

    @property
    def whole(self) -> str:
        """The custom id that the bot makes of a press or a choice."""
        return self.custom_id if self.value is None else f"{self.custom_id}:{self.value}"


@dataclass(frozen=True)
class Reading:
    """The contents of one message.

    `squares` tells whether it is a board on which a move can be chosen, `over` whether it shows
    the end of a match. `turn` is the member to move, `last` the last move in notation.
    """

    message: Json
    text: str
    controls: tuple[Control, ...]
    match: int | None = None
    ply: int | None = None
    squares: bool = False
    running: bool = False
    over: bool = False
    turn: int | None = None
    last: str | None = None
    invitation: int | None = None
    offer: int | None = None

    @property
    def id(self) -> int:
        """The id of the message."""
        return int(self.message["id"])

    @property
    def thinking(self) -> bool:
        """Whether the computer is to move."""
        return "is thinking" in self.text

    @property
    def private(self) -> bool:
        """Whether only one member sees it."""
        return bool(self.message["flags"] & EPHEMERAL)

    @property
    def loading(self) -> bool:
        """Whether the bot is still thinking about it."""
        return bool(self.message["flags"] & LOADING)

    @property
    def failed(self) -> bool:
        """Whether it tells of an unexpected error."""
        return FAILED in self.text


def text_of(body: Json) -> str:
    """Return all text of a message, without the joiners in moves."""
    shown = [part["content"] for part in parts(body) if part["type"] == TEXT]
    return "\n".join([body["content"], *shown]).replace("\u2060", "")


def controls_of(body: Json) -> Iterator[Control]:
    """Yield the live buttons and choices of a message in reading order."""
    for part in parts(body):
        if part["type"] == SELECT and not part.get("disabled"):
            for option in part["options"]:
                yield Control(part["custom_id"], option["value"], option["label"])
    for part in buttons(body):
        if not part.get("disabled") and "custom_id" in part:
            face = (part.get("emoji") or {}).get("name") or part.get("label") or ""
            yield Control(part["custom_id"], None, face, part.get("style", 2))


def read(message: Json) -> Reading:
    """Return what a message shows now."""
    text, controls = text_of(message), tuple(controls_of(message))
    found: dict[str, int | bool] = {}
    for control in controls:
        if on_board := _ON_BOARD.match(control.whole):
            tag, match, ply = on_board.groups()
            found |= {"match": int(match), "ply": int(ply)}
            found["squares"] = bool(found.get("squares")) or tag in "mpw"
        elif after := _AFTER.match(control.whole):
            found |= {"match": int(after[1]), "over": True}
        elif invitation := _INVITATION.match(control.whole):
            found["invitation"] = int(invitation[1])
        elif offer := _OFFER.match(control.whole):
            found["offer"] = int(offer[1])
    over = bool(found.get("over"))
    last, turn = _LAST.search(text), _TURN.search(text)
    return Reading(
        message,
        text,
        controls,
        match=found.get("match"),
        ply=found.get("ply"),
        squares=bool(found.get("squares")) and not over,
        running="ply" in found and not over,
        over=over,
        turn=None if turn is None else int(turn[1] or USER_BASE + int(turn[2])),
        last=None if last is None else last[1] or last[2],
        invitation=found.get("invitation"),
        offer=found.get("offer"),
    )
