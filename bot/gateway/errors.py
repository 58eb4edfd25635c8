"""Failures of calls to Discord: which of them may pass, and what they mean."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import aiohttp
import discord

from bot.db.errors import is_away
from bot.host_errors import HostError
from bot.identity import MessageId
from bot.refusals import Refusal

log = logging.getLogger(__name__)

# Discord refused the call or could not be reached; discord.py passes connection errors on as is.
CALL_FAILED = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError)

# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
_UNKNOWN_CHANNEL = 10003
_UNKNOWN_MESSAGE = 10008
_UNKNOWN_INTERACTION = 10062
_ACKNOWLEDGED = 40060
_THREAD_ARCHIVED = 50083
# The server has as many active threads as Discord allows, in all channels or in those for
# announcements.
_TOO_MANY_THREADS = (160006, 160007)
# Blocked by AutoMod, a server's filter of words. It filters a bot only for members who have
# installed the bot themselves.
_BLOCKED = 200000


class NoWayError(ConnectionError):
    """A message can't be sent: only answers reach the channel, and nothing is there to answer.

    Or the host has blocked the server.
    """


class NoAnswerError(ConnectionError):
    """Discord hasn't answered a call in time."""


class HiddenAnswerError(Refusal):
    """Discord shows an answer that is for everybody to the asker alone, if it was sent."""

    def __init__(self, message_id: MessageId | None = None):
        super().__init__("refusal.hidden")
        self.message_id = message_id


# An answer that is for everybody wasn't sent, or is shown to the asker alone.
ANSWER_FAILED = (HiddenAnswerError, *CALL_FAILED)


@asynccontextmanager
async def answered_within(seconds: float | None) -> AsyncIterator[None]:
    """Raise NoAnswerError if the calls in this context take longer; None leaves aiohttp's limit.

    A bare TimeoutError would be taken for one of the database.
    """
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        limit = f" within {seconds} s" if seconds else ""
        raise NoAnswerError(f"Discord hasn't answered{limit}") from error


def may_pass(error: BaseException) -> bool:
    """Return whether a call that failed with `error` may succeed when it is made again.

    A 403 without one of Discord's codes comes from a proxy, or from a ban of the host's address.
    """
    if isinstance(error, discord.HTTPException):
        barred = error.status == 403 and not error.code
        return error.status >= 500 or error.status == 429 or barred
    return not isinstance(error, NoWayError)


def trace_of(error: BaseException) -> BaseException | None:
    """Return `error` if its traceback belongs in the log; None if one line says everything.

    The code isn't at fault if the database is away, if Discord or the network fails, if an answer
    comes too late for Discord or is blocked there, or if a backup can't be made: the same traceback
    would fill the log.
    """
    refused = discord.HTTPException | discord.RateLimited
    of_a_call = isinstance(error, refused | aiohttp.ClientError | ConnectionError)
    late = isinstance(error, discord.NotFound) and error.code == _UNKNOWN_INTERACTION
    told = late or is_blocked(error) or isinstance(error, HostError)
    return None if is_away(error) or told or (of_a_call and may_pass(error)) else error


@contextmanager
def only_passing() -> Iterator[None]:
    """Raise a CALL_FAILED that may pass; log one that won't, since trying again is in vain."""
    try:
        yield
    except CALL_FAILED as error:
        if may_pass(error):
            raise
        log.info("a call to Discord failed for good: %s", error)


def is_message_gone(error: BaseException) -> bool:
    """Return whether a call failed because its message doesn't exist any more.

    Members can dismiss a private message even before it has its content.
    """
    return isinstance(error, discord.NotFound) and error.code == _UNKNOWN_MESSAGE


def is_channel_gone(error: BaseException) -> bool:
    """Return whether a call failed because its channel or thread doesn't exist any more."""
    return isinstance(error, discord.HTTPException) and error.code == _UNKNOWN_CHANNEL


def is_thread_archived(error: BaseException) -> bool:
    """Return whether a call failed because Discord has archived the thread.

    A new message reopens it, as does a member who wants to press a button there.
    """
    return isinstance(error, discord.HTTPException) and error.code == _THREAD_ARCHIVED


def is_full_of_threads(error: BaseException) -> bool:
    """Return whether a call failed because its server has too many active threads."""
    return isinstance(error, discord.HTTPException) and error.code in _TOO_MANY_THREADS


def is_blocked(error: BaseException) -> bool:
    """Return whether a call failed because the server's AutoMod takes offence at its words."""
    return isinstance(error, discord.HTTPException) and error.code == _BLOCKED


def is_answered(error: BaseException) -> bool:
    """Return whether a call failed because its interaction has a first response already.

    Discord has taken an earlier call, or an earlier try of discord.py's, whose reply was lost.
    """
    return isinstance(error, discord.HTTPException) and error.code == _ACKNOWLEDGED
