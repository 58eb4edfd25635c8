"""Answers of a bot process while searches run, against a loopback Discord."""

import asyncio
import sys

import pytest

from tests.bot.searching import Gate
from tests.load import answers, payloads
from tests.load.discord_server import LoopbackDiscord
from tests.load.figures import percentile
from tests.load.processes import bot_process
from tests.load.reading import read

PATIENCE_SECONDS = 60

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")


async def test_only_what_waits_for_a_search_is_deferred(
    gate: Gate, migrated_sqlite_url: str
) -> None:
    """While the computer thinks, the player's move is shown, and other presses are answered.

    A hint waits for a search, so it is deferred. The computer's move is edited into the board.
    """
    async with (
        LoopbackDiscord(channels=2, members=3) as server,
        bot_process("tests.load.slow_bot", server, DATABASE_URL=migrated_sqlite_url),
    ):
        here, elsewhere = server.channel_ids
        alice, bob, carol = server.user_ids
        started = await server.slash(alice, here, ("play", "tictactoe"), {"level": "perfect"})
        board = await started.shown
        shown = await (await server.press(alice, board, "m:1:0:b2")).shown
        assert read(shown).thinking
        others = [
            await server.press(bob, shown, "m:1:1:a1"),
            await server.press(alice, shown, "m:1:1:a1"),
            await server.slash(bob, here, ("play", "tictactoe")),
        ]
        refused = [await other.shown for other in others]
        assert all(refusal["flags"] & 64 for refusal in refused)
        begun = await (await server.slash(carol, elsewhere, ("play", "tictactoe"))).shown
        assert read(begun).ply == 0
        hint = await server.slash(carol, elsewhere, ("hint",))
        assert hint.promised and not hint.shown.done()
        await server.wait_gone(int(board["id"]))
        gate.open()
        async with asyncio.timeout(PATIENCE_SECONDS):
            answered = await server.answered(shown)
            await hint.shown
        assert answered["id"] == shown["id"]
        assert read(answered).ply == 2
        assert not server.unknown


@pytest.mark.slow
async def test_searches_do_not_delay_other_presses() -> None:
    """Beside 20 games against the perfect player on 5x5, line 4, a press takes less than 50 ms."""
    found = await answers.measure(rate=10, seconds=20, searching=20)
    assert len(found.answers) > 50
    assert found.searched
    # The slowest presses are slow because of the machine.
    assert percentile(found.answers, 99) < 0.05


async def test_a_long_review_in_direct_messages(gate: Gate, migrated_sqlite_url: str) -> None:
    """Its private answer tells how many positions are analysed, until the review takes its place.

    All of this is done by tokens, and the board doesn't change.
    """
    async with (
        LoopbackDiscord(channels=1, members=1, private=True) as server,
        bot_process("tests.load.slow_bot", server, DATABASE_URL=migrated_sqlite_url),
    ):
        here, alice = server.channel_ids[0], server.user_ids[0]
        begun = await server.slash(alice, here, ("play", "tictactoe"), {"level": "easy"})
        # On a busy machine the first answer is only a promise, which has no buttons.
        started = await begun.shown
        asked = await (await server.press(alice, started, "a:1:0:resign")).shown
        yes = next(part["custom_id"] for part in payloads.parts(asked) if "custom_id" in part)
        await server.press(alice, asked, yes)
        await server.wait_gone(int(started["id"]))
        (final,) = server.messages(here)
        async with asyncio.timeout(PATIENCE_SECONDS):
            progress = await (await server.slash(alice, here, ["analyse"])).shown
            assert progress["flags"] & 64 and "0 of 1 positions" in str(progress)
            gate.open()
            said = str(progress)
            while "Analysis" not in said:
                await asyncio.sleep(0.1)
                said = str(server.shown.get(int(progress["id"])))
        assert "No move was made" in said and "positions" not in said
        assert server.messages(here) == [final] and "Rematch" in str(final)
        assert not server.refused and not server.unknown
