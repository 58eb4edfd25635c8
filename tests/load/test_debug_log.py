"""The log at the level DEBUG, of the real program over a real connection."""

import asyncio
from pathlib import Path

import pytest

from tests.load.discord_server import LoopbackDiscord
from tests.load.processes import SETTLE_SECONDS, BotProcess


@pytest.mark.slow
async def test_the_debug_log_holds_no_names_and_no_tokens(tmp_path: Path) -> None:
    """At that level discord.py logs calls and events, but without names, contents and tokens."""
    async with LoopbackDiscord(channels=1, members=1) as server:
        bot = BotProcess("bot", server, tmp_path, LOG_LEVEL="DEBUG")
        await bot.start()
        await asyncio.sleep(SETTLE_SECONDS)
        (here,), (alice,) = server.channel_ids, server.user_ids
        begun = await server.slash(alice, here, ("play", "tictactoe"))
        assert begun.message is not None
        await server.press(alice, begun.message, "m:1:0:b2")
        assert await bot.end() == 0
    log = bot.log.read_text()
    assert "<INTERACTION_CREATE>" in log
    assert "/callback" in log
    for address in ("interactions", "webhooks"):
        parts = [part.split("/") for part in log.split(f"/{address}/")[1:]]
        assert parts and all(token.startswith("<token>") for _, token, *_ in parts)
    assert "Player 0" not in log
    assert "player0" not in log
