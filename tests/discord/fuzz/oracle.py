"""The oracle: what must hold for all that members see, whatever happens around the bot."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from discord.utils import snowflake_time
from simcord.backend.models import Interaction, Message, ResponseKind
from simcord.env import Env

from bot.app import unix_now
from bot.i18n import own_texts
from bot.invitations.model import PlayInThread, ReplyInThread
from bot.matches.model import StoredMatch
from bot.matches.presses import RematchInThread
from core.players import Member
from tests import laws
from tests.fuzzing import messages
from tests.fuzzing.languages import foreign
from tests.fuzzing.messages import named, too_much, unfilled
from tests.fuzzing.requests import Asked
from tests.laws import NOTED_WITHIN, Known
from tests.load.payloads import Json
from tests.load.reading import Control, Reading, controls_of, read, text_of

from .rooms import Room

# A token with as long as this to live is one that the bot must use: tokens live for 15 minutes, and
# the bot uses them for 14, and needs a moment to act.
_SURE_OF_A_TOKEN = timedelta(seconds=90)
# Seconds within which the bot acts on what is due: it looks every five seconds.
_ACTS_WITHIN = 20
# Discord's error codes for a member, a message or a token that isn't there any more.
_GONE = {10007, 10008, 10015, 10062}
_NO_CHANNEL, _FORBIDDEN = 10003, 50013
_IN_THREAD = (PlayInThread, ReplyInThread, RematchInThread)
_PUZZLE = re.compile("zo:[0-9]+:new")


@dataclass
class Oracle:
    """Looks at rooms, and yields what is wrong, in words.

    `locales` are the members' locales by id; `erased` are the names of members whose data was
    erased. Some things the bot can't know:

    - the tokens of interactions up to `born`, which came before its start;
    - all that it sent just before the moments in `killed`;
    - the messages in `unheard`, except that it can look for them where it can post; and that the
      tokens of the interactions in `unheard` reach a message;
    - the ends at the moments in `lost`, at which loops had no reply from the database: it looks for
      those only where it can post.

    `in_vain` are the interactions that the database has let fail, which the asker was told.
    `asides` are the presses that only asked for the rules: the bot leaves the message as it is.
    `deleted` are the messages that a moderator has deleted. `removed` are the ids of all deleted
    messages, and `channels` those of the deleted channels, each with the moment. While the bot is
    `muted`, and shortly after, Discord may refuse its posts on its server. What it couldn't post
    there until `muted_until` may come hours later.
    """

    env: Env
    locales: dict[int, str]
    erased: set[str] = field(default_factory=set)
    born: int = 0
    killed: list[datetime] = field(default_factory=list)
    unheard: set[int] = field(default_factory=set)
    lost: list[int] = field(default_factory=list)
    deleted: list[Reading] = field(default_factory=list)
    channels: dict[int, datetime] = field(default_factory=dict)
    removed: dict[int, datetime] = field(default_factory=dict)
    muted: bool = False
    muted_until: datetime | None = None
    in_vain: set[int] = field(default_factory=set)
    asides: set[int] = field(default_factory=set)

    # What one interaction brought

    def answers(self, room: Room, given: Interaction, asked: Iterable[Asked]) -> Iterator[str]:
        """Yield what is wrong with the answer to an interaction after these requests."""
        told = f"{room.name}: interaction {given.id} of {given.user_id}"
        posted = [one for one in asked if one.method != "GET" and not one.status]
        if not given.responded:
            yield f"silent: {told} has no answer"
        elif given.loading:
            yield f"silent: {told} was only promised one"
        elif given.response_kind is ResponseKind.DEFERRED_UPDATE and len(posted) < 2:
            yield f"silent: {told} was deferred, and nothing followed"
        hidden = room.elsewhere is not None and given.user_id in room.elsewhere.hides
        for message in self._private(given):
            if not room.takes_threads and any(
                map(is_in_thread, controls_of(messages.body(message)))
            ):
                yield f"thread: {told} offers one"
            # An answer that Discord made private may be in the language of the room.
            yield from self._private_wrong(told, given, message, own=not hidden)

    def _private(self, given: Interaction) -> Iterator[Message]:
        """Yield the private messages that an answer has made or changed."""
        stored = self.env.backend.messages.get(given.channel_id, {})
        for message_id in (given.message_id, *given.followup_ids):
            message = stored.get(message_id or 0)
            if message is None or not message.is_ephemeral:
                continue
            changed = datetime.fromisoformat(message.edited_timestamp or message.timestamp)
            if changed >= snowflake_time(given.id) or message.id != given.source_message_id:
                yield message

    def _private_wrong(
        self, told: str, given: Interaction, message: Message, *, own: bool
    ) -> Iterator[str]:
        locale = self.locales[given.user_id]
        body = messages.body(message)
        said = text_of(body)
        away = own_texts(locale)("refusal.database", id=given.id) in said
        if away:
            self.in_vain.add(given.id)
        if away or own_texts(locale)("refusal.unexpected", id=given.id) in said:
            yield f"failed: {told}: {said}"
        if own and (strange := foreign(said, locale)):
            yield f"language: {told} in {locale}: {strange}"
        yield from self.message_wrong(told, body)

    def message_wrong(self, told: str, body: Json) -> Iterator[str]:
        """Yield what is wrong with a message in itself."""
        yield from too_much(told, body)
        yield from unfilled(told, text_of(body))
        words = json.dumps([body["content"], body["components"]], ensure_ascii=False)
        yield from named(told, words, sorted(self.erased))

    def requests(self, rooms: Iterable[Room], asked: Iterable[Asked]) -> Iterator[str]:
        """Yield the requests that Discord had to refuse.

        A "route" line is a request to a channel where only an interaction's token would do.
        """
        by_channel = {f"/channels/{room.channel.id}": room for room in rooms}
        for one in asked:
            where = by_channel.get("/".join(one.path.split("/")[:3]))
            if where is not None and not where.posts:
                # The bot may still edit once what began while the server had it.
                if not where.was_open:
                    yield f"route: {one.method} {one.path} in {where.name}"
            elif 400 <= one.status < 500 and not self._is_excused(one):
                yield f"refused: {one.method} {one.path}: {one.status} {one.code}"

    def _is_excused(self, refused: Asked) -> bool:
        """Return whether the bot could not know that Discord would refuse a request."""
        if refused.code == _FORBIDDEN:
            return self.muted
        if refused.code == _NO_CHANNEL:
            of_channel = refused.path.startswith("/channels/")
            return not of_channel or int(refused.path.split("/")[2]) in self.channels
        return refused.code in _GONE

    async def mentions(self, room: Room, message: Message) -> list[str]:
        """Return the members whom a new message notifies although they needn't act."""
        shown = read(room.told(message))
        may = await self._must_act(room, shown) if message.ping_user_ids else None
        if may is None:
            return []
        asker = int(((message.interaction_metadata or {}).get("user") or {}).get("id", 0))
        return [
            f"mention: {room.name}: message {message.id} notifies {one}: {shown.text[:80]}"
            for one in message.ping_user_ids
            if one not in may - {asker}
        ]

    async def _must_act(self, room: Room, shown: Reading) -> set[int] | None:
        """Return the members who may be notified of a message, None if it is out of date."""
        if shown.match is not None and shown.running:
            stored = await room.match(shown.match)
            if stored is None or stored.match.outcome or stored.match.ply != shown.ply:
                return None
            if snowflake_time(shown.id).timestamp() < stored.moved_at:
                return None  # a player has left a match of three since
            return _members([stored.match.next_player])
        if shown.offer is not None:
            stored = await room.match(shown.offer)
            return _members(stored.match.players) if stored else None
        # A challenge, or a reminder, which has no buttons.
        asked = [*room.members, *(room.gone if room.elsewhere else ())]
        return {member.id for member in asked}

    async def language(self, room: Room, message: Message) -> list[str]:
        """Return a line of a match's new message that isn't in the language of the match."""
        shown = read(room.told(message))
        stored = await room.match(shown.match) if shown.match is not None else None
        if stored is None or stored.language is None:
            return []
        strange = foreign(shown.text, stored.language)
        told = f"language: {room.name}: message {message.id} in {stored.language}"
        return [f"{told}: {strange}"] if strange else []

    # What a room shows

    async def room(self, room: Room) -> list[str]:
        """Return what is wrong with the messages of a room at a quiet moment."""
        wrong: list[str] = []
        shown = [read(message) for message in room.shown()]
        for one in shown:
            if not one.controls or not await self._reaches(room, one):
                continue
            wrong += await self._stale(room, one)
            if not await _is_past(room, one):
                wrong += named(f"{room.name}: message {one.id}", one.text, sorted(self.erased))
        wrong += await self._live_wrong(room, shown)
        if room.posts and not (room.elsewhere and room.elsewhere.installed_after):
            wrong += await self._invitations_wrong(room, shown)
            wrong += await self._ends_wrong(room, shown)
        return wrong

    async def _live_wrong(self, room: Room, shown: Sequence[Reading]) -> list[str]:
        """Return what is wrong with the boards of the match that is played in a room."""
        stored = await room.live()
        if stored is None or not isinstance(stored.match.next_player, Member):
            return []
        if not (room.posts and stored.place.posts):
            return []
        known = Known.of(stored)
        current = [one for one in shown if laws.is_current(one, known)]
        noted = (one for one in current if not self._just_before_a_kill(snowflake_time(one.id)))
        wrong = [*laws.doubled(room.name, noted)]
        if not self._may_be_dark(room, stored, shown):
            wrong += laws.in_the_dark(room.name, shown, known)
        return wrong

    def _may_be_dark(self, room: Room, stored: StoredMatch, shown: Sequence[Reading]) -> bool:
        """Return whether no message need show a live match of a room as it stands."""
        moved = datetime.fromtimestamp(stored.moved_at, UTC)
        if self._could_not_post(room, moved):
            return True
        if any(laws.is_current(one, Known.of(stored)) for one in self.deleted):
            return True
        # If the bot died before it sent the newest board, the next press on the board before brings
        # that.
        boards = [one for one in (*shown, *self.deleted) if one.running or one.over]
        before = stored.id in [one.match for one in boards]
        return before and self._just_before_a_kill(moved)

    async def _invitations_wrong(self, room: Room, shown: Sequence[Reading]) -> list[str]:
        """Return the open invitations of a room that no message shows, or more than one."""
        wrong = []
        for number, posted in (await room.open_invitations()).items():
            found = [one.id for one in shown if one.invitation == number]
            gone = any(one.invitation == number for one in self.deleted)
            sure = [one for one in found if not self._unsure(one)]
            # An erasure removes the messages first: cut off there, it leaves an invitation without.
            removed = self.removed.get(posted) if posted else None
            cut_off = removed and (self._just_before_a_kill(removed) or self._in_vain_at(removed))
            # A kill or a failure may also have kept it from being posted.
            if len(sure) > 1 or not (found or gone or cut_off or posted is None):
                wrong.append(f"invited: {room.name}: invitation {number} is shown by {found}")
        return wrong

    async def _ends_wrong(self, room: Room, shown: Sequence[Reading]) -> list[str]:
        """Return the ended matches of a room that more than one message shows."""
        shared = await room.shared()
        over = (one for one in shown if one.over and one.id not in shared)
        return [*laws.doubled(room.name, (one for one in over if not self._unsure(one.id)))]

    def posts(self, rooms: Iterable[Room]) -> list[str]:
        """Return the puzzles of the day that more than one message shows."""
        shown = (message for room in rooms for message in room.shown())
        counts = Counter(one.custom_id for message in shown for one in puzzle_buttons(message))
        return [
            f"posts: {one} is shown {count} times" for one, count in counts.items() if count > 1
        ]

    def _unsure(self, message_id: int) -> bool:
        """Return whether the bot may not know of a message of its own."""
        moment = snowflake_time(message_id)
        cut_off = self._just_before_a_kill(moment) or self._in_vain_at(moment)
        return message_id in self.unheard or cut_off

    async def deleted_channels(self, room: Room) -> list[str]:
        """Return the matches that go on although the bot saw that their channel was deleted."""
        seen = [one for one, when in self.channels.items() if not self._just_before_a_kill(when)]
        live = "SELECT id FROM matches WHERE ended_at IS NULL AND put_away_at IS NULL"
        found = [
            row[0] for one in seen for row in await room.world.sql(f"{live} AND channel_id = {one}")
        ]
        return [f"deleted: match {one} goes on in a channel that was deleted" for one in found]

    async def overdue(self, room: Room) -> list[str]:
        """Return the matches, here and elsewhere, in which a deadline or a reminder was missed."""
        due = f"SELECT id FROM matches WHERE due_at < {unix_now() - _ACTS_WITHIN} ORDER BY id"
        return [f"overdue: match {row[0]}" for row in await room.world.sql(due)]

    async def _stale(self, room: Room, shown: Reading) -> list[str]:
        """Return why the buttons of a message should be gone; nothing if they may stay."""
        told = f"stale: {room.name}: message {shown.id}"
        if shown.running and shown.match is not None:
            stored = await room.match(shown.match)
            return [*laws.stale(room.name, shown, Known.of(stored) if stored else None)]
        if shown.invitation is not None and not await room.is_open(shown.invitation):
            return [f"{told} is invitation {shown.invitation}, which is closed"]
        if shown.offer is not None and not await room.is_asked(shown.offer, shown.id):
            live = await room.live()
            if not room.posts and live is not None and live.id != shown.offer:
                return []  # while another match is played, the bot refuses a press here
            return [f"{told} asks for something in match {shown.offer} that nobody wants any more"]
        return []

    async def _reaches(self, room: Room, shown: Reading) -> bool:
        """Return whether the bot knows a message, and can change it.

        A match that began where the bot couldn't post is only reached by tokens. A question is only
        changed by a player's token: a stranger's press is refused even if the offer is void.
        """
        stored = await room.match(shown.match or 0)
        asked = await room.match(shown.offer or 0)
        moments = [snowflake_time(shown.id)]
        moments += [datetime.fromtimestamp(stored.moved_at, UTC)] if stored else []
        if shown.invitation is not None:
            moments += self._answered_at(shown.id)
        if any(map(self._just_before_a_kill, moments)) or self._could_not_post(room, max(moments)):
            return False
        if room.posts and await room.began_where_the_bot_posts(shown):
            return True
        if stored is not None and stored.ended_at in self.lost:
            return False
        if shown.id in self.unheard or any(map(self._in_vain_at, moments)):
            return False
        given_in_vain = map(self.env.backend.interactions.__getitem__, self.in_vain)
        if shown.id in (given.source_message_id for given in given_in_vain):
            return False  # the press may have been carried out
        now = self.env.now()
        return any(
            shown.id in (given.message_id, *given.followup_ids)
            for given in self.env.backend.interactions.values()
            if given.id > self.born
            and given.id not in self.unheard | self.in_vain | self.asides
            and (asked is None or given.user_id in _members(asked.match.players))
            and given.expires_at is not None
            and datetime.fromisoformat(given.expires_at) - now > _SURE_OF_A_TOKEN
        )

    def _answered_at(self, invited: int) -> Iterator[datetime]:
        """Yield when the message of an invitation was pressed, or a command may have closed it."""
        for given in self.env.backend.interactions.values():
            if given.id > invited and given.source_message_id in (None, invited):
                yield snowflake_time(given.id)

    def _could_not_post(self, room: Room, moment: datetime) -> bool:
        """Return whether the bot could not post in a room at this moment, or later."""
        muted = self.muted_until is not None and moment <= self.muted_until
        return muted and room.elsewhere is None

    def _in_vain_at(self, moment: datetime) -> bool:
        """Return whether an interaction failed, because of the database, around this moment."""
        return any(abs(snowflake_time(one) - moment) < NOTED_WITHIN for one in self.in_vain)

    def _just_before_a_kill(self, moment: datetime) -> bool:
        """Return whether the bot may have died before it sent or noted what happened then."""
        return laws.may_be_unnoted(moment, self.killed)


async def _is_past(room: Room, shown: Reading) -> bool:
    """Return whether a message may name a player whose data was erased since.

    That is one who had left the match before, or whose match had ended.
    """
    stored = await room.match(shown.match or 0)
    left = stored is not None and bool(stored.match.withdrawals)
    return left or shown.over or bool(puzzle_buttons(shown.message))


def puzzle_buttons(message: Json) -> list[Control]:
    """Return the button of a message that shows the puzzle of a day, empty for other messages."""
    return [one for one in controls_of(message) if _PUZZLE.fullmatch(one.custom_id)]


def is_in_thread(control: Control) -> bool:
    """Return whether a button opens a thread."""
    return any(kind.parse(control.custom_id) for kind in _IN_THREAD)


def _members(players: Iterable[object]) -> set[int]:
    return {player.id for player in players if isinstance(player, Member)}
