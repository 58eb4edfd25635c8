"""Rowbot with a computer player that thinks for longer than Discord waits for an answer."""

import asyncio
import time

from bot.app import create_bot
from bot.db.database import open_database
from bot.settings import Settings
from tests.bot.engines import SearchingEngine

THINKS_SECONDS = 3.5


class PonderingEngine(SearchingEngine):
    """Searches that take longer than Discord waits."""

    def search(self) -> None:
        time.sleep(THINKS_SECONDS)


async def _run() -> None:
    settings = Settings()
    assert settings.discord_token is not None, "the driver sets a token"
    async with open_database(settings.database_url) as database:
        bot = create_bot(settings, database, engine=PonderingEngine)
        await bot.start(settings.discord_token.get_secret_value())


if __name__ == "__main__":
    asyncio.run(_run())
