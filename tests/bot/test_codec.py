"""Custom ids: what we write we read back, and what we didn't write is nothing."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.gateway.codec import Press, decode, encode
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
    Pick,
    Play,
    Rematch,
    Replay,
    Resign,
    Step,
)
from bot.servers.presses import Dare, Erase, Erasure, Games, History, Page, Reply, Verb
from core.games import GAMES

quickly = settings(deadline=None, database=None, derandomize=True, max_examples=300)

numbers = st.integers(0, 10**18 - 1)
plies = st.integers(0, 9999)
squares = st.builds(
    lambda column, row: f"{column}{row}",
    st.sampled_from("abcdefghijklmnopqrstuvwxyz"),
    st.integers(1, 99),
)
moves = squares | st.builds(lambda origin, to: f"{origin}-{to}", squares, squares)
members, pages = st.integers(0, 9 * 10**18 - 1), st.integers(0, 999_999)
groups = st.integers(1, 99).map(str) | squares | st.just("")
presses: st.SearchStrategy[Press] = st.one_of(
    st.builds(Play, numbers, plies, moves),
    st.builds(Pick, numbers, plies, squares | st.just("")),
    st.builds(Control, numbers, plies, st.sampled_from(Action)),
    st.builds(Resign, numbers),
    st.builds(
        Consent,
        numbers,
        plies,
        st.sampled_from(OfferKind),
        st.integers(0, 9),
        st.sampled_from(Answer),
    ),
    st.builds(Rematch, numbers),
    st.builds(Analyse, numbers),
    st.builds(Group, numbers, plies, groups, st.integers(0, 999)),
    st.builds(Legal, numbers),
    st.builds(Replay, numbers, plies, st.sampled_from(Step)),
    st.builds(Export, numbers),
    st.builds(History, members, pages),
    st.builds(Erase, members, st.sampled_from(Erasure)),
    st.builds(Dare, members, st.sampled_from([*GAMES])),
    st.builds(Games, st.integers(0, 999_999)),
    st.builds(Reply, numbers, st.sampled_from(Verb)),
    st.builds(
        Page,
        st.sampled_from(["", *GAMES]),
        st.sampled_from(Period),
        st.sampled_from(By),
        st.integers(0, 999_999),
        st.integers(0, 9 * 10**18 - 1),
    ),
)


@given(presses)
@quickly
def test_what_is_written_is_read_back(press: Press) -> None:
    """Every press round-trips as itself, in a custom id that Discord takes."""
    custom_id = encode(press)
    read = decode(custom_id)
    assert read == press
    assert type(read) is type(press)
    assert 1 <= len(custom_id) <= 100


@given(presses, presses)
@quickly
def test_different_presses_have_different_ids(one: Press, other: Press) -> None:
    """No two presses share a custom id."""
    assert (encode(one) == encode(other)) == (one == other)


def test_every_press_is_tested() -> None:
    """Each kind of press has a tag of its own."""
    kinds = get_args(Press)
    assert len({kind.tag for kind in kinds}) == len(kinds) == 17


@given(st.text(max_size=120))
@quickly
def test_any_text_is_a_press_or_nothing(text: str) -> None:
    """No text makes an exception, and what is read is exactly what we would have written."""
    press = decode(text)
    if press is not None:
        assert encode(press) == _without_leading_zeros(text)


@given(presses, st.data())
@quickly
def test_a_tampered_id_is_a_press_or_nothing(press: Press, data: st.DataObject) -> None:
    """Nor does one of our ids with a character changed, added or taken away."""
    custom_id = encode(press)
    at = data.draw(st.integers(0, len(custom_id)))
    middle = data.draw(st.text(max_size=2))
    tampered = custom_id[:at] + middle + custom_id[at + data.draw(st.integers(0, 2)) :]
    read = decode(tampered)
    if read is not None:
        assert encode(read) == _without_leading_zeros(tampered)


def _without_leading_zeros(custom_id: str) -> str:
    """Return an id as we write it: numbers may have come in as 007."""
    fields = custom_id.split(":")
    return ":".join(str(int(field)) if field.isdecimal() else field for field in fields)


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        ":",
        "m",
        "m:",
        "m:1",
        "m:1:2",
        "m:1:2:",
        "m:1:2:b2:",
        "m:1:2:b2:3",
        "m:1:2:b2\n",
        "\nm:1:2:b2",
        "m:1\n:2:b2",
        "m:1:2:b2\x00",
        "M:1:2:b2",
        " m:1:2:b2",
        "m:1:2:b2 ",
        "m:-1:2:b2",
        "m:+1:2:b2",
        "m: 1:2:b2",
        "m:1_0:2:b2",
        "m:1.0:2:b2",
        "m:1e3:2:b2",
        "m:0x1:2:b2",
        "m:" + "9" * 19 + ":2:b2",
        "m:" + "9" * 90 + ":2:b2",
        "m:1:10000:b2",
        "m:1:2:B2",
        "m:1:2:b0",
        "m:1:2:b02",
        "m:1:2:b100",
        "m:1:2:ä2",
        "m:1:2:b2-",
        "m:1:2:b2-b3-b4",
        "m:1:2:b2--b3",
        "m:1:2:'; DROP TABLE matches",
        "m:١:2:b2",
        "m:1:２:b2",
        "m:1:2:b２",
        "m:1:2:b²",
        "p:1:2:b2-b3",
        "a:1:2:undo:",
        "a:1:2:play",
        "a:1:2:UNDO",
        "a:1:2:__class__",
        "s:",
        "s:1:2",
        "o:1:2:draw:10:agree",
        "o:1:2:draw:0:agree:0",
        "o:1:2:war:0:agree",
        "r:one",
        "c:1:open",
        "c:1:accept:2",
        "l::0",
        "l:tictactoe:0",
        "l:chess9:all:rating:0:1",
        "l:" + "a" * 21 + ":all:rating:0:1",
        "l::all:rating:0",
        "l::all:rating:0:",
        "l::all:rating:1000000:1",
        "l::all:rating:-1:1",
        "l::all:rating:0:-1",
        "l::all:rating:0:" + "9" * 19,
        "l::all:rating:0:1:1",
        "l::year:rating:0:1",
        "l::2026-11:rating:0:1",
        "l::all:losses:0:1",
        "l::ALL:rating:0:1",
        "z:1",
        "mm:1:2:b2",
        "rowbot",
    ],
)
def test_hostile_ids_are_nothing(hostile: str) -> None:
    """Ids that none of our buttons has are None: wrong tags, numbers, digits, lines, fields."""
    assert decode(hostile) is None
