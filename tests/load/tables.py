"""A player who plays game after game at a bot's boards."""

import asyncio
import random

from .discord_server import LoopbackDiscord
from .interactions import Answer
from .payloads import Json, buttons

# How long the bot needs to learn the new buttons from the response to its callback.
_STORED_SECONDS = 0.02
# A mark is an emoji, an empty square is its name, and all squares of the bare bot are this emoji.
_EMPTY = (None, "⬜")


def free_squares(message: Json) -> list[str]:
    """Return the custom_ids of the free squares."""
    squares = (b for b in buttons(message) if b.get("custom_id", "").startswith("m:"))
    return [
        b["custom_id"]
        for b in squares
        if not b.get("disabled") and (b.get("emoji") or {}).get("name") in _EMPTY
    ]


class Table:
    """A player in one channel, who presses free squares in game after game of tic-tac-toe."""

    def __init__(
        self, server: LoopbackDiscord, channel_id: int, user_id: int, **options: int | str
    ) -> None:
        self._server = server
        self._channel_id = channel_id
        self._user_id = user_id
        self._options = options
        self._random = random.Random(channel_id)
        self._message: Json | None = None
        self._final_id: int | None = None
        # One press at a time: the next needs the board that this one posts.
        self._turn = asyncio.Lock()

    @property
    def seated(self) -> bool:
        """Whether a game is running."""
        return self._message is not None

    @property
    def buttons(self) -> int:
        """The number of buttons of the board."""
        return sum(1 for _ in buttons(self._message)) if self._message else 0

    def leave(self) -> None:
        """End a game that the bot wouldn't end."""
        assert self._message is not None, "a game is running"
        self._game_over(int(self._message["id"]))

    async def command(self, *path: str, **options: int | str) -> Answer:
        """Give a command, and return its answer."""
        return await self._server.slash(self._user_id, self._channel_id, path, options)

    async def sit_down(self) -> None:
        """Start a game if none is running."""
        if self._message is None:
            self._message = await self._start()

    async def press(self) -> Answer | None:
        """Press a free square and return the answer, once the old board is deleted.

        Returns None if the game is over.
        """
        async with self._turn:
            if (message := self._message) is None:
                return None
            custom_id = self._random.choice(free_squares(message))
            answer = await self._server.press(self._user_id, message, custom_id)
            if answer.ephemeral or answer.message is None:
                return answer
            shown = await self._server.answered(await answer.shown)
            self._message = shown
            if shown["id"] != message["id"]:
                await self.replaced(int(message["id"]))
            if not free_squares(shown):
                self._game_over(int(shown["id"]))
            return answer

    async def replaced(self, message_id: int) -> None:
        """Wait until an old board is gone; a subclass may go on at once."""
        await self._server.wait_gone(message_id)

    def _game_over(self, final_id: int) -> None:
        # The bot may still edit the newest final board, but older ones only accumulate.
        if self._final_id is not None:
            self._server.forget(self._final_id)
        self._final_id = final_id
        self._message = None

    async def _start(self) -> Json:
        """Start a game and return its first board; raise RuntimeError if the bot posts none."""
        answer = await self.command("play", "tictactoe", **self._options)
        board = await answer.shown if answer.promised else answer.message
        board = board and await self._server.answered(board)
        if board is None or not free_squares(board):
            raise RuntimeError(f"no board to play on: {answer}")
        await asyncio.sleep(_STORED_SECONDS)
        return board


def tables(server: LoopbackDiscord, **options: int | str) -> list[Table]:
    """Return a table in each channel of a server, with a player of its own."""
    places = zip(server.channel_ids, server.user_ids, strict=True)
    return [Table(server, channel, user, **options) for channel, user in places]
