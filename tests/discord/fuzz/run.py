"""One run of a seed: members act, things happen around the bot, and the oracle looks at it all."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.matches.presses import OpenRules
from bot.ratings import model
from bot.ratings.model import Rating
from tests.fuzzing import messages
from tests.fuzzing.fuzzer import QUIET_SECONDS, Fuzzer, Stage
from tests.load.aftermath import rerated
from tests.load.reading import read

from .members import Members
from .oracle import Oracle
from .prizes import Prizes
from .rooms import NEWCOMERS, PEOPLE, Room, rooms

_HOUR, _DAY = 3600, 86_400
# Seconds that pass between acts, with their weights.
_PAUSES = {1: 60, 20: 20, 200: 6, 901: 6, 2 * _HOUR: 3, 2 * _DAY: 1, 20 * _DAY: 0.5}
# In longer ones, tokens end before the bot tries again what has failed.
_LONGEST_OUTAGE = 60
# The bot looks at the roles of a server every two minutes.
_ROLES_SECONDS = 130
# By then the bot has made the requests of a probe, also those that wait for its budget.
_REQUESTS_SECONDS = 1
# Of the threads that the bot has opened for matches, members meet in the newest.
_MOST_THREADS = 2
# The kinds of requests that fail together.
_FAILING = (
    "POST /webhooks/*",
    "POST /interactions/*",
    "PATCH /webhooks/*",
    "DELETE /webhooks/*",
    "POST /channels/*",
    "PATCH /channels/*",
    "DELETE /channels/*",
    "*",
)
# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
_ACKNOWLEDGED = "400 40060"
_NOT_A_TEXT = "/messages/@original: 400 50035"
_POSTING = discord.Permissions(send_messages=True, send_messages_in_threads=True)


class FuzzOfPlaces(Fuzzer):
    """Lets members play in places of every kind."""

    # Frequent, since a token lives for a quarter of an hour: where only tokens reach a message, the
    # oracle can't expect changes to it later.
    steps_to_rest = 12

    def __init__(self, stage: Stage):
        super().__init__(stage)
        self.requests.loses_answers = bool(self.report.seed % 2)
        env, self._locales = self.env, stage.locales
        users = [env.create_user(name) for name in PEOPLE]
        self._locales |= zip((user.id for user in users), PEOPLE.values(), strict=True)
        self._rooms = rooms(env, self.database, stage.patch, users, self.rng)
        (self._guest,) = (room for room in self._rooms if room.name == "guest")
        assert self._guest.elsewhere is not None
        self._guests = self._guest.elsewhere
        self._oracle = Oracle(
            env,
            self._locales,
            killed=self.requests.deaths,
            unheard=self.requests.unheard,
            lost=self.trips.lost,
        )
        self._members = Members(self._rooms, self.rng, self.report.tell)
        self._members.on_erased.append(self._erased)
        self._newcomers = iter(NEWCOMERS)
        self._muted = False
        self._home = [room for room in self._rooms if room.elsewhere is None]
        self._prizes = Prizes(self._home[0].world, self.rng)
        # Few members play the six matches that settle a rating, without which they get no role.
        stage.patch.setattr(model, "SETTLED_SIGMA", Rating().sigma)
        self._away: MemberActor | None = None  # the member who has left that server
        self._left: set[int] = set()  # all who have ever left it
        self._new: dict[int, int] = {}  # messages that have come or changed, with their channels
        env.backend.subscribers.append(self._note)
        # The newest interaction and the number of restarts at the last look.
        self._seen = self._restarts = 0

    def _erased(self, gone: MemberActor) -> None:
        """Let a newcomer, if one is left, take the place of a member whose data is erased."""
        self._prizes.unsure.add(gone.id)
        name = next(self._newcomers, None)
        if self.requests.dead or self.trips.failing or name is None:
            return
        self.report.tell(f"{gone.name} is erased, and {name} comes")
        self._oracle.erased.add(gone.name)
        user = self.env.create_user(name)
        self._locales[user.id] = self._locales[gone.id]
        for room in self._rooms:
            room.replace(gone, user)
        if self._away is not None and self._away.id == gone.id:
            self._away = None
            for room in self._home:
                room.members.append(room.world.guild.add_member(user))

    def _note(self, event: str, sent: Mapping[str, Any]) -> None:
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            self._new[int(sent["id"])] = int(sent["channel_id"])
        elif event == "MESSAGE_DELETE":
            self._oracle.removed[int(sent["id"])] = self.env.now()
        elif event == "INTERACTION_CREATE" and OpenRules.parse(sent["data"].get("custom_id", "")):
            self._oracle.asides.add(int(sent["id"]))
        elif event == "THREAD_CREATE" and int(sent["owner_id"]) == self.env.backend.bot_user.id:
            self._meet_in(int(sent["id"]), int(sent["parent_id"]))

    def _meet_in(self, thread_id: int, parent_id: int) -> None:
        """Let members meet in a thread that the bot opens for a match."""
        for parent in (*self._home, self._guest):
            if parent.channel.id == parent_id:
                self.report.counts["threads"] += 1
                (thread,) = (one for one in parent.channel.threads if one.id == thread_id)
                name, people = f"{parent.name}'s thread", [*parent.members]
                room = Room(name, parent.world, thread, people, parent.elsewhere, for_match=True)
                self._rooms.append(room)
                if room.elsewhere is None:
                    self._home.append(room)
                return

    def started_again(self, died: datetime | None) -> None:
        """Note which tokens the new bot doesn't know."""
        self._oracle.born = max(self.env.backend.interactions, default=0)

    async def step(self) -> None:
        """Let something befall the bot, members act, and time pass; then look at the rooms."""
        if self.rng.random() < 0.01:
            await self.start_again()
        if self.rng.random() < (0.1 if self.has_standby else 0.04):
            await (self.hand_over() if self.has_standby else self.stand_by())
        if self.rng.random() < 0.24:
            self._befall()
        try:
            await self._members.act()
            await self.settle()
            old = [one for one in self._rooms if one.for_match][:-_MOST_THREADS]
            for room in old:
                if room.has_bot:  # otherwise it wouldn't learn of it
                    self._delete(room)
            seconds = self.rng.choices(list(_PAUSES), list(_PAUSES.values()))[0]
            if seconds > 1:
                self.report.tell(f"{seconds} seconds pass")
                if seconds > _LONGEST_OUTAGE and self.requests.away:
                    self.requests.calm()
                if seconds > _DAY:
                    await self.live(QUIET_SECONDS)  # a board is owed for a day at most
                await (self.live(seconds) if seconds <= 200 else self.jump(seconds))
        except TimeoutError as error:
            self.report.find(f"stuck: {error}")
        await self._look()

    def _befall(self) -> None:
        """Let something happen around the bot."""
        events = {
            self._fail: 8,
            self.fail_database: 4,
            self._go_away: 1,
            self.calm: 4,
            self._kill: 20 if self.has_standby else 4,
            self._delete_message: 2,
            self._hide: 2,
            self._leave_or_come_back: 1.5,
            self._add_or_remove: 1,
            self._mute: 1,
            self._delete_channel: 0.5,
            self._change_prizes: 1.5,
        }
        (event,) = self.rng.choices(list(events), list(events.values()))
        event()

    def _fail(self) -> None:
        kind, times = self.rng.choice(_FAILING), self.rng.choice((1, 1, 1, 2, 3, 5))
        self.requests.fail(times, kind)
        self.report.tell(f"{times} requests fail: {kind}")

    def _go_away(self) -> None:
        """Let all requests fail, for about a minute at most."""
        self.requests.go_away()
        self.report.tell("Discord is away")

    def _kill(self) -> None:
        count, late = self.rng.randint(1, 5), self.rng.random() < 0.5
        self.requests.kill_at(count, carried_out=late)
        self.report.tell(f"the bot dies {'after' if late else 'before'} request {count}")

    def _add_or_remove(self) -> None:
        """Let the guests' server add the bot, or remove it."""
        posts = self._guests.posts
        self.report.tell(f"the server {'removes' if posts else 'adds'} the bot")
        change = self._guests.remove if posts else self._guests.install
        change()

    def _hide(self) -> None:
        """Forbid a guest external apps, or allow them again."""
        guests = self._guests
        hidden = guests.hidden if self.rng.random() < 0.5 else guests.secretly
        hidden ^= {self.rng.choice(self._guest.members).id}
        self.report.tell(f"hidden in the guest room: {guests.hidden}, {guests.secretly}")

    def _delete_message(self) -> None:
        """Let a moderator delete one of the newest messages."""
        room = self.rng.choice(self._home)
        if newest := room.shown()[-3:]:
            shown = read(self.rng.choice(newest))
            self.report.tell(f"{room.name}: message {shown.id} is deleted")
            self._oracle.deleted.append(shown)
            self.env.backend.delete_message(room.channel.id, shown.id)

    def _delete_channel(self) -> None:
        """Let a moderator delete the hall or a thread."""
        self._delete(self.rng.choice(self._home[1:]))

    def _delete(self, room: Room) -> None:
        """Delete a channel with its threads; another takes its place unless it was for a match."""
        self.report.tell(f"the {room.name} is deleted")
        gone = {room.channel.id, *(thread.id for thread in room.channel.threads)}
        self._oracle.channels |= dict.fromkeys(gone, self.env.now())
        room.world.delete_channel(room.channel)
        if not room.for_match:
            room.open_anew()
        for rooms_left in (self._rooms, self._home):
            rooms_left[:] = [one for one in rooms_left if one.channel.id not in gone]

    def _change_prizes(self) -> None:
        self.report.tell(self._prizes.change())

    def _leave_or_come_back(self) -> None:
        """Let a member leave the server, or the one who has left come back."""
        guild_id = self._home[0].world.guild.id
        gone, self._away = self._away, None
        if gone is not None:
            self.report.tell(f"{gone.name} comes back")
            self.env.backend.add_member(
                guild_id, gone.id, roles=[], nick=None, avatar=None, announce=True
            )
            for room in self._home:
                room.members.append(gone)
            return
        self._away = self.rng.choice(self._home[0].members)
        self.report.tell(f"{self._away.name} leaves the server")
        self._left.add(self._away.id)
        self.env.backend.remove_member(guild_id, self._away.id)
        for room in self._home:
            room.members = [one for one in room.members if one.id != self._away.id]

    def _mute(self) -> None:
        """Forbid the bot to post in the server's channel, or allow it again."""
        self._muted = not self._muted
        self._oracle.muted = True
        self.report.tell(f"the bot may {'no longer' if self._muted else 'again'} post")
        denied = _POSTING if self._muted else discord.Permissions.none()
        me = self.env.backend.bot_user.id
        overwrite = Overwrite(me, OverwriteType.MEMBER, deny=denied.value)
        self.env.backend.set_overwrite(self._home[0].channel.id, overwrite)

    async def _look(self) -> None:
        """Let the oracle look at what the last step brought."""

        def unexplained(lines: Iterable[str]) -> list[str]:
            return [one for one in lines if not (excused and _passing(one))]

        backend, asked = self.env.backend, list(self.requests.asked)
        rooms_by_id = {room.channel.id: room for room in self._rooms}
        excused = self.requests.failing or self.trips.failing or self._restarted()
        given = [one for number, one in backend.interactions.items() if number > self._seen]
        self.report.counts["interactions"] += len(given)
        for one in given:
            if one.channel_id not in rooms_by_id:
                continue  # the channel was deleted
            room = rooms_by_id[one.channel_id]
            self.report.find(*unexplained(self._oracle.answers(room, one, asked)))
        self.report.find(*unexplained(self._oracle.requests(self._rooms, asked)))
        for message_id, channel_id in self._new.items():
            message = backend.messages.get(channel_id, {}).get(message_id)
            shown = rooms_by_id.get(channel_id)
            if message is not None and shown is not None:
                told = f"{shown.name}: message {message_id}"
                self.report.find(*self._oracle.message_wrong(told, messages.body(message)))
                self.report.find(*await self._oracle.mentions(shown, message))
                self.report.find(*await self._oracle.language(shown, message))
        await self._prizes.look()
        raised = self.raised()
        self.report.find(*(() if excused else raised))
        self._oracle.muted = self._muted
        if self._muted:
            self._oracle.muted_until = self.env.now()
        self._forget()

    def _restarted(self) -> bool:
        before, self._restarts = self._restarts, self.report.counts["restarts"]
        return before != self._restarts

    def _forget(self) -> None:
        self._seen = max(self.env.backend.interactions, default=0)
        self._new.clear()
        self.requests.clear()
        self.trips.clear()
        self.env.backend.http_requests.clear()
        self.env.backend.transcript.clear()

    async def rest(self) -> None:
        """Check all rooms, and that members can play in them."""
        for room in self._rooms:
            if room.elsewhere is not None:
                room.elsewhere.hidden.clear()
                room.elsewhere.secretly.clear()
        await self.live(QUIET_SECONDS)
        await self._look()
        for room in self._rooms:
            self.report.find(*await self._oracle.room(room))
        self.report.find(*await self._oracle.deleted_channels(self._home[0]))
        self.report.find(*await self._oracle.overdue(self._home[0]))
        self.report.find(*self._oracle.posts(self._home))
        self.report.find(*await self._wrong_prizes())
        self.report.find(*await rerated(self.database))
        await self._home[0].world.sql("UPDATE guild_settings SET channels = ''")
        for room in self._rooms:
            await self._members.open_puzzles(room)
            await self._probe(room)
        await self._look()

    async def _wrong_prizes(self) -> list[str]:
        wrong = await self._prizes.wrong(self._left)
        if wrong:
            # A rated match may have run out of time since the bot last looked at roles.
            await self.live(_ROLES_SECONDS)
            wrong = await self._prizes.wrong(self._left)
        return wrong

    async def _probe(self, room: Room) -> None:
        """Go on with the match of a room, or begin one."""
        stored = await room.live()
        if stored is None:
            await self._members.begin(room)
            if await room.live() is None:
                self.report.find(f"stuck: {room.name}: no match can begin")
            return
        if not await self._members.ask_for_board(room, stored):
            return  # no player of the match is in the room any more
        shown = await room.live()
        if shown is not None and await self._members.go_on(room):
            after = await room.match(shown.id)
            if after is None or after.match == shown.match:
                self.report.find(f"stuck: {room.name}: match {shown.id} takes no move")
        await self.live(_REQUESTS_SECONDS)
        self.report.find(*await self._oracle.room(room))


def _passing(line: str) -> bool:
    """Return whether a failed request, or the bot's death, explains what is wrong.

    If the bot wasn't told that its answer has arrived, it answers again, and Discord refuses that,
    also where the bot would put a text in the place of its promise.
    """
    return line.startswith(("silent", "failed")) or line.endswith((_ACKNOWLEDGED, _NOT_A_TEXT))
