"""Custom ids: what a button says when it is pressed. Identity, never state.

What is chosen in a select completes its custom id, so a choice reads like a button of its own. A
custom id has at most 100 characters and comes back from the outside, so it is parsed as strictly
as any other input: numbers that fit the database, moves that look like moves.
"""

import re
from dataclasses import fields
from enum import StrEnum
from typing import Any, TypeAlias

from bot.leaderboard.lists import By, Period
from bot.matches.model import OfferKind
from bot.matches.presses import (
    Action,
    Analyse,
    Answer,
    Consent,
    Control,
    Export,
    Group,
    Legal,
    MatchPress,
    Pick,
    Play,
    Rematch,
    Replay,
    Resign,
    Step,
)
from bot.servers.presses import (
    Dare,
    Erase,
    Erasure,
    Games,
    History,
    Page,
    Reply,
    ServerPress,
    Verb,
)
from core.grid import SWAP

Press: TypeAlias = MatchPress | ServerPress

_NUMBER = r"[0-9]{1,18}"
_SNOWFLAKE = r"[0-9]{1,18}|[1-8][0-9]{18}"  # of 63 bits, as the database takes them
_PLY = "[0-9]{1,4}"
_PAGE = "[0-9]{1,6}"
_SQUARE = r"[a-z][1-9][0-9]?"


def _one_of(words: type[StrEnum]) -> str:
    return "|".join(words)


# The shape of each field; how it is read follows from the field's type.
_SHAPES: dict[type[Press], tuple[str, ...]] = {
    Play: (_NUMBER, _PLY, f"{_SQUARE}(?:-{_SQUARE})?|{SWAP}"),
    Pick: (_NUMBER, _PLY, f"(?:{_SQUARE})?"),
    Group: (_NUMBER, _PLY, f"(?:[1-9][0-9]?|{_SQUARE})?", "[0-9]{1,3}"),
    Legal: (_NUMBER,),
    Control: (_NUMBER, _PLY, _one_of(Action)),
    Resign: (_NUMBER,),
    Consent: (_NUMBER, _PLY, _one_of(OfferKind), "[0-9]", _one_of(Answer)),
    Rematch: (_NUMBER,),
    Analyse: (_NUMBER,),
    Replay: (_NUMBER, _PLY, _one_of(Step)),
    Export: (_NUMBER,),
    History: (_SNOWFLAKE, _PAGE),
    Erase: (_SNOWFLAKE, _one_of(Erasure)),
    Dare: (_SNOWFLAKE, "[a-z]{1,20}"),
    Reply: (_NUMBER, _one_of(Verb)),
    Page: ("[a-z]{0,20}", _one_of(Period), _one_of(By), _PAGE, _SNOWFLAKE),
    Games: (_PAGE,),
}
_PATTERNS = {
    kind: re.compile(":".join([kind.tag, *(f"({shape})" for shape in shapes)]), re.ASCII)
    for kind, shapes in _SHAPES.items()
}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _SHAPES}
_BY_TAG = {kind.tag: kind for kind in _SHAPES}


def encode(press: Press) -> str:
    """Return the custom id of a button."""
    return ":".join([press.tag, *(str(getattr(press, name)) for name in _FIELDS[type(press)])])


def decode(custom_id: str) -> Press | None:
    """Return what was pressed, None for a custom id that none of our buttons has."""
    kind = _BY_TAG.get(custom_id.partition(":")[0])
    found = _PATTERNS[kind].fullmatch(custom_id) if kind else None
    if kind is None or found is None:
        return None
    values = [
        _read(field.type, text) for field, text in zip(fields(kind), found.groups(), strict=True)
    ]
    return kind(*values)


def _read(kind: Any, text: str) -> Any:
    """Return `text` as a field's type: a number, a word of an enumeration, or itself."""
    return kind(text)
