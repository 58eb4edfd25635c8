"""`python -m tests.load.launch BASE_URL MODULE …`: run a bot against the loopback Discord.

The bot's code is unchanged; only discord.py gets another address.
"""

import runpy
import sys

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def redirect(base_url: str) -> None:
    """Point discord.py's REST calls, webhooks and gateway at `base_url`."""
    # Webhooks and interaction callbacks build their URLs with this same Route class.
    Route.BASE = f"{base_url}/api/v10"
    # A client without shards never asks for the gateway's address.
    socket_url = base_url.replace("http", "ws", 1)
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{socket_url}/gateway")


def main() -> None:
    """Run the module named on the command line as the program."""
    base_url, module, *arguments = sys.argv[1:]
    redirect(base_url)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
