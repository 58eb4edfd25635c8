"""The laws of tournaments when the bot is at rest, by the database and Discord's messages.

Each check yields what is wrong, in lines that begin with the kind of fault.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from discord import ui
from simcord.backend import Backend
from simcord.backend.models import Interaction, Message
from sqlalchemy import Row, text

from bot.db.database import Database
from bot.identity import TournamentId, is_former
from bot.tournaments.model import TournamentGame
from bot.tournaments.standings import final_ranks
from bot.tournaments.store import TournamentStore
from bot.tournaments.stored import NoteKind, StoredTournament
from bot.tournaments.view import tournament_view
from tests import laws
from tests.fuzzing.languages import foreign
from tests.fuzzing.messages import body, ids, named, too_much, unfilled
from tests.laws import Known
from tests.load.payloads import Json, parts
from tests.load.reading import Reading, read

_MARK = re.compile(r" · #([0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+)$")


@dataclass(frozen=True)
class Posted:
    """A public message of the bot's as it was sent or changed.

    `language` was the server's at that time; None if it had just been changed. The data of the
    members in `erased` was gone.
    """

    message_id: int
    channel_id: int
    text: str
    pinged: tuple[int, ...]
    language: str | None
    erased: frozenset[int]


@dataclass
class Seen:
    """The facts about a server at rest.

    `names` are all members' names; `erased` are the members whose data was erased. The bot lacks a
    permission in the channels `denied`. `lost` are the ids of messages that were deleted or whose
    edits failed, and of interactions whose answers failed. The interactions in `excused` need no
    answer.
    """

    backend: Backend
    database: Database
    names: Mapping[int, str]
    erased: Collection[int] = ()
    denied: Collection[int] = ()
    lost: Collection[int] = ()
    excused: Collection[int] = ()
    posted: Sequence[Posted] = ()
    languages: Sequence[str] = ("en",)
    rows: dict[str, Sequence[Row[Any]]] = field(default_factory=dict)
    tournaments: dict[int, StoredTournament] = field(default_factory=dict)

    async def look(self) -> None:
        """Read the database."""
        async with self.database.connect() as connection:
            for table in ("tournaments", "tournament_games", "tournament_entrants", "matches"):
                found = await connection.execute(text(f"SELECT * FROM {table}"))
                self.rows[table] = found.all()
            found = await connection.execute(text("SELECT * FROM seats ORDER BY match_id, seat"))
            self.rows["seats"] = found.all()
        store = TournamentStore(self.database)
        for row in self.rows["tournaments"]:
            stored = await store.load(TournamentId(row.id))
            assert stored is not None, "it was just there"
            self.tournaments[row.id] = stored

    def public(self, channel_id: int) -> list[Message]:
        """Return the bot's messages in a channel, the oldest first."""
        here = self.backend.messages.get(channel_id, {}).values()
        me = self.backend.bot_user.id
        return sorted(
            (m for m in here if m.author_id == me and not m.is_ephemeral), key=lambda m: m.id
        )

    def open_to_bot(self, channel_id: int) -> bool:
        """Return whether a channel exists, and the bot lacks nothing there."""
        channel = self.backend.channels.get(channel_id)
        return channel is not None and channel.permission_channel_id() not in self.denied


def wrong(seen: Seen) -> Iterator[str]:
    """Yield the findings of all checks."""
    of_tournaments = (_messages, _boards, _games, _results, _interests, _ranks)
    for check in (*of_tournaments, _answers, _texts, _threads):
        yield from check(seen)


# --- the messages of tournaments


def _messages(seen: Seen) -> Iterator[str]:
    """Each tournament has one message, which shows the tournament as it is."""
    for stored in seen.tournaments.values():
        channel_id = stored.place.channel_id
        if not seen.open_to_bot(channel_id):
            continue
        button = f"tp:{stored.id}:0"
        found = [m for m in seen.public(channel_id) if button in ids(m)]
        known = stored.message_id
        found = [m for m in found if m.id == known or not _unsure(seen, m)]
        found = [m for m in found if m.id not in seen.lost]
        where = f"tournament {stored.id} ({stored.tournament.stage}, {stored.tournament.format})"
        if len(found) != 1:
            deleted = not found and stored.message_id in seen.lost
            if not (deleted or (stored.over and not found)):
                yield f"message: {where} has {len(found)} messages"
            continue
        (message,) = found
        if not any(_same(message, stored, language) for language in seen.languages):
            shown, wanted = message.components, _content(tournament_view(stored))
            yield f"stale: {where} shows {_shown(shown)}\n  instead of {_shown(wanted)}"
        if not stored.told:
            yield f"untold: the end of {where}"


def _unsure(seen: Seen, message: Message) -> bool:
    """Return whether a message answers an interaction whose answers have failed."""
    return int((message.interaction_metadata or {"id": 0})["id"]) in seen.lost


def _same(message: Message, stored: StoredTournament, language: str) -> bool:
    view = tournament_view(replace(stored, language=language))
    return _essence(message.components) == _essence(_content(view))


def _content(view: ui.LayoutView) -> list[Json]:
    made: Any = view
    return list(made.to_components())


def _essence(components: Sequence[Json]) -> list[object]:
    keys = ("content", "label", "custom_id")
    return [[part.get(key) for key in keys] for part in parts({"components": components})]


# --- boards


def _boards(seen: Seen) -> Iterator[str]:
    """The laws of boards hold."""
    readings, unsure = defaultdict[int, list[Reading]](list), set[int]()
    for channel_id in seen.backend.channels:
        for message in seen.public(channel_id):
            reading = _reading(message)
            if (
                reading.match is not None
                and not message.attachments
                and message.id not in seen.lost
            ):
                readings[reading.match].append(reading)
                if _unsure(seen, message):
                    unsure.add(message.id)
    for row in seen.rows["matches"]:
        shown = readings[row.id]
        if row.tournament_id is None and any(one.id in unsure for one in shown):
            continue  # a lost answer may leave a second board, which the next press on it removes
        where = f"channel {row.channel_id}"
        over, archived = row.ended_at is not None, row.put_away_at is not None
        known = Known(row.id, len(row.moves.split()), over, archived)
        if known.live and not seen.open_to_bot(row.channel_id):
            continue
        may_be_dark = row.computer_due or row.board_id in seen.lost
        yield from laws.broken(where, shown, known, may_be_dark=may_be_dark)


# --- games and matches


def _games(seen: Seen) -> Iterator[str]:
    """Each game has a match, nobody plays two at once, and a tournament waits for something."""
    of_match = Counter(row.match_id for row in seen.rows["tournament_games"] if row.match_id)
    yield from (f"twice: match {m} is in {n} games" for m, n in of_match.items() if n > 1)
    matches = {row.id: row for row in seen.rows["matches"]}
    for stored in seen.tournaments.values():
        if stored.tournament.stage != "running":
            continue
        where = f"tournament {stored.id} ({stored.tournament.format})"
        on = stored.tournament.being_played
        if not on:
            yield f"stuck: {where} waits for nothing"
        playing = Counter(number for one in on for number in one.pairing.entrants)
        yield from (f"two games: entrant {n} of {where}" for n, many in playing.items() if many > 1)
        for one in on:
            match = matches.get(one.match_id or 0)
            what = f"game {one.pairing.key} of {where}"
            if match is not None:
                yield from _match_wrong(seen, stored, one, match, what)
            if not one.opened and _could_open(seen, stored, matches.values()):
                yield f"stuck: {what} isn't opened: {one}"


def _match_wrong(
    seen: Seen, stored: StoredTournament, game: TournamentGame, match: Row[Any], what: str
) -> Iterator[str]:
    """Yield what is wrong with the match of a game that is being played."""
    if match.ended_at is not None:
        yield f"result: {what} has ended as match {match.id}"
    people = [person.id for person in stored.tournament.people(game.pairing)]
    seated = [row.user_id for row in seen.rows["seats"] if row.match_id == match.id]
    if people != seated:
        yield f"seats: {what}: {people}, but match {match.id} has {seated}"
    if game.channel_id is not None:
        if match.channel_id != game.channel_id:
            yield f"channel: {what} is in {game.channel_id}, its match in {match.channel_id}"
        if game.channel_id not in seen.backend.channels:
            yield f"lost: {what} is in channel {game.channel_id}, which is gone"


def _could_open(seen: Seen, stored: StoredTournament, matches: Iterable[Row[Any]]) -> bool:
    """Return whether another game of a tournament could begin."""
    here = stored.place.channel_id
    if not stored.settings.channels:
        return seen.open_to_bot(here)
    taken = {m.channel_id for m in matches if m.ended_at is None and m.put_away_at is None}
    there = [one for one in stored.settings.channels if seen.open_to_bot(one)] or [here]
    return any(one not in taken and seen.open_to_bot(one) for one in there)


def _results(seen: Seen) -> Iterator[str]:
    """The games' results are those of their matches."""
    ranks = defaultdict[int, list[int | None]](list)
    for row in seen.rows["seats"]:
        ranks[row.match_id].append(row.rank)
    matches = {row.id: row for row in seen.rows["matches"]}
    for row in seen.rows["tournament_games"]:
        if row.how != "played" or row.match_id is None:
            continue
        found, match = ranks[row.match_id], matches[row.match_id]
        if match.ending == "dropped":
            expected: tuple[float, ...] = (0.0, 1.0) if match.ending_seat == 0 else (1.0, 0.0)
        elif None in found:
            expected = (0.0, 0.0) if match.ending == "abandoned" else (0.5, 0.5)
        elif found == [1, 1]:
            expected = (0.5, 0.5)
        else:
            expected = tuple(float(rank == 1) for rank in found)
        if (row.points_first, row.points_second) != expected:
            yield f"result: game of match {row.match_id}: {expected} is {tuple(row)}"


def _interests(seen: Seen) -> Iterator[str]:
    """Nobody enters the result of a game in which they play, or calls it off.

    A player may only lose by their own hand, once the game is over.
    """
    for stored in seen.tournaments.values():
        for note in stored.notes:
            if note.game is None or note.who is None:
                continue
            people = stored.tournament.people(stored.tournament.by_key[note.game].pairing)
            own = [person.id for person in people]
            if note.who.id not in own:
                continue
            lost = (0.0, 1.0) if note.who.id == own[0] else (1.0, 0.0)
            if note.before is None or note.after != lost:
                yield f"own game: {note} in tournament {stored.id}"


def _ranks(seen: Seen) -> Iterator[str]:
    """The ranks that were written at the end follow from the games."""
    for stored in seen.tournaments.values():
        if stored.tournament.stage == "ended":
            joined = [r for r in seen.rows["tournament_entrants"] if r.tournament_id == stored.id]
            # Who has no number got no place.
            ranks = {r.number: r.rank for r in joined if r.number is not None}
            if ranks != (due := final_ranks(stored.tournament)):
                yield f"standings: tournament {stored.id}: the ranks {ranks} should be {due}"


# --- answers and texts


def _answers(seen: Seen) -> Iterator[str]:
    """Each interaction has an answer."""
    for record in seen.backend.interactions.values():
        if record.id in seen.excused or record.channel_id not in seen.backend.channels:
            continue
        if not record.responded:
            yield f"unanswered: interaction {record.id} of {_name(seen, record)}"
        elif record.loading:
            yield f"thinking: interaction {record.id} of {_name(seen, record)}"


def _name(seen: Seen, record: Interaction) -> str:
    return f"{seen.names.get(record.user_id)} in {record.channel_id} ({record.command_name})"


def _texts(seen: Seen) -> Iterator[str]:
    """Messages keep Discord's limits, are in the server's language, and name no erased member."""
    for posted in seen.posted:
        what = f"message {posted.message_id} in {posted.channel_id}"
        yield from unfilled(what, posted.text)
        names = (name for one in posted.erased for name in (seen.names[one], f"<@{one}>"))
        yield from named(what, posted.text, names)
        if posted.language is not None and (strange := foreign(posted.text, posted.language)):
            yield f"language: not {posted.language}: {strange!r} in {what}"
        yield from _ping(seen, posted, what)
    for messages in seen.backend.messages.values():
        for message in messages.values():
            yield from too_much(f"message {message.id}", body(message))


def _ping(seen: Seen, posted: Posted, what: str) -> Iterator[str]:
    """A message notifies only players of the game in its channel."""
    if not posted.pinged:
        return
    channel = seen.backend.channels.get(posted.channel_id)
    mark = _MARK.search(channel.name or "") if channel is not None and channel.is_thread else None
    if mark is None:
        return
    stored = seen.tournaments.get(int(mark[1]))
    key = tuple(map(int, mark.groups()[1:]))
    games = stored.tournament.games if stored is not None else ()
    game = next((one for one in games if one.pairing.key == key), None)
    if stored is None or game is None:
        yield f"thread: {channel.name if channel else ''} of no game"
        return
    people = {stored.tournament.entrants[number].person.id for number in game.pairing.entrants}
    if any(map(is_former, people)):
        return  # one of them was somebody by then
    if not set(posted.pinged) <= people:
        yield f"pinged: {posted.pinged}, not of {sorted(people)}: {what}"


# --- threads


def _threads(seen: Seen) -> Iterator[str]:
    """Each game has one thread, with its number in the name; its players were called there once.

    The end of a tournament is announced once, and once more after each correction, even if that
    leads back to the same end. The announcement doesn't name the tournament.
    """
    threads = [c.name or "" for c in seen.backend.channels.values() if c.is_thread]
    names = Counter(name for name in threads if "#" in name)
    yield from (f"twice: thread {name!r}" for name, n in names.items() if n > 1)
    most = defaultdict[int, int](int)
    for stored in seen.tournaments.values():
        if stored.tournament.stage == "ended":
            corrections = sum(note.kind is NoteKind.CORRECTED for note in stored.notes)
            here = stored.place.channel_id
            most[here] = max(most[here], 1 + corrections)
    for channel_id, times in most.items():
        ends = Counter(_shown(m.components) for m in seen.public(channel_id) if not ids(m))
        yield from (f"twice: the end {t!r}" for t, n in ends.items() if n > times and "🥇" in t)
    for channel in list(seen.backend.channels.values()):
        if not channel.is_thread or channel.permission_channel_id() in seen.denied:
            continue
        shown = [m for m in seen.public(channel.id) if m.id not in seen.lost]
        calls = [m for m in shown if not ids(m) and len({*m.mention_user_ids}) == 2]
        if len(calls) > 1:
            yield f"twice: {len(calls)} calls in thread {channel.name!r}"


def _reading(message: Message) -> Reading:
    there = {"id": message.id, "channel_id": message.channel_id, "flags": message.flags}
    return read(body(message) | there)


def told(message: Message) -> str:
    """Return all text of a message, including the labels of its buttons."""
    return "\n".join(filter(None, [message.content, _shown(message.components)]))


def _shown(components: Sequence[Json]) -> str:
    found = parts({"components": components})
    shown = [part.get("content") or part.get("label") or "" for part in found]
    return "\n".join(filter(None, shown))
