"""The baseline: a bare discord.py bot.

It answers a press with a new message of nine buttons, deletes the old one, and does nothing else.
"""

import asyncio
import os
import signal

import discord
from discord import app_commands

Interaction = discord.Interaction[discord.Client]


class Square(discord.ui.Button["Board"]):
    """One of nine buttons."""

    def __init__(self, row: int) -> None:
        super().__init__(emoji="⬜", row=row)

    async def callback(self, interaction: Interaction) -> None:
        """Send a new board and delete the one that was pressed."""
        assert self.view is not None
        assert interaction.message is not None
        await interaction.response.send_message("Your turn.", view=Board())
        self.view.stop()
        await interaction.message.delete()


class Board(discord.ui.View):
    """Nine buttons in three rows."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        for number in range(9):
            self.add_item(Square(number // 3))


play = app_commands.Group(name="play", description="Play a game")


@play.command(name="tictactoe", description="Play tic-tac-toe")
async def tictactoe(interaction: Interaction) -> None:
    """Send the first board."""
    await interaction.response.send_message("Your turn.", view=Board())


class BareBot(discord.Client):
    """A client with one command, set up as in discord.py's quickstart."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(intents=intents)
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(play)

    async def setup_hook(self) -> None:
        """Sync the command."""
        await self.tree.sync()


async def main(intents: discord.Intents) -> None:
    """Run until SIGTERM."""
    discord.utils.setup_logging()
    async with BareBot(intents) as bot:
        running = asyncio.create_task(bot.start(os.environ["DISCORD_TOKEN"]))
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        await bot.close()
        await running


if __name__ == "__main__":
    asyncio.run(main(discord.Intents.default()))
