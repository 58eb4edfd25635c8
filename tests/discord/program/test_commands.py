"""The commands as Discord knows them: where they are offered, and those of another version."""

from typing import Any

import discord

from bot.client import Rowbot
from tests.discord.world import World, refused


async def test_where_commands_are_offered(world: World) -> None:
    """Commands for ratings and moderators are offered on servers with the bot, others everywhere.

    Moderators' commands are offered to nobody else.
    """
    bot = world.env.bot
    assert isinstance(bot, Rowbot)
    tree = bot.tree
    told = {command.name: command.to_dict(tree) for command in tree.get_commands()}
    offered = {name: (one["contexts"], one["integration_types"]) for name, one in told.items()}
    here = {name for name, where in offered.items() if where == ([0], [0])}
    everywhere = {name for name, where in offered.items() if where == ([0, 1, 2], [0, 1])}
    assert here == {"games", "endgame", "leaderboard", "achievements", "puzzle", "tournament"}
    assert everywhere == offered.keys() - here
    assert {"play", "move", "settings", "mydata", "help", "Challenge", "Profile"} <= everywhere
    moderators = discord.Permissions(manage_channels=True).value
    needed = {name: one.get("default_member_permissions") for name, one in told.items()}
    assert {name: may for name, may in needed.items() if may is not None} == {
        "games": moderators,
        "endgame": moderators,
    }


async def test_a_choice_of_another_version(world: World) -> None:
    """Discord may know the commands of a newer version while an older one runs."""
    await world.tell_commands()
    http, id_ = world.env.bot.http, world.env.bot.application_id
    assert id_ is not None
    known: list[Any] = await http.get_global_commands(id_)
    options = next(one["options"] for one in known if one["name"] == "leaderboard")
    by = next(one for one in options if one["name"] == "by")
    by["choices"].append({"name": "draws", "value": "draws"})
    given_by_discord = {"id", "application_id", "version"}
    newer = [{key: one[key] for key in one.keys() - given_by_discord} for one in known]
    await http.bulk_upsert_global_commands(id_, newer)
    told = refused(await world.alice.slash(world.channel, "leaderboard", by="draws"))
    assert told == "`by` must be one of these: `rating`, `wins` – not draws."
