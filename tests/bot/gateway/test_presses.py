"""Custom ids: a press round-trips through its id, and any other text is no press."""

import re
from dataclasses import fields
from enum import StrEnum
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bot.app  # noqa: F401 - registers the presses of all features
from bot.gateway.components import Press
from bot.identity import MatchId, MemberId
from bot.invitations.model import PlayInThread, TakeOverFor, Verb
from bot.leaderboard.model import Period
from bot.matches.model import OfferKind
from bot.matches.presses import Step, Way
from bot.offers.model import Answer
from bot.ratings.model import By
from bot.servers.model import OwnSetting
from core.games import GAMES
from tests.bot.gateway.kinds import KINDS, STANDING
from tests.texts import ANY


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Return the values of a field of this type."""
    if get_origin(hint) is Annotated:
        taken, shape = get_args(hint)
        return st.from_regex(re.compile(shape, re.ASCII), fullmatch=True, alphabet=ANY).map(taken)
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return st.sampled_from(hint)
    return st.integers(0, 9 * 10**18 - 1 if hint is MemberId else 10**18 - 1).map(hint)


# The largest values would make the custom id too long, and no table has that many rows.
_WISHED: dict[str, st.SearchStrategy[Any]] = {
    "game": st.sampled_from([*GAMES]),
    "options": st.sampled_from(["", ",,,,", "10,10,10,corners,off", "drop-first"]),
    "named": st.lists(values_of(MemberId).map(str), max_size=1).map(",".join),
    "level": st.sampled_from(["", "easy", "perfect"]),
}
NARROWER: dict[type[Press], dict[str, st.SearchStrategy[Any]]] = {
    TakeOverFor: {"match": st.integers(0, 10**12 - 1).map(MatchId), **_WISHED},
    PlayInThread: _WISHED,
}


def press_of(kind: type[Press]) -> st.SearchStrategy[Press]:
    """Return presses of a kind, with any values that its fields take."""
    hints = get_type_hints(kind, include_extras=True)
    drawn = {field.name: values_of(hints[field.name]) for field in fields(kind)}
    return st.builds(kind, **drawn | NARROWER.get(kind, {}))


presses: st.SearchStrategy[Press] = st.one_of([press_of(kind) for kind in KINDS])


def parse(custom_id: str) -> Press | None:
    """Return the press that `custom_id` encodes; fail if two kinds match."""
    found = [press for kind in KINDS if (press := kind.parse(custom_id)) is not None]
    assert len(found) <= 1
    return found[0] if found else None


@given(presses)
@settings(max_examples=300)
def test_presses_round_trip(press: Press) -> None:
    """Every press parses from its custom id, which Discord accepts, so no two share one."""
    custom_id = press.custom_id
    read = parse(custom_id)
    assert read == press
    assert type(read) is type(press)
    for name in get_type_hints(type(press)).keys() & vars(press).keys():
        assert type(getattr(read, name)) is type(getattr(press, name))
    assert 1 <= len(custom_id) <= 100


@pytest.mark.parametrize("custom_id", STANDING)
def test_old_buttons_work(custom_id: str) -> None:
    """A button posted long ago still has the same meaning."""
    press = parse(custom_id)
    assert press == STANDING[custom_id]
    assert press.custom_id == custom_id


def test_every_press_is_tested() -> None:
    """Each kind of press is among the old ids, and each member of an enumeration too."""
    assert {type(press) for press in STANDING.values()} == set(KINDS)
    words = {word for custom_id in STANDING for word in custom_id.split(":")}
    assert {*OfferKind, *Answer, *Verb, *Step, *Way, *Period, *By, *OwnSetting} <= words


@st.composite
def tampered_ids(draw: st.DrawFn) -> str:
    """Return the custom id of a press with characters changed, added or removed."""
    custom_id = draw(presses).custom_id
    at = draw(st.integers(0, len(custom_id)))
    added = draw(st.text(ANY, max_size=2))
    return custom_id[:at] + added + custom_id[at + draw(st.integers(0, 2)) :]


@given(tampered_ids() | st.text(ANY, max_size=120))
def test_any_text_is_a_press_or_nothing(text: str) -> None:
    """No text raises, and a text that parses is the press's own custom id.

    Numbers may have leading zeros, as in 007.
    """
    press = parse(text)
    if press is not None:
        assert _without_leading_zeros(press.custom_id) == _without_leading_zeros(text)


def _without_leading_zeros(custom_id: str) -> str:
    """Return an id with its numbers as Python writes them."""
    fields = custom_id.split(":")
    return ":".join(str(int(field)) if field.isdecimal() else field for field in fields)


# Texts with wrong tags, numbers, digits and fields, and with line breaks and blanks.
HOSTILE = f"""
: m m: m:1 m:1:2 m:1:2: m:1:2:b2: m:1:2:b2:3 M:1:2:b2 mm:1:2:b2 rowbot
m:-1:2:b2 m:+1:2:b2 m:1_0:2:b2 m:1.0:2:b2 m:1e3:2:b2 m:0x1:2:b2 m:1:10000:b2
m:{"9" * 19}:2:b2 m:{"9" * 90}:2:b2 m:١:2:b2 m:1:２:b2 m:1:2:b２ m:1:2:b² m:1:2:ä2 m:1:2:b2\x00
m:1:2:B2 m:1:2:B m:1:2:ab m:1:2:b0 m:1:2:b02 m:1:2:b100 m:1:2:b2- m:1:2:b2-b3-b4 m:1:2:b2--b3
p:1:2:b2-b3 a:1:2:undo: a:1:2:play a:1:2:UNDO a:1:2:__class__ s: s:1:2
o:1:2:draw:10:agree o:1:2:draw:0:agree:0 o:1:2:war:0:agree
b:war b:challenge:tictactoe b:table:tictactoe:easy b:computer:tictactoe:best b:computer::easy
g:12: g:12:best r:one c:1:open c:1:accept:2 z:1
l::0 l:tictactoe:0 l:chess9:all:rating:0:1 l:{"a" * 21}:all:rating:0:1
l::all:rating:0 l::all:rating:0: l::all:rating:1000000:1 l::all:rating:-1:1 l::all:rating:0:-1
l::all:rating:0:{"9" * 19} l::all:rating:0:1:1 l::year:rating:0:1 l::2026-11:rating:0:1
l::all:losses:0:1 l::ALL:rating:0:1
""".split()
BLANK = ["", "m:1:2:b2\n", "\nm:1:2:b2", "m:1\n:2:b2", " m:1:2:b2", "m:1:2:b2 ", "m: 1:2:b2"]


@pytest.mark.parametrize("hostile", [*HOSTILE, *BLANK, "m:1:2:'; DROP TABLE matches"])
def test_hostile_ids_are_nothing(hostile: str) -> None:
    assert parse(hostile) is None
