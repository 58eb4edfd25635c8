"""Rowbot with a computer player whose searches wait until the gate of a test is open.

A search process imports this module too, but needs the engine alone, so the bot is imported late.
"""

import asyncio

from tests.bot.engines import WaitingEngine


async def _run() -> None:
    from bot.app import create_bot
    from bot.db.database import open_database
    from bot.settings import Settings

    settings = Settings()
    assert settings.discord_token is not None, "the driver sets a token"
    async with open_database(settings.database_url) as database:
        bot = create_bot(settings, database, engine=WaitingEngine)
        await bot.start(settings.discord_token.get_secret_value())


if __name__ == "__main__":
    asyncio.run(_run())
