"""Tournaments played by a crowd that does anything at any moment, and an oracle that checks them.

    python -m tests.discord.tournaments.fuzz --seed 1 --seeds 20

A seed decides what happens. Members join, play, leave and erase their data; moderators cancel,
correct, delete and take permissions away. Two things happen at once, or one in the middle of
another; requests and the database fail, and the bot is killed. At quiet moments, and at the end,
the oracle tells what is wrong. The exit status is 1 if anything is wrong.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from discord.utils import snowflake_time
from simcord.backend.errors import BackendError
from sqlalchemy import text

from bot.app import unix_now
from bot.identity import ChannelId
from bot.refusals import Refusal
from core.players import Member
from tests.discord.tournaments import oracle
from tests.discord.tournaments.crowd import LANGUAGES, Crowd, Live
from tests.discord.world import World
from tests.fuzzing import command
from tests.fuzzing.fuzzer import QUIET_SECONDS, Fuzzer, Stage
from tests.laws import may_be_unnoted

_STEPS = 400
_MOST_ROUNDS = 400
# A failed message is tried again for up to this time, in the language in which it was written.
_RETRIED_WITHIN = timedelta(minutes=10)


class FuzzOfTournaments(Fuzzer):
    """Lets a crowd play tournaments."""

    steps_to_rest = 25

    def __init__(self, stage: Stage):
        super().__init__(stage)
        self.requests.loses_answers = True
        self._crowd = Crowd(World(self.env, self.database, unix_now), self.rng, self.report.tell)
        self._posted: list[oracle.Posted] = []
        self._excused: set[int] = set()
        self._language = "en"
        self._rested_at = self.env.now()
        self._changed_at: datetime | None = None
        self._unknown: set[int] = set()
        self._erased: set[int] = set()
        self.env.backend.subscribers.append(self._note)

    async def run(self, steps: int, minutes: float) -> None:
        """Play, and take all tournaments to their end, unless something is wrong before."""
        await super().run(steps, minutes)
        if not self.report.wrong:
            await self._to_the_end()

    async def step(self) -> None:
        """Let the crowd do up to three things at once, and time pass."""
        rng, crowd = self.rng, self._crowd
        await self._see()
        self.trips.clear()
        self._trouble()
        posted, begun, before = len(self._posted), len(crowd.begun), self._language
        for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
            crowd.act()
        await self.settle()
        crowd.note_erased(begun, sure=not self.trips.failed)
        self._erased = {*crowd.erased}
        self._language = await self._language_now()
        if self._language != before:
            self._changed_at = self.env.now()
            unsure = [replace(one, language=None) for one in self._posted[posted:]]
            self._posted[posted:] = unsure
        if crowd.seconds:
            await self.jump(crowd.seconds)
            crowd.seconds = 0
        else:
            await self.live(rng.choice((0, 0, 0.5, 2, 2, 6, 6, 35)))
        if crowd.restart:
            crowd.restart = False
            await self.start_again()

    def _trouble(self) -> None:
        """Plan what happens to the next requests."""
        rng, requests = self.rng, self.requests
        if rng.random() < 0.05:
            requests.fail(rng.choice((1, 2, 4)))
        elif rng.random() < 0.3:
            requests.fail(0)
        if rng.random() < 0.04:
            self.fail_database()
        if rng.random() < 0.25:
            requests.overtake(rng.randint(1, 4), self._meanwhile)
        if rng.random() < 0.02:
            requests.kill_at(rng.randint(1, 8), carried_out=rng.random() < 0.7)

    def _meanwhile(self) -> None:
        self.report.tell("meanwhile")
        self._crowd.act()

    def started_again(self, died: datetime | None) -> None:
        """Note what the bot before can't answer any more, and boards that the new one can't know.

        A bot notes its boards every few seconds, so those just before a kill aren't noted. At its
        start it looks for such boards where it may read.
        """
        kills = [died] if died else []
        for channel_id, here in self.env.backend.messages.items():
            channel = self.env.backend.channels.get(channel_id)
            if channel is not None and channel.permission_channel_id() in self._crowd.denied:
                late = (one for one in here if may_be_unnoted(snowflake_time(one), kills))
                self._unknown.update(late)
        for record in self.env.backend.interactions.values():
            if not record.responded or record.loading:
                self._excused.add(record.id)

    # --- what the crowd and the oracle see

    async def _language_now(self) -> str:
        async with self.database.connect() as connection:
            found = await connection.execute(text("SELECT language FROM guild_settings"))
            return found.scalar() or "en"

    def _note(self, event: str, payload: Mapping[str, Any]) -> None:
        if event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            return
        channel_id, message_id = int(payload["channel_id"]), int(payload["id"])
        try:
            message = self.env.backend.get_message(channel_id, message_id)
        except BackendError:
            return
        if message.author_id != self.env.backend.bot_user.id or message.is_ephemeral:
            return
        shown = oracle.told(message)
        if not shown or not message.components:
            return
        changed_at = self._changed_at
        retried = changed_at is not None and self.env.now() - changed_at < _RETRIED_WITHIN
        self._posted.append(
            oracle.Posted(
                message_id,
                channel_id,
                shown,
                tuple(message.ping_user_ids),
                None if retried else self._language,
                # A member whose data was erased has data again once they do something.
                frozenset(self._erased & self._crowd.erased),
            )
        )

    async def _see(self) -> None:
        """Let the crowd see what there is."""
        crowd, matches = self._crowd, self._crowd.world.services.matches
        async with self.database.connect() as connection:
            live = await connection.execute(
                text(
                    "SELECT id, channel_id, tournament_id FROM matches"
                    " WHERE ended_at IS NULL AND put_away_at IS NULL ORDER BY id"
                )
            )
            rows = live.all()
            stages = await connection.execute(text("SELECT id, stage FROM tournaments"))
            crowd.going_on = {r.id: r.stage for r in stages if r.stage in ("open", "running")}
            keys = await connection.execute(
                text('SELECT tournament_id, "round", "table", game FROM tournament_games')
            )
            crowd.keys = [(r[0], ".".join(map(str, r[1:]))) for r in keys]
        crowd.live = []
        for row in rows:
            if row.channel_id not in self.env.backend.channels:
                continue
            try:
                stored = await matches.live(ChannelId(row.channel_id))
            except Refusal:
                continue  # it has ended meanwhile
            people = [p.id for p in stored.match.players if isinstance(p, Member)]
            mover = stored.match.next_player
            crowd.live.append(
                Live(
                    row.id,
                    row.channel_id,
                    row.tournament_id,
                    mover.id if isinstance(mover, Member) else None,
                    tuple(map(str, stored.match.position.legal_moves())),
                    tuple(people),
                )
            )

    async def rest(self) -> None:
        """Let the bot come to rest, and the oracle look."""
        crowd, requests = self._crowd, self.requests
        while crowd.denied:
            crowd.allow()
        # The bot waits longer between tries the longer a tournament has failed: a tenth of that.
        failing = (self.env.now() - self._rested_at).total_seconds()
        await self.live(max(QUIET_SECONDS, failing / 10 + 10))
        self._rested_at = self.env.now()
        seen = oracle.Seen(
            self.env.backend,
            self.database,
            {who.id: who.name for who in (*crowd.organisers, *crowd.moderators, *crowd.players)},
            erased=crowd.erased,
            lost={*crowd.deleted, *requests.lost, *self._unknown},
            excused={*self._excused, *requests.lost},
            posted=self._posted,
            languages=LANGUAGES,
        )
        await seen.look()
        self.report.find(*oracle.wrong(seen), *self.raised())
        self._posted.clear()
        self._excused |= {record.id for record in self.env.backend.interactions.values()}

    # --- the end

    async def _to_the_end(self) -> None:
        """Let everybody play on, and see that all tournaments come to their end."""
        crowd = self._crowd
        self.report.tell("to the end")
        for number in range(_MOST_ROUNDS):
            await self._see()
            if not crowd.going_on:
                break
            for one in [one for one, stage in crowd.going_on.items() if stage == "open"]:
                crowd.call_off(one)
                await self.live(1)
                crowd.confirm(one)
                await self.live(1)
            for live in crowd.live:
                crowd.live, kept = [live], crowd.live
                try:
                    crowd.act_on_board()
                finally:
                    crowd.live = kept
                await self.settle()
            await self.live(6)
            if number % 20 == 19:
                await self.jump(14_400)
                await self.live(40)
        await self.rest()
        if crowd.going_on:
            self.report.find(f"stuck: {crowd.going_on} don't end")


if __name__ == "__main__":
    command.main(FuzzOfTournaments, __doc__, steps=_STEPS)
