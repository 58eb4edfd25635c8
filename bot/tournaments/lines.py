"""The lines of the messages about a tournament, for its channel and for single members."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from discord.utils import as_chunks

from bot.gateway.components import Part, Upload, gallery
from bot.i18n import Texts
from bot.identity import Escaped, Person, escape, is_former, plain
from bot.render import words
from bot.render.emoji import ZERO_WIDTH
from bot.tournaments.model import Format, Pairing, Stage, TournamentGame
from bot.tournaments.obstacles import Obstacle
from bot.tournaments.pairings import without_opponent
from bot.tournaments.standings import Score, shown_standings, uncounted
from bot.tournaments.stored import Note, NoteKind, StoredTournament

# The most lines of a message, and the most names in one of them: these fit even if all names are
# long and have to be escaped.
_MOST_LINES = 13
_MOST_GAMES = 13
_MOST_ASIDE = 3  # in a line below the standings or the games
# Between a name and points, which stay on one line.
_DOT = f"{words.NO_BREAK_SPACE}·{words.NO_BREAK_SPACE}"
_MEDALS = ("🥇", "🥈", "🥉")

T = TypeVar("T")


class Lines:
    """The lines of the messages about one tournament, in one language."""

    def __init__(self, stored: StoredTournament, texts: Texts):
        self._stored = stored
        self._settings = stored.settings
        self._tournament = stored.tournament
        self._is_knockout = stored.tournament.format is Format.KNOCKOUT
        self._texts = texts

    def heading(self) -> str:
        """Return the heading of its message and its pages."""
        return f"### {self._texts('tournament.title', title=self.title())}"

    def title(self) -> str:
        """Return what is played, and the number by which menus name the tournament."""
        played = words.title(self._settings.game, self._settings.options, self._texts)
        return self._texts.row(words.DOT, (played, f"#{self._stored.id}"))

    def terms(self) -> str:
        """Return its format, the clock, and whether its games are unrated."""
        kind = f"**{self._texts(f'tournament.format.{self._tournament.format}')}**"
        clock = words.clock_words(self._settings.clock, self._texts)
        terms = self._texts("tournament.terms", format=kind, clock=clock)
        return terms if self._settings.rated else f"{terms}\n{self._texts('tournament.unrated')}"

    def cancelled(self) -> str:
        """Return that it was cancelled, and that too few had joined if that is why."""
        few = any(note.kind is NoteKind.FEW for note in self._stored.notes)
        return self._texts("tournament.too_few" if few else "tournament.cancelled")

    def held_up_by(self, obstacle: Obstacle) -> str:
        """Return what keeps the tournament from going on, and what helps."""
        lacking = words.permissions_words(obstacle.permissions, self._texts)
        reason = escape(obstacle.reason)
        return self._texts(
            f"tournament.obstacle.{obstacle.kind}", permissions=lacking, reason=reason
        )

    # --- before the start

    def opening(self) -> Iterator[str]:
        """Yield the organiser of a tournament that hasn't begun, and its terms if it is open."""
        settings, texts = self._settings, self._texts
        organiser = self.named(self._stored.organiser)
        yield texts("tournament.organiser", organiser=organiser)
        if self._tournament.stage is not Stage.OPEN:
            return
        joined = len(self._stored.taking_part)
        yield texts("tournament.places", joined=joined, places=settings.places)
        yield texts("tournament.rounds", rounds=self._tournament.rounds_of(settings.places))
        if self._is_knockout and settings.game.drawn(settings.options):
            yield texts("tournament.drawn_board")
        if settings.role_id is not None:
            yield texts("tournament.role", role=settings.role_id)
        yield self.start()
        if settings.in_threads:
            yield texts("tournament.in_threads")
        else:
            channels = words.channels_words(settings.channels, texts)
            yield texts("tournament.in_channels", channels=channels)

    def start(self) -> str:
        """Return when an open tournament starts."""
        settings, texts, organiser = self._settings, self._texts, self._stored.organiser
        if settings.starts_at is not None:
            return texts("tournament.starts.at", moment=settings.starts_at)
        how = "full" if settings.when_full else "button"
        former = is_former(organiser.id)
        starter = "tournament.starts.moderator" if former else "tournament.starts.either"
        who = texts(starter, organiser=self.named(organiser))
        return texts(f"tournament.starts.{how}", organiser=who)

    def joined(self) -> list[str]:
        """Return a line for each member who has a place."""
        taking_part = enumerate(self._stored.taking_part, 1)
        return [f"{place}. {self.named(person)}" for place, person in taking_part]

    def waiting(self, members: Sequence[Person]) -> list[str]:
        """Return the line of those who wait for a place, if there are any."""
        waiting = [self.named(person) for person in members]
        return [self._texts("tournament.waiting", members=self._listed(waiting))] if waiting else []

    # --- from the start on

    def progress(self) -> Iterator[str]:
        """Yield the state of a tournament that has begun: its standings, and the games going on."""
        tournament, texts = self._tournament, self._texts
        scores = shown_standings(tournament)
        if tournament.stage is Stage.ENDED:
            yield from self._winners(scores)
            yield from self._early()
        elif tournament.stage is Stage.RUNNING:
            yield from self._games_on()
        elif tournament.round:
            yield self.round(tournament.round)
        unplaced = list(map(self.named, self._stored.waiting)) if tournament.round == 1 else []
        if self.is_undecided():
            yield from self._still_in(scores)
        elif tournament.stage is Stage.ENDED or any(score.points for score in scores):
            yield self.standings_heading()
            tie_break = self.tie_break(scores)
            aside = len(unplaced[:_MOST_ASIDE]) + len(uncounted(tournament)[:_MOST_ASIDE])
            yield from self.cut(scores, self.line, _MOST_LINES - aside - len(tie_break))
            yield from tie_break
            yield from self.uncounted()
        if unplaced:
            yield texts("tournament.unplaced", members=self._listed(unplaced, _MOST_ASIDE))

    def _games_on(self) -> Iterator[str]:
        """Yield the games going on, by rounds: several can be played at the same time."""
        left, more = _MOST_GAMES, 0
        for number in self._tournament.rounds_on:
            games = [one for one in self._games_in(number) if not one.over]
            resting = without_opponent(self._tournament, number)
            some = games[: max(0, left - bool(resting))]
            if left > 0:
                yield self.round(number)
                yield from map(self.game, some)
                if resting:
                    yield self._byes(resting)
            left -= len(some) + bool(resting)
            more += len(games) - len(some)
        yield from self._more(more)
        yield from self._undecided()
        yield from self.no_channel()

    def _undecided(self) -> Iterator[str]:
        """Yield the lines on games whose results have to be entered by hand."""
        waiting = {game.pairing.key for game in self._tournament.games if game.undecided}
        for note in self._stored.notes:
            if note.kind is NoteKind.UNDECIDED and note.game in waiting:
                yield self.note(note)

    def no_channel(self) -> list[str]:
        """Return the line on games that wait for one of the named channels, if any do."""
        waits = any(one.channel_id is None for one in self._tournament.being_played)
        if self._settings.in_threads or self._stored.over or not waits:
            return []
        return [self._texts("tournament.no_channel")]

    def _games_in(self, number: int) -> list[TournamentGame]:
        """Return the games of a round, without the byes."""
        begun = self._tournament.by_round.get(number, ())
        return [game for game in begun if not game.pairing.is_bye]

    def all_of(self, number: int) -> list[Callable[[], str]]:
        """Return the games of a round, and then its byes, a few in each line.

        Each line is a function that writes it once its page is shown: there may be thousands.
        """
        byes = as_chunks(without_opponent(self._tournament, number), _MOST_ASIDE)
        games = (partial(self.game, game) for game in self._games_in(number))
        return [*games, *(partial(self._byes, some) for some in byes)]

    def round(self, number: int) -> str:
        """Return the heading of a round."""
        return self._texts("tournament.round", round=number, rounds=self._tournament.rounds)

    def is_undecided(self) -> bool:
        """Return whether it is a knockout that goes on, so that those still in have no rank yet."""
        return self._is_knockout and self._tournament.stage is not Stage.ENDED

    def _still_in(self, scores: Sequence[Score]) -> Iterator[str]:
        """Yield who is still in a knockout, once somebody is out."""
        remaining = [self.player(score.entrant) for score in scores if score.out_in is None]
        if len(remaining) < len(scores):
            yield self._texts("tournament.still_in", players=self._listed(remaining))

    def standings_heading(self) -> str:
        """Return the heading of the standings; it says what the numbers are, if they have any."""
        key = "tournament.standings" if self._is_knockout else "tournament.standings.points"
        return self._texts(key)

    def tie_break(self, scores: Sequence[Score]) -> list[str]:
        """Return the line that explains the second number of the standings, if they have one."""
        if all(score.tie_break is None for score in scores):
            return []
        swiss = self._tournament.format is Format.SWISS
        name = self._texts(f"tournament.tie_break.{'buchholz' if swiss else 'sonneborn'}")
        return [self._texts("tournament.tie_break", name=name)]

    def uncounted(self) -> list[str]:
        """Return the line that says whose results count for nobody, if there are any."""
        early = [self.entrant(number) for number in uncounted(self._tournament)]
        if not early:
            return []
        return [self._texts("tournament.uncounted", players=self._listed(early, _MOST_ASIDE))]

    def _winners(self, scores: Sequence[Score]) -> list[str]:
        """Return the line that names the winners, if there are any."""
        first = [self.entrant(score.entrant) for score in scores if score.rank == 1]
        if len(first) > 1:
            return [self._texts("tournament.shared", winners=self._listed(first))]
        return [self._texts("tournament.won", winner=winner) for winner in first]

    def _early(self) -> list[str]:
        """Return the last round of a Swiss tournament that ended early, and why, if it did."""
        tournament = self._tournament
        if tournament.format is not Format.SWISS or tournament.round == tournament.rounds:
            return []
        last = [self.round(tournament.round)] if tournament.round else []
        return [*last, self._texts("tournament.early")]

    def player(self, number: int) -> str:
        """Return the name of an entrant, with a word for one who has withdrawn."""
        name = self.entrant(number)
        here = self._tournament.entrants[number].here
        return name if here else self._texts("tournament.withdrawn", player=name)

    def line(self, score: Score) -> str:
        """Return the line of an entrant in the standings."""
        player = self.player(score.entrant)
        if self.is_undecided() and score.out_in is None:
            return self._texts("tournament.line.in", player=player)
        # Discord takes lines such as "2. Bob" for a list and numbers them itself, equal ranks too.
        rank = f"{ZERO_WIDTH}{score.rank}"
        line = self._texts("tournament.line.place", rank=rank, player=player)
        return self._scored(line, score)

    def place(self, score: Score) -> str:
        """Return the line of one of the first three, and of those who share their ranks."""
        medal = _MEDALS[score.rank - 1]
        line = self._texts("tournament.end.place", medal=medal, player=self.player(score.entrant))
        return self._scored(line, score)

    def _scored(self, line: str, score: Score) -> str:
        """Return a line with an entrant's points and tie-break added; unchanged in a knockout."""
        if self._is_knockout:
            return line
        line = words.scored(line, words.points_words(score.points), self._texts, _DOT)
        if score.tie_break is None:
            return line
        return words.scored(line, words.points_words(score.tie_break), self._texts, _DOT)

    def entrant(self, number: int) -> Escaped:
        """Return the name of an entrant."""
        return self.named(self._tournament.entrants[number].person)

    def game(self, played: TournamentGame, name: Callable[[int], str] | None = None) -> str:
        """Return the line of a pairing, with its result, or with the channel of its match."""
        first, second = map(name or self.entrant, played.pairing.entrants)
        values: dict[str, object] = {"first": first, "second": second}
        favoured = self.favoured(played.pairing)
        if played.points is not None:
            values["points"] = self.points(played.points)
            if favoured is not None and played.points == (0.5, 0.5):
                return self._texts("tournament.game.over.draw_odds", favoured=favoured, **values)
            return self._texts("tournament.game.over", **values)
        if played.channel_id is None:
            return self._texts("tournament.game", **values)
        values["channel"] = played.channel_id
        if favoured is not None:
            return self._texts("tournament.game.draw_odds", favoured=favoured, **values)
        return self._texts("tournament.game.on", **values)

    def _byes(self, resting: Sequence[int]) -> str:
        """Return the line of the entrants who have no game in a round."""
        players = self._listed(list(map(self.entrant, resting)), _MOST_ASIDE)
        return self._texts("tournament.byes", players=players)

    def points(self, points: Sequence[float] | None) -> str:
        """Return the points of a pairing, such as ½–½; a question mark if there are none yet."""
        return self._texts.row("–", ["?"] if points is None else map(words.points_words, points))

    def note(self, note: Note) -> str:
        """Return a line of the trace."""
        texts = self._texts
        who = self.named(note.who) if note.who else texts("player.unknown")
        if note.by is not None:
            by = self.named(note.by)
            return texts("tournament.note.dropped.by", at=note.at, who=by, player=who)
        if note.kind is NoteKind.CORRECTED and note.before is None:
            return texts("tournament.note.entered", at=note.at, who=who, **self._of_game(note))
        return texts(f"tournament.note.{note.kind}", at=note.at, who=who, **self._of_game(note))

    def _of_game(self, note: Note) -> dict[str, object]:
        """Return the values of a note that are about its game, none if it is about no game."""
        if note.game is None:
            return {}
        pairing = self._tournament.by_key[note.game].pairing
        first, second = map(self.entrant, pairing.entrants)
        return {
            "round": pairing.round,
            "game": self._texts("tournament.game", first=first, second=second),
            "before": self.points(note.before),
            "after": self.points(note.after),
        }

    def plain_names(self, pairing: Pairing) -> list[str]:
        """Return the names of a pairing's players, by seat, where Discord takes plain text."""
        people = self._tournament.people(pairing)
        return [plain(person.name) or self._texts("player.former") for person in people]

    def favoured(self, pairing: Pairing) -> str | None:
        """Return the entrant for whom a draw counts as a win, None except in an armageddon."""
        return None if pairing.draw_wins is None else self.entrant(pairing.draw_wins)

    def picture(self, picture: Upload | None) -> list[Part]:
        """Return the picture, if there is one, with its description."""
        if picture is None:
            return []
        texts = self._texts
        kind = "bracket" if self._is_knockout else "table"
        # A picture's description shows backticks as they are.
        command = f"/{texts.name('tournament')} {texts.name('show')}"
        return [gallery(picture, texts(f"tournament.picture.{kind}", command=command))]

    # --- lists of members and lines

    def named(self, person: Person) -> Escaped:
        """Return the name of a member."""
        return words.named(person, self._texts)

    def cut(
        self, all_: Sequence[T], line: Callable[[T], str], most: int = _MOST_LINES
    ) -> list[str]:
        """Return a line for each of the first `most`, and one that counts the others, if any."""
        return [*map(line, all_[:most]), *self._more(len(all_) - most)]

    def _listed(self, names: Sequence[str], most: int = _MOST_LINES) -> str:
        more = self._more(len(names) - most)
        return self._texts.listed([*names[:most], *more]) if more else self._texts.joined(names)

    def _more(self, count: int) -> list[str]:
        return [self._texts("list.more", count=count)] if count > 0 else []
