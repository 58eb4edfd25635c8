"""The effects of the bot's calls in each channel of the loopback Discord, newest last."""

import json
import time
from collections import defaultdict, deque

from aiohttp import web

from .calls import Call
from .payloads import Json

_KEPT = 200


class Journal:
    """The last calls that were carried out in each channel, in words.

    A call that a fault cut off isn't among them; a call whose reply was lost is.
    """

    def __init__(self) -> None:
        self._lines: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=_KEPT))
        self._closed = False

    def note(self, call: Call, channel: str, asked: str, response: web.StreamResponse) -> None:
        """Note a call about what was `asked` for, with the response to it."""
        if self._closed:
            return
        body = response.text if isinstance(response, web.Response) else None
        made = _message_id(json.loads(body)) if body else ""
        at = f"{time.strftime('%H:%M:%S')}.{int(time.time() % 1 * 1000):03}"
        shows = f"{response.status} {made or call.message}"
        self._lines[channel].append(f"{at} {call.kind} for {asked}: {shows}")

    def close(self) -> None:
        """Note nothing more."""
        self._closed = True

    def of(self, channel: str) -> list[str]:
        """Return the last calls in a channel."""
        return list(self._lines[channel])


def _message_id(body: Json | list[Json]) -> str:
    """Return the id of a response's message; for a list of messages, the ids of the newest few."""
    if isinstance(body, list):
        return " ".join(str(one.get("id")) for one in body[:5])
    message = body.get("resource", {}).get("message") or body
    about = body.get("interaction", {}).get("response_message_id")
    return str(about or message.get("id") or "")
