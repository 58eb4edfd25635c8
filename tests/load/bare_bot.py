"""The baseline: a bare discord.py bot, set up as in discord.py's quickstart.

It answers a press with a new message of `BUTTONS` buttons (from the environment; by default as many
as Rowbot shows on 3x3), deletes the old one, and does nothing else.
"""

import asyncio
import os
import signal

import discord
from discord import app_commands

Interaction = discord.Interaction[discord.Client]

_BUTTONS = int(os.environ.get("BUTTONS", "13"))
_A_ROW = 5


class Square(discord.ui.Button["Board"]):
    """One of the buttons."""

    def __init__(self) -> None:
        super().__init__(emoji="⬜", custom_id=f"m:{os.urandom(16).hex()}")

    async def callback(self, interaction: Interaction) -> None:
        """Send a new board and delete the one that was pressed."""
        assert self.view is not None
        assert interaction.message is not None
        await interaction.response.send_message(view=Board())
        self.view.stop()
        await interaction.message.delete()


class Board(discord.ui.LayoutView):
    """A text and the buttons: more than 25 fit on a layout only."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.TextDisplay("Your turn."))
        for first in range(0, _BUTTONS, _A_ROW):
            row = [Square() for _ in range(first, min(first + _A_ROW, _BUTTONS))]
            self.add_item(discord.ui.ActionRow(*row))


play = app_commands.Group(name="play", description="Play a game")


@play.command(name="tictactoe", description="Play tic-tac-toe")
async def tictactoe(interaction: Interaction) -> None:
    """Send the first board."""
    await interaction.response.send_message(view=Board())


class BareBot(discord.Client):
    """A client with one command."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)
        self.tree.add_command(play)

    async def setup_hook(self) -> None:
        """Sync the command."""
        await self.tree.sync()


async def main() -> None:
    """Run until SIGTERM."""
    discord.utils.setup_logging()
    async with BareBot() as bot:
        running = asyncio.create_task(bot.start(os.environ["DISCORD_TOKEN"]))
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        await bot.close()
        await running


if __name__ == "__main__":
    asyncio.run(main())
