"""Presses and commands that are begun without waiting for their answers.

So several things can happen at once, and something can happen in the middle of something else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from simcord import actors, interactions
from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.backend.models import Interaction, Message
from simcord.builders import ChannelHandle
from simcord.enums import ComponentType, InteractionType
from simcord.env import Env
from simcord.results import InteractionResult

from tests.load.payloads import Json
from tests.load.reading import Control

# The style of the controls that stand for the members of a menu.
MEMBER_MENU = int(ComponentType.USER_SELECT)


def told(env: Env, message: Message) -> Json:
    """Return a message in Discord's JSON."""
    return dict(serializers.message_payload(env.backend, message))


def press(env: Env, who: MemberActor, message: Json, control: Control) -> Interaction:
    """Begin a press of a message as it was seen."""
    data: Json = {"custom_id": control.custom_id, "component_type": ComponentType.BUTTON}
    if control.value is not None:
        data |= {"component_type": ComponentType.STRING_SELECT, "values": [control.value]}
    if control.style == MEMBER_MENU:
        member = serializers.user_payload(env.backend.get_user(int(control.value or 0)))
        resolved = {"users": {control.value: dict(member)}}
        data |= {"component_type": MEMBER_MENU, "resolved": resolved}
    channel_id = int(message["channel_id"])
    record, sent = interactions.base_payload(
        env.backend,
        type=InteractionType.MESSAGE_COMPONENT,
        channel_id=channel_id,
        guild_id=who.guild.id,
        user_id=who.id,
        data=data,
    )
    sent["message"] = message
    record.source_message_id = int(message["id"])
    env.backend.emit("INTERACTION_CREATE", sent)
    return record


def slash(
    env: Env, who: MemberActor, where: ChannelHandle, name: str, options: dict[str, Any]
) -> Interaction:
    """Begin a command; raise SetupError if it isn't offered."""
    with _without_waiting(env):
        acting: Any = actors._slash(who, where, name, options)  # noqa: SLF001
        try:
            acting.send(None)
        except StopIteration as done:
            result: InteractionResult = done.value
            return result._interaction  # noqa: SLF001
    acting.close()
    raise AssertionError("simcord waits for something")


@contextmanager
def _without_waiting(env: Env) -> Iterator[None]:
    async def settled(**_: object) -> None:
        """Return at once."""

    vars(env)["_settle_internal"] = settled
    try:
        yield
    finally:
        del vars(env)["_settle_internal"]
