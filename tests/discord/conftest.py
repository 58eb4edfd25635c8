"""The world that tests of the bot play in."""

import pytest
from simcord.env import Env

from tests.discord.world import World


@pytest.fixture
def world(simcord_env: Env) -> World:
    """A server with alice, bob, carol and the bot."""
    return World(simcord_env)
