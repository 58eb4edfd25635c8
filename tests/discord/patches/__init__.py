"""What the tests change in simcord and in discord.py, and why.

simcord takes what Discord refuses (`specification`) and forgets what it remembers (`nonces`). It
waits for the bot as if every pause were work (`settling`). The rest saves time that each of a
thousand bots would take anew: copies (`copying`), the options of commands (`parameters`), their
registration (`registering`) and translation (`translating`), and child processes (`starting`).
"""

from tests.discord.patches import (
    copying,
    parameters,
    registering,
    settling,
    specification,
    translating,
)


def install() -> None:
    """Make the changes that hold for all tests."""
    for module in (copying, parameters, registering, settling, translating, specification):
        module.install()
