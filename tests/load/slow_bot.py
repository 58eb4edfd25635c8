"""Rowbot with a computer player that thinks for longer than Discord waits for an answer.

A search process imports this module too, but needs the engine alone, so the bot is imported late.
"""

import asyncio
import os
import time

from tests.bot.engines import SearchingEngine

THINKS_SECONDS = 3.5  # unless the environment says otherwise, under this name


class PonderingEngine(SearchingEngine):
    """Searches that take long."""

    def search(self) -> None:
        time.sleep(float(os.environ.get("THINKS_SECONDS", THINKS_SECONDS)))


async def _run() -> None:
    from bot.app import create_bot
    from bot.db.database import open_database
    from bot.settings import Settings

    settings = Settings()
    assert settings.discord_token is not None, "the driver sets a token"
    async with open_database(settings.database_url) as database:
        bot = create_bot(settings, database, engine=PonderingEngine)
        await bot.start(settings.discord_token.get_secret_value())


if __name__ == "__main__":
    asyncio.run(_run())
