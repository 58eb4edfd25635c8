"""Roles that the bot may give for results, and the bot's own role."""

import discord
from simcord.builders import RoleHandle

from tests.discord.world import World


def own_role(world: World) -> int:
    """Return the id of the bot's own role."""
    roles = world.env.backend.guilds[world.guild.id].roles.values()
    return next(one.id for one in roles if one.managed)


def put(world: World, role_id: int, position: int) -> None:
    """Put a role at a position; a higher one has more power."""
    world.env.backend.reorder_roles(world.guild.id, [{"id": role_id, "position": position}])


def role(world: World, name: str, **permissions: bool) -> RoleHandle:
    """Create a role below the bot's own, which simcord puts below all others."""
    made = world.guild.create_role(name, permissions=discord.Permissions(**permissions))
    put(world, own_role(world), 50)
    return made


def let(world: World, *, manage_roles: bool) -> None:
    """Give the bot the permission to manage roles, or take it away."""
    may = discord.Permissions.all()
    may.update(administrator=False, manage_roles=manage_roles)
    world.env.backend.edit_role(world.guild.id, own_role(world), {"permissions": may.value})
