"""The club of most tests of tournaments."""

import pytest

from tests.discord.tournaments.playing import Club
from tests.discord.world import World


@pytest.fixture
def club(world: World) -> Club:
    """A server with an organiser and three players."""
    return Club(world, 3)
