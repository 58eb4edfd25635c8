"""`python -m tests.load.launch BASE_URL MODULE`: run a bot against the loopback Discord.

The bot's own code runs unchanged; only discord.py is told where Discord is.
"""

import runpy
import sys

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def redirect(base_url: str) -> None:
    """Point discord.py at `base_url`, for REST calls, webhooks and the gateway alike."""
    # Webhooks and interaction callbacks build their URLs with this same Route class.
    Route.BASE = f"{base_url}/api/v10"
    # A client that is not sharded never asks for the gateway's address.
    socket_url = base_url.replace("http", "ws", 1)
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{socket_url}/gateway")


def main() -> None:
    """Run the module named on the command line as the program."""
    base_url, module = sys.argv[1:]
    redirect(base_url)
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
