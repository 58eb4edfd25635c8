"""The JSON bodies of the loopback Discord, in the format of API v10."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]

APP_ID = 1_100_000_000_000_000_000
GUILD_ID = 1_100_000_000_000_100_000
OWNER_ID = 1_100_000_000_000_200_000
CHANNEL_BASE = 1_100_000_000_001_000_000
USER_BASE = 1_100_000_000_002_000_000

BUTTON = 2
SELECT = 3
TEXT = 10
USER_OPTION = 6
EPHEMERAL = 1 << 6
LOADING = 1 << 7
GUILD_MESSAGES = 1 << 9
GUILD_MEMBERS = 1 << 1

# The channels of each guild are numbered from here on, and guilds lie a shard apart.
CHANNELS_A_GUILD = 10_000
_SHARD_BITS = 22

# Every permission bit that Discord has assigned so far.
ALL_PERMISSIONS = str((1 << 53) - 1)
_JOINED = "2024-01-01T00:00:00.000000+00:00"


def guild_of(channel_id: int) -> int:
    """Return the guild of a channel."""
    number = (channel_id - CHANNEL_BASE) // CHANNELS_A_GUILD
    return GUILD_ID + (number << _SHARD_BITS)


def shard_of(guild_id: int, count: int) -> int:
    """Return the shard, of `count`, to which Discord sends the events of a guild."""
    return (guild_id >> _SHARD_BITS) % count


def user(user_id: int) -> Json:
    """Return a user object; the application's own id gives the bot user."""
    is_bot = user_id == APP_ID
    return {
        "id": str(user_id),
        "username": "loopback-bot" if is_bot else f"player{user_id - USER_BASE}",
        "global_name": None if is_bot else f"Player {user_id - USER_BASE}",
        "discriminator": "0",
        "avatar": None,
        "avatar_decoration_data": None,
        "bot": is_bot,
        "public_flags": 0,
    }


def member(user_id: int, *, permissions: bool = False) -> Json:
    """Return a guild member; interactions also carry the member's permissions."""
    body: Json = {
        "user": user(user_id),
        "nick": None,
        "avatar": None,
        "roles": [],
        "joined_at": _JOINED,
        "premium_since": None,
        "communication_disabled_until": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
    }
    if permissions:
        body["permissions"] = ALL_PERMISSIONS
    return body


def channel(channel_id: int) -> Json:
    """Return a guild text channel."""
    return {
        "id": str(channel_id),
        "guild_id": str(guild_of(channel_id)),
        "type": 0,
        "name": f"games-{channel_id - CHANNEL_BASE}",
        "position": channel_id - CHANNEL_BASE,
        "permission_overwrites": [],
        "parent_id": None,
        "topic": None,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "last_message_id": None,
        "flags": 0,
    }


def thread(thread_id: int, parent_id: int, fields: Json) -> Json:
    """Return a public thread in a channel, which the bot has opened with these `fields`."""
    minutes, now = fields.get("auto_archive_duration", 1440), datetime.now(UTC).isoformat()
    return {
        "id": str(thread_id),
        "guild_id": str(guild_of(parent_id)),
        "parent_id": str(parent_id),
        "owner_id": str(APP_ID),
        "type": 11,
        "name": fields["name"],
        "last_message_id": None,
        "message_count": 0,
        "member_count": 1,
        "rate_limit_per_user": 0,
        "flags": 0,
        "thread_metadata": {
            "archived": False,
            "auto_archive_duration": minutes,
            "archive_timestamp": now,
            "locked": False,
            "create_timestamp": now,
        },
    }


def guild(
    channel_ids: Sequence[int], member_ids: Sequence[int], total: int, threads: Sequence[Json] = ()
) -> Json:
    """Return the body of GUILD_CREATE for the guild of these channels.

    `total` is its `member_count`.
    """
    guild_id = str(guild_of(channel_ids[0]))
    everyone = {
        "id": guild_id,
        "name": "@everyone",
        "permissions": ALL_PERMISSIONS,
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    empty: Json = {
        key: []
        for key in (
            "emojis",
            "features",
            "presences",
            "voice_states",
            "stickers",
            "stage_instances",
            "guild_scheduled_events",
            "soundboard_sounds",
        )
    }
    return empty | {
        "id": guild_id,
        "name": "Loopback",
        "owner_id": str(OWNER_ID),
        "icon": None,
        "preferred_locale": "en-US",
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "system_channel_flags": 0,
        "afk_timeout": 300,
        "unavailable": False,
        "large": False,
        "joined_at": _JOINED,
        "member_count": total,
        "roles": [everyone],
        "channels": [channel(channel_id) for channel_id in channel_ids],
        "threads": list(threads),
        "members": [member(member_id) for member_id in member_ids],
    }


def application() -> Json:
    """Return the body of `GET /oauth2/applications/@me`."""
    return {
        "id": str(APP_ID),
        "name": "loopback",
        "description": "",
        "icon": None,
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user(OWNER_ID),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
    }


def message(message_id: int, channel_id: int, timestamp: str, fields: Json) -> Json:
    """Return a message by the bot with these `fields`."""
    body: Json = {
        "id": str(message_id),
        "channel_id": str(channel_id),
        "type": 0,
        "author": user(APP_ID),
        "application_id": str(APP_ID),
        "timestamp": timestamp,
        "edited_timestamp": None,
        "content": "",
        "embeds": [],
        "attachments": [],
        "components": [],
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "pinned": False,
        "tts": False,
        "flags": 0,
    }
    merge(body, fields)
    body["mentions"] = mentions(body, fields)
    return body


def merge(body: Json, fields: Json) -> None:
    """Merge the bot's fields into a message, numbering components as Discord does."""
    for key in ("content", "embeds", "components", "flags", "tts"):
        if key in fields:
            body[key] = fields[key] if fields[key] is not None else type(body[key])()
    for number, part in enumerate(parts(body), start=1):
        part.setdefault("id", number)


def mentions(body: Json, fields: Json) -> list[Json]:
    """Return the users that a new message notifies: named in its text, and allowed."""
    text = " ".join([body["content"], *(p["content"] for p in parts(body) if p["type"] == TEXT)])
    allowed = (fields.get("allowed_mentions") or {}).get("users") or ()
    return [user(int(user_id)) for user_id in allowed if f"<@{user_id}>" in text]


def interaction(
    interaction_id: int, token: str, user_id: int, channel_id: int, place: Json | None = None
) -> Json:
    """Return the common part of INTERACTION_CREATE bodies; `place` is a thread, if it is one."""
    guild_id = str(guild_of(channel_id))
    return {
        "id": str(interaction_id),
        "token": token,
        "application_id": str(APP_ID),
        "version": 1,
        "guild_id": guild_id,
        "guild": {"id": guild_id, "locale": "en-US", "features": []},
        "guild_locale": "en-US",
        "locale": "en-US",
        "channel_id": str(channel_id),
        "channel": (place or channel(channel_id)) | {"permissions": ALL_PERMISSIONS},
        "member": member(user_id, permissions=True),
        "app_permissions": ALL_PERMISSIONS,
        "authorizing_integration_owners": {"0": guild_id},
        "context": 0,
        "entitlements": [],
        "attachment_size_limit": 10 * 1024 * 1024,
    }


def privately(body: Json, user_id: int) -> Json:
    """Return the body of an interaction as it is in direct messages of two members."""
    channel = {"id": body["channel_id"], "type": 1, "recipients": [], "last_message_id": None}
    kept = {
        name: body[name] for name in body.keys() - {"guild_id", "guild", "guild_locale", "member"}
    }
    return kept | {
        "user": user(user_id),
        "channel": channel,
        "context": 2,
        "authorizing_integration_owners": {"1": str(user_id)},
    }


def command_data(commands: Sequence[Json], path: Sequence[str], options: Json) -> Json:
    """Return the `data` of a slash command by its path, e.g. ("play", "tictactoe").

    Raises LookupError if the bot synced no such command or option.
    """
    node = _named(commands, path[0])
    data: Json = {"id": node["id"], "name": node["name"], "type": 1, "options": []}
    level = data
    for name in path[1:]:
        node = _named(node.get("options", []), name)
        level["options"] = [{"name": name, "type": node["type"], "options": []}]
        level = level["options"][0]
    for name, value in options.items():
        kind = _named(node.get("options", []), name)["type"]
        level["options"].append({"name": name, "type": kind, "value": value})
        if kind == USER_OPTION:
            _resolve(data, int(value))
    return data


def buttons(body: Json) -> Iterator[Json]:
    """Yield the buttons of a message in reading order, at any depth."""
    return (part for part in parts(body) if part["type"] == BUTTON)


def parts(body: Json) -> Iterator[Json]:
    """Yield the components of a message in reading order, at any depth."""
    for part in body.get("components", ()):
        yield part
        yield from parts(part)
        if "accessory" in part:
            yield part["accessory"]


def _named(entries: Sequence[Json], name: str) -> Json:
    for entry in entries:
        if entry["name"] == name:
            return entry
    raise LookupError(f"no {name!r} among {[entry['name'] for entry in entries]}")


def _resolve(data: Json, user_id: int) -> None:
    resolved = data.setdefault("resolved", {"users": {}, "members": {}})
    resolved["users"][str(user_id)] = user(user_id)
    resolved["members"][str(user_id)] = {
        key: value
        for key, value in member(user_id, permissions=True).items()
        if key not in ("user", "deaf", "mute")
    }
