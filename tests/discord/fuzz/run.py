"""One run of a seed: members act, things happen around the bot, and the oracle looks at it all."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from simcord.actors import MemberActor

from tests.fuzzing import messages
from tests.fuzzing.fuzzer import QUIET_SECONDS, Fuzzer, Stage

from .members import Members
from .oracle import Oracle
from .rooms import NEWCOMERS, PEOPLE, Room, rooms

_HOUR, _DAY = 3600, 86_400
# Seconds that pass between acts, and how often.
_PAUSES = {1: 60, 20: 20, 200: 6, 901: 6, 2 * _HOUR: 3, 2 * _DAY: 1}
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


class FuzzOfPlaces(Fuzzer):
    """Lets members play in places of every kind."""

    # A token lives for a quarter of an hour: what nothing else reaches is seen only soon after.
    steps_to_rest = 12

    def __init__(self, stage: Stage):
        super().__init__(stage)
        self.requests.loses_answers = bool(self.report.seed % 2)
        env, self._locales = self.env, stage.locales
        users = [env.create_user(name) for name in PEOPLE]
        self._locales |= zip((user.id for user in users), PEOPLE.values(), strict=True)
        self._rooms = rooms(env, self.database, stage.patch, users, self.rng)
        (self._guest,) = (room for room in self._rooms if room.name == "guest")
        self._oracle = Oracle(
            env, self._locales, killed=self.requests.deaths, unheard=self.requests.unheard
        )
        self._members = Members(self._rooms, self.rng, self.report.tell)
        self._members.on_erased.append(self._erased)
        self._newcomers = iter(NEWCOMERS)
        self._new: dict[int, int] = {}  # messages that have come or changed, with their channels
        env.backend.subscribers.append(self._note)
        # What was there at the last look.
        self._seen = self._restarts = 0

    def _erased(self, gone: MemberActor) -> None:
        """Let a newcomer, if one is left, come in the place of a member whose data is erased."""
        name = next(self._newcomers, None)
        if self.requests.dead or name is None:
            return
        self.report.tell(f"{gone.name} is erased, and {name} comes")
        self._oracle.erased.add(gone.name)
        user = self.env.create_user(name)
        self._locales[user.id] = self._locales[gone.id]
        for room in self._rooms:
            room.replace(gone, user)

    def _note(self, event: str, sent: Mapping[str, Any]) -> None:
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            self._new[int(sent["id"])] = int(sent["channel_id"])

    def started_again(self, died: datetime | None) -> None:
        """Note which tokens the new bot doesn't know."""
        self._oracle.born = max(self.env.backend.interactions, default=0)

    async def step(self) -> None:
        """Let something befall the bot, members act, and time pass; then look at the rooms."""
        self._befall()
        try:
            await self._members.act()
            await self.settle()
            seconds = self.rng.choices(list(_PAUSES), list(_PAUSES.values()))[0]
            if seconds > 1:
                self.report.tell(f"{seconds} seconds pass")
                await self.jump(seconds)
        except TimeoutError as error:
            self.report.find(f"stuck: {error}")
        await self._look()

    def _befall(self) -> None:
        """Let something happen around the bot."""
        lot, guest = self.rng.random(), self._guest.elsewhere
        assert guest is not None
        if lot < 0.08:
            kind, times = self.rng.choice(_FAILING), self.rng.choice((1, 1, 1, 2, 3, 5))
            self.requests.fail(times, kind)
            self.report.tell(f"{times} requests fail: {kind}")
        elif lot < 0.12:
            self.requests.calm()
        elif lot < 0.16:
            count, late = self.rng.randint(1, 5), self.rng.random() < 0.5
            self.requests.kill_at(count, carried_out=late)
            self.report.tell(f"the bot dies {'after' if late else 'before'} request {count}")
        elif lot < 0.17:
            self.report.tell(f"the server {'removes' if guest.posts else 'adds'} the bot")
            change = guest.remove if guest.posts else guest.install
            change()
        elif lot < 0.19:
            hidden = guest.hidden if self.rng.random() < 0.5 else guest.secretly
            hidden ^= {self.rng.choice(self._guest.members).id}
            self.report.tell(f"hidden in the guest room: {guest.hidden}, {guest.secretly}")

    async def _look(self) -> None:
        """Look at what the last step brought."""
        backend, asked = self.env.backend, list(self.requests.asked)
        rooms_by_id = {room.channel.id: room for room in self._rooms}
        excused = self.requests.failing or self._restarted()
        given = [one for number, one in backend.interactions.items() if number > self._seen]
        self.report.counts["interactions"] += len(given)
        for one in given:
            found = self._oracle.answers(rooms_by_id[one.channel_id], one, asked)
            self.report.find(*(line for line in found if not (excused and _passing(line))))
        found = self._oracle.requests(self._rooms, asked)
        self.report.find(*(line for line in found if not (excused and _passing(line))))
        for message_id, channel_id in self._new.items():
            message = backend.messages.get(channel_id, {}).get(message_id)
            room = rooms_by_id.get(channel_id)
            if message is not None and room is not None:
                told = f"{room.name}: message {message_id}"
                self.report.find(*self._oracle.message_wrong(told, messages.body(message)))
                self.report.find(*await self._oracle.mentions(room, message))
        raised = self.raised()
        self.report.find(*(() if excused else raised))
        self._forget()

    def _restarted(self) -> bool:
        before, self._restarts = self._restarts, self.report.counts["restarts"]
        return before != self._restarts

    def _forget(self) -> None:
        self._seen = max(self.env.backend.interactions, default=0)
        self._new.clear()
        self.requests.clear()
        self.env.backend.http_requests.clear()
        self.env.backend.transcript.clear()

    async def rest(self) -> None:
        """Look at all rooms, and whether they can be played in."""
        for room in self._rooms:
            if room.elsewhere is not None:
                room.elsewhere.hidden.clear()
                room.elsewhere.secretly.clear()
        await self.live(QUIET_SECONDS)
        await self._look()
        for room in self._rooms:
            self.report.find(*await self._oracle.room(room))
        for room in self._rooms:
            await self._probe(room)
        await self._look()

    async def _probe(self, room: Room) -> None:
        """Go on with the match of a room, or begin one."""
        stored = await room.live()
        if stored is None:
            await self._members.begin(room)
            if await room.live() is None:
                self.report.find(f"stuck: {room.name}: no match can begin")
            return
        if not await self._members.ask_for_board(room, stored):
            return  # nobody of the room sits there any more
        shown = await room.live()
        if shown is not None and await self._members.go_on(room):
            after = await room.match(shown.id)
            if after is None or after.match == shown.match:
                self.report.find(f"stuck: {room.name}: match {shown.id} takes no move")
        self.report.find(*await self._oracle.room(room))


def _passing(line: str) -> bool:
    """Return whether a failure of Discord's, or the bot's death, explains what is wrong.

    An answer whose arrival the bot wasn't told of is given again, and refused.
    """
    return line.startswith(("silent", "failed")) or line.endswith(_ACKNOWLEDGED)
