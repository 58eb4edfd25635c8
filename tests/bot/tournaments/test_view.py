"""The message of a tournament is one that Discord takes, however long the names are."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.gateway.components import Component
from bot.i18n.languages import LANGUAGES
from bot.identity import ChannelId, MatchId, MemberId, Person, Place, ServerId
from bot.tournaments.model import Format, Tournament
from bot.tournaments.pairings import next_pairings
from bot.tournaments.service import MOST_ROUND_ROBIN
from bot.tournaments.stored import Arena, Settings, StoredTournament
from bot.tournaments.view import tournament_view
from core.games import GAMES
from tests.bot.tournaments.tournaments import DRAWN, begun, played_out, started, with_played

_MOST_CHARACTERS = 4_000
_ID = 1_100_000_000_000_000_000


def stored(value: Tournament, language: str) -> StoredTournament:
    """Return a tournament as it is kept, with names of 32 characters, all escaped, isolated."""
    game = GAMES["tictactoe"]
    named = [
        replace(one, person=Person(MemberId(_ID + one.number), f"{one.number:*>31}\u05d0"))
        for one in value.entrants
    ]
    arenas = {
        played.pairing.key: Arena(ChannelId(_ID + number), MatchId(number))
        for number, played in enumerate(value.played)
    }
    return StoredTournament(
        value.id,
        Place(ServerId(_ID), ChannelId(_ID), language),
        named[0].person,
        Settings(game, game.resolve({"rows": 10, "columns": 10}), value.format, 604_800, 64),
        replace(value, entrants=tuple(named)),
        tuple(one.person for one in named),
        arenas,
        language=language,
    )


def shown(tournament: StoredTournament) -> Iterable[Component]:
    """Return the components of a tournament's message."""
    view: Any = tournament_view(tournament)
    components: list[Component] = view.to_components()
    return components


def characters(components: Iterable[Component]) -> int:
    """Return how many characters all texts of components have, as Discord counts them."""
    return sum(
        len(one.get("content", "")) + characters(one.get("components", ())) for one in components
    )


@pytest.mark.parametrize("kind", Format)
def test_long_names_fit(kind: Format) -> None:
    """At the start of a round, while it is played, and at the end, in every language."""
    opened = started(kind, MOST_ROUND_ROBIN if "round_robin" in kind else 64)
    opened = begun(opened, *next_pairings(opened))
    going = with_played(opened, *(replace(one, points=DRAWN) for one in opened.being_played[::2]))
    ended = played_out(opened, Random(1))
    lengths = {
        (language, stage): characters(shown(stored(value, language)))
        for language in LANGUAGES
        for stage, value in (("opened", opened), ("going", going), ("ended", ended))
    }
    assert {key: n for key, n in lengths.items() if n > _MOST_CHARACTERS} == {}
