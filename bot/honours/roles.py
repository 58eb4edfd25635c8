"""Giving roles for results, and taking them back when those no longer hold.

The bot knows from its own rows which members have a role from it. It needs no list of members, and
thus no privileged intent. A row is written before a role is given, and erased after the role was
taken back, so after a kill in between the step is done again.
"""

import logging
from bisect import bisect_right
from collections.abc import Awaitable, Callable, Container, Iterable, Sequence

import discord

from bot.gateway.budget import Urgency
from bot.gateway.channels import Channels
from bot.gateway.components import view_of
from bot.gateway.errors import CALL_FAILED
from bot.gateway.loops import AFTER_START_SECONDS, Loop
from bot.gateway.membership import Membership, joined_at
from bot.honours.model import GivenRole, Rule, Trouble
from bot.honours.store import HonourStore
from bot.honours.view import trouble_text
from bot.identity import MemberId, Place, RoleId, ServerId
from bot.matches.here import SettingsHere
from bot.matches.model import StoredMatch
from bot.ratings.model import month_before
from bot.ratings.store import ScoreStore

log = logging.getLogger(__name__)

_EVERY_SECONDS = 120.0
# The most servers in one round, which take a second of CPU; the others wait for the next round.
_SERVERS_A_ROUND = 1000
# The most servers in one round about whose members Discord is asked: when a season ends, all with a
# role for its winner have changes, and presses ask over the same connections.
_ASKED_A_ROUND = 60
# The most changes of roles on one server in one round; the others wait for the next round.
_CHANGES_A_ROUND = 20
# The permissions that make a role a moderator's: those for which Discord wants a second factor, and
# those that concern all members.
_DANGEROUS = discord.Permissions.elevated() | discord.Permissions(
    mention_everyone=True,
    manage_events=True,
    manage_nicknames=True,
    mute_members=True,
    deafen_members=True,
    move_members=True,
    view_audit_log=True,
    view_guild_insights=True,
)


def trouble_with(guild: discord.Guild, role_id: RoleId) -> Trouble | None:
    """Return why the bot can't, or won't, give a role; None if it does."""
    role = guild.get_role(role_id)
    if role is None:
        return Trouble.GONE
    linked = role.tags is not None and role.tags.is_guild_connection()
    if role.is_default() or role.managed or linked:  # members get a linked role by a connection
        return Trouble.MANAGED
    if not guild.me.guild_permissions.manage_roles:
        return Trouble.PERMISSION
    if role >= guild.me.top_role:
        return Trouble.HIGHER
    # Checked last, because a role that has only this trouble can be taken back.
    return Trouble.DANGEROUS if (role.permissions & _DANGEROUS).value else None


def may_choose(member: discord.Member, guild: discord.Guild, role_id: RoleId) -> bool:
    """Return whether a member could give a role by hand: the bot mustn't give more power."""
    role = guild.get_role(role_id)
    if member.id == guild.owner_id or role is None:
        return True
    return member.guild_permissions.manage_roles and role < member.top_role


class RoleKeeper:
    """Brings the roles of members in line with the rules of their server.

    `guild_of` finds a server that this process is connected to, `now` gives Unix seconds.
    """

    def __init__(
        self,
        store: HonourStore,
        scores: ScoreStore,
        channels: Channels,
        here: SettingsHere,
        membership: Membership,
        guild_of: Callable[[ServerId], discord.Guild | None],
        now: Callable[[], int],
    ):
        self._store = store
        self._scores = scores
        self._channels = channels
        self._here = here
        self._membership = membership
        self._guild_of = guild_of
        self._now = now
        self._last = ServerId(0)
        # The servers with new results or rules, or with changes left: these don't wait for their
        # turn.
        self._changed = set[ServerId]()
        self._asked = 0  # servers in this round
        self.loop = Loop(
            "keeping roles", _EVERY_SECONDS, self.keep, first_after=AFTER_START_SECONDS
        )

    def note_rated(self, ended: StoredMatch) -> None:
        """Look at the server of a match in the next round if the match was rated."""
        if ended.entry.changes and ended.place.server_id is not None:
            self.note_change(ended.place.server_id)

    async def note_seen(self, server_id: ServerId, member_id: MemberId, joined_at: int) -> None:
        """Have roles given anew that a member has lost by leaving the server and coming back."""
        if await self._store.note_lost(server_id, member_id, joined_at):
            self.note_change(server_id)

    def note_change(self, server_id: ServerId) -> None:
        """Look at a server in the next round."""
        self._changed.add(server_id)

    async def keep(self) -> None:
        """Look at the servers that have rules or given roles; a failure on one leaves out no other.

        Servers with changes come first, then the others in turn: a round goes on where the last one
        ended.
        """
        servers = await self._store.servers_with_roles()
        self._changed.intersection_update(servers)
        self._asked = 0
        at = bisect_right(servers, self._last)
        others = [one for one in (*servers[at:], *servers[:at]) if one not in self._changed]
        following = [*self._changed, *others[:_SERVERS_A_ROUND]]
        await self.loop.each(following, self._keep_if_there, at_once=1)

    async def _keep_if_there(self, server_id: ServerId) -> None:
        if self._asked >= _ASKED_A_ROUND:
            return
        self._changed.discard(server_id)
        self._last = server_id
        guild = self._guild_of(server_id)
        if guild is None or guild.unavailable:
            return
        try:
            await self._keep_on(guild)
        except (discord.ClientException, *CALL_FAILED) as error:
            log.warning("the roles of server %s wait: %s", server_id, error)

    async def _keep_on(self, guild: discord.Guild) -> None:
        """Give and take back roles on one server, a limited number; raise one of CALL_FAILED."""
        server_id = ServerId(guild.id)
        rules = [
            await self._note_trouble(guild, rule) for rule in await self._store.rules(server_id)
        ]
        wanted = {
            (rule.role_id, one) for rule in rules for one in await self._holders(server_id, rule)
        }
        given = await self._store.given(server_id)
        to_take = await self._to_take_back(guild, rules, given, wanted)
        to_give = sorted(wanted - {(role.role_id, role.member_id) for role in given if role.held})
        taken = to_take[:_CHANGES_A_ROUND]
        added = [
            GivenRole(role_id, member_id)
            for role_id, member_id in to_give[: _CHANGES_A_ROUND - len(taken)]
        ]
        if added:
            await self._store.note_giving(server_id, added)
        if left := await self._change(guild, taken, added):
            await self._scores.note_left(server_id, left, month_before(self._now()))
        if len(to_take) + len(to_give) > _CHANGES_A_ROUND:
            self.note_change(server_id)

    async def _note_trouble(self, guild: discord.Guild, rule: Rule) -> Rule:
        """Note the current trouble with a rule, and tell of it if it is new; return the rule."""
        server_id = ServerId(guild.id)
        trouble = trouble_with(guild, rule.role_id)
        now = Rule(rule.role_id, rule.rating, trouble)
        # The rule is compared first: even a write that changes nothing makes others wait.
        is_news = now != rule and await self._store.note_trouble(server_id, rule.role_id, trouble)
        if is_news and trouble:
            await self._tell(server_id, now)
        if trouble is Trouble.GONE:
            await self._store.drop_rule(server_id, rule.role_id)
        return now

    async def _tell(self, server_id: ServerId, rule: Rule) -> None:
        """Tell the channel that hears of seasons why a role isn't given any more."""
        settings = await self._store.settings(server_id)
        if settings.season_channel is None:
            return
        text = trouble_text(rule, await self._here.texts_of(server_id))
        self._channels.send_later(Place(server_id, settings.season_channel), view_of(text))

    async def _holders(self, server_id: ServerId, rule: Rule) -> Sequence[MemberId]:
        """Return the members who should have a role by its rule; nobody if there is trouble."""
        if rule.trouble is not None:
            return ()
        if rule.rating is None:
            return await self._store.winners(server_id, month_before(self._now()))
        return await self._store.rated(server_id, rule.rating)

    async def _to_take_back(
        self,
        guild: discord.Guild,
        rules: Iterable[Rule],
        given: Iterable[GivenRole],
        wanted: Container[tuple[RoleId, MemberId]],
    ) -> list[GivenRole]:
        """Return the given roles that aren't `wanted` and can be taken back.

        While there is trouble with a rule's role, its holders keep it. A role that can never be
        taken back is forgotten: it was deleted, or isn't confirmed as held and can't be taken back
        now. Then its member was erased, or the bot was killed while giving it.
        """
        kept = {rule.role_id for rule in rules if rule.trouble}
        found = []
        for role in given:
            if (role.role_id, role.member_id) in wanted or (role.held and role.role_id in kept):
                continue
            trouble = trouble_with(guild, role.role_id)
            if trouble in (None, Trouble.DANGEROUS):
                found.append(role)
            elif trouble is Trouble.GONE or not role.held:
                await self._store.drop_given(ServerId(guild.id), role)
        return found

    async def _change(
        self, guild: discord.Guild, taken: Sequence[GivenRole], added: Sequence[GivenRole]
    ) -> set[MemberId]:
        """Take back and give roles; forget those of members who have left, and return these."""
        server_id = ServerId(guild.id)
        asked = {role.member_id for role in (*taken, *added)}
        if not asked:
            return set()
        self._asked += 1
        members = await self._membership.members(guild, asked)
        for role in taken:
            member = members.get(role.member_id)
            if member is not None and member.get_role(role.role_id) is not None:
                await self._call(member.remove_roles, role.role_id)
            await self._store.drop_given(server_id, role)
        for role in added:
            member = members.get(role.member_id)
            if member is None:
                await self._store.drop_given(server_id, role)
                continue
            if member.get_role(role.role_id) is None:
                await self._call(member.add_roles, role.role_id)
            await self._store.note_held(server_id, role, joined_at(member))
        return asked - {*members}

    async def _call(
        self, change: Callable[[discord.Object], Awaitable[None]], role: RoleId
    ) -> None:
        await self._channels.requests.make(Urgency.TIDY, lambda: change(discord.Object(role)))
