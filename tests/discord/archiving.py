"""Threads that Discord archives: simcord knows the state, but not what Discord refuses in it."""

from datetime import UTC, datetime

import pytest
from simcord.backend.errors import BackendError
from simcord.backend.models.message import Message
from simcord.builders import ChannelHandle

from tests.discord.world import World


async def archive(world: World, monkeypatch: pytest.MonkeyPatch, thread: ChannelHandle) -> None:
    """Archive a thread: nothing in it can be changed or removed until a message reopens it."""
    backend = world.env.backend
    edit, remove, commit = backend.edit_message, backend.delete_message, backend.commit_message

    def check(channel_id: int) -> None:
        metadata = backend.get_channel(channel_id).thread_metadata
        if metadata is not None and metadata.archived:
            raise BackendError(400, 50083, "Thread is archived")

    def edited(channel_id: int, message_id: int, fields: dict[str, object]) -> Message:
        check(channel_id)
        return edit(channel_id, message_id, fields)

    def removed(channel_id: int, message_id: int) -> None:
        check(channel_id)
        remove(channel_id, message_id)

    def committed(message: Message, *, broadcast: bool = True) -> Message:
        if message.channel_id == thread.id and not message.is_ephemeral:
            reopen(world, thread)
        return commit(message, broadcast=broadcast)

    monkeypatch.setattr(backend, "edit_message", edited)
    monkeypatch.setattr(backend, "delete_message", removed)
    monkeypatch.setattr(backend, "commit_message", committed)
    backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    await world.env.settle()


def reopen(world: World, thread: ChannelHandle) -> None:
    """Reopen a thread, as a client does before its member presses a button there."""
    now = datetime.fromtimestamp(world.clock(), UTC).isoformat()
    world.env.backend.edit_channel(
        thread.id, {}, thread_metadata={"archived": False, "archive_timestamp": now}
    )
