"""Roles that the bot's server gives for results, and what moderators do to them meanwhile."""

from collections.abc import Collection
from random import Random

import discord

from bot.app import unix_now
from bot.honours.model import Rule
from bot.honours.roles import trouble_with
from bot.honours.store import HonourStore
from bot.identity import MemberId, RoleId, ServerId
from bot.ratings.model import month_before
from tests.discord.honours.prizes import let, put, role
from tests.discord.world import World

_NAMES = ("Gold", "Silver")
_BELOW, _ABOVE = 1, 99


class Prizes:
    """The roles that the owner of a server may choose as prizes.

    The bot may forget a role of members in `unsure`, if it can't take the role back: they were
    erased, or the bot failed or died while it gave them the role.
    """

    def __init__(self, world: World, rng: Random):
        self._world = world
        self._rng = rng
        self._may_give = True
        self.unsure = set[int]()
        self._store = HonourStore(world.database)
        for name in _NAMES:
            role(world, name)

    def change(self) -> str:
        """Do something to a prize, or to the bot's right to give it; return what."""
        name = self._rng.choice(_NAMES)
        prize = self._world.guild.roles[name]
        acts = ("delete", "move", "change", "permit") if self._may_give else ("permit",)
        act = self._rng.choice(acts)
        if act == "delete":
            self._world.env.backend.delete_role(self._world.guild.id, prize.id)
            role(self._world, name)
            return f"{name} is deleted, and another role has its name"
        if act == "permit":
            self._may_give = not self._may_give
            let(self._world, manage_roles=self._may_give)
            return f"the bot may {'again' if self._may_give else 'no longer'} manage roles"
        if act == "move":
            position = self._rng.choice((_BELOW, _ABOVE))
            put(self._world, prize.id, position)
            return f"{name} has position {position}"
        may = discord.Permissions(manage_messages=self._rng.random() < 0.5)
        changed = {"permissions": may.value}
        self._world.env.backend.edit_role(self._world.guild.id, prize.id, changed)
        return f"{name} has the permissions {may.value}"

    async def look(self) -> None:
        """Note who has a role that isn't confirmed."""
        given = await self._store.given(ServerId(self._world.guild.id))
        self.unsure.update(one.member_id for one in given if not one.held)

    async def wrong(self, left: Collection[int]) -> list[str]:
        """Return who has a prize or lacks it wrongly, after a time without changes.

        Members who have `left` lost their prizes by that, which nobody tells the bot.
        """
        server = ServerId(self._world.guild.id)
        guild = self._world.env.bot.get_guild(server)
        assert guild is not None, "the bot is on this server"
        noted = {(one.role_id, one.member_id) for one in await self._store.given(server)}
        rules = {rule.role_id: rule for rule in await self._store.rules(server)}
        members = self._world.env.backend.guilds[server].members.items()
        wrong = []
        for name in _NAMES:
            prize = RoleId(self._world.guild.roles[name].id)
            holders = {MemberId(one) for one, member in members if prize in member.role_ids}
            unknown = {one for one in holders - self.unsure if (prize, one) not in noted}
            wrong += [f"roles: {one} has {name}, which isn't noted" for one in unknown]
            if trouble_with(guild, prize) is None:
                due = await self._due(server, rules.get(prize))
                wrong += [
                    f"roles: {one} {'has' if one in holders else 'lacks'} {name} wrongly"
                    for one in (holders ^ due).difference(left, self.unsure)
                ]
        return wrong

    async def _due(self, server: ServerId, rule: Rule | None) -> set[MemberId]:
        """Return the members who should have a prize by its rule; nobody without one."""
        if rule is None:
            return set()
        if rule.rating is None:
            return {*await self._store.winners(server, month_before(unix_now()))}
        return {*await self._store.rated(server, rule.rating)}
