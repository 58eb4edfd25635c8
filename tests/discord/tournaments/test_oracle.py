"""The fuzzer's oracle finds the planted faults, and nothing else."""

from dataclasses import dataclass, field, replace

import pytest
from simcord.backend import Backend
from simcord.backend.models import Message
from simcord.backend.models.interaction import ResponseKind

from bot.identity import TournamentId
from bot.tournaments.model import Stage
from bot.tournaments.stored import Note, NoteKind
from tests.discord.tournaments import oracle
from tests.discord.tournaments.oracle import Posted, Seen
from tests.discord.tournaments.playing import Club
from tests.discord.world import World


@dataclass
class Planted:
    """A tournament with a game in progress, in which faults can be planted."""

    club: Club
    posted: list[Posted] = field(default_factory=list)
    lost: set[int] = field(default_factory=set)

    @property
    def backend(self) -> Backend:
        return self.club.world.env.backend

    async def seen(self) -> Seen:
        """Return what the oracle sees."""
        world = self.club.world
        names = {one.id: one.name for one in (self.club.organiser, *self.club.players.values())}
        seen = Seen(self.backend, world.database, names, lost=self.lost, posted=self.posted)
        await seen.look()
        return seen

    async def kinds(self) -> set[str]:
        """Return the kinds of what the oracle finds."""
        return kinds_of(await self.seen())

    def message(self) -> Message:
        return self.backend.get_message(self.club.channel.id, self.club.message().id)

    def board(self) -> Message:
        (thread,) = self.club.games()
        (board,) = self.club.boards(thread)
        return self.backend.get_message(thread.id, board.id)

    def end(self) -> Message:
        """Post the end of a tournament, and return it."""
        shown = replace(self.message(), id=self.backend.snowflake())
        shown.components = [{"type": 10, "content": "🥇 **player0**"}]
        self.backend.messages[shown.channel_id][shown.id] = shown
        return shown

    async def sql(self, statement: str) -> None:
        await self.club.world.sql(statement)

    def again(self, message: Message) -> None:
        """Post a message of the bot's a second time."""
        twin = replace(message, id=self.backend.snowflake())
        self.backend.messages[message.channel_id][twin.id] = twin

    def say(self, text: str, *pinged: int, language: str = "en", erased: int = 0) -> None:
        (thread,) = self.club.games()
        gone = frozenset({erased} if erased else ())
        self.posted.append(Posted(1, thread.id, text, pinged, language, gone))


def kinds_of(seen: Seen) -> set[str]:
    return {line.partition(":")[0] for line in oracle.wrong(seen)}


@pytest.fixture
async def planted(world: World) -> Planted:
    """A round robin of three, its first game two moves old."""
    club = Club(world, 3)
    (thread,) = await club.begin(format="round_robin")
    await club.play(thread, ["a1", "b1"])
    there = Planted(club)
    assert await there.kinds() == set()
    return there


async def test_messages_and_boards(planted: Planted) -> None:
    """Each message and board is there once, and shows the state of the database."""
    message, board = planted.message(), planted.board()
    part = message.components[0]["components"][0]
    kept, part["content"] = part["content"], "Another title"
    assert await planted.kinds() == {"stale"}
    part["content"] = kept
    planted.again(message)
    assert await planted.kinds() == {"message"}
    here = planted.backend.messages[message.channel_id]
    del here[max(here)]
    del planted.backend.messages[board.channel_id][board.id]
    assert await planted.kinds() == {"in the dark"}
    there = planted.backend.messages[board.channel_id]
    there[board.id] = board
    call = there[min(there)]
    for message, kind in ((board, "doubled"), (call, "twice")):
        planted.again(message)
        assert await planted.kinds() == {kind}
        del there[max(there)]
    await planted.sql("UPDATE matches SET moves = 'a1 b1 a2'")
    assert await planted.kinds() == {"stale", "in the dark"}


async def test_an_end_that_corrections_lead_back_to(planted: Planted) -> None:
    """It may be announced again, even if the channel has tournaments without corrections."""
    await planted.sql("UPDATE tournament_entrants SET rank = 1 + number")
    seen, (end, _) = await planted.seen(), [planted.end() for _ in range(2)]
    (stored,) = seen.tournaments.values()
    ended = replace(stored, tournament=replace(stored.tournament, stage=Stage.ENDED))
    corrected = replace(ended, notes=(Note(1, NoteKind.CORRECTED),))
    seen.tournaments = {TournamentId(1): corrected, TournamentId(2): ended}
    assert "twice" not in kinds_of(seen)
    planted.again(end)
    assert "twice" in kinds_of(seen)


async def test_a_result_of_ones_own_game(planted: Planted) -> None:
    """Others may enter it, and players a loss of their own, but only once the game is over."""
    seen = await planted.seen()
    (stored,) = seen.tournaments.values()
    pairing = stored.tournament.being_played[0].pairing
    own = stored.tournament.people(pairing)[1]
    drawn, won, lost = (0.5, 0.5), (0.0, 1.0), (1.0, 0.0)
    for who, before, after, wrong in (
        (stored.organiser, None, lost, False),
        (own, drawn, lost, False),
        (own, drawn, won, True),
        (own, won, drawn, True),
        (own, None, lost, True),
    ):
        note = Note(1, NoteKind.CORRECTED, who, pairing.key, before, after)
        seen.tournaments = {stored.id: replace(stored, notes=(note,))}
        assert ("own game" in kinds_of(seen)) is wrong


async def test_games_and_results(planted: Planted) -> None:
    """A tournament goes on, and its results are those of its matches."""
    game = "UPDATE tournament_games SET"
    await planted.sql(f"{game} match_id = NULL")
    assert await planted.kinds() == {"stuck"}
    await planted.sql(f"{game} match_id = 1, points_first = 1, points_second = 0, how = 'played'")
    await planted.sql("UPDATE tournaments SET revision = revision - 1")
    assert await planted.kinds() == {"stuck", "stale", "result"}
    await planted.sql(f"{game} points_first = NULL, points_second = NULL, how = NULL")
    await planted.sql("UPDATE seats SET user_id = user_id + 1 WHERE seat = 0")
    assert await planted.kinds() == {"seats"}
    await planted.sql("UPDATE seats SET user_id = user_id - 1 WHERE seat = 0")
    ((channel_id,),) = await planted.club.world.sql("SELECT channel_id FROM matches")
    await planted.sql(f"{game} channel_id = 1")
    assert {"channel", "lost"} <= await planted.kinds()
    await planted.sql(f"{game} channel_id = {channel_id}")
    await planted.sql("UPDATE matches SET ended_at = 1")
    assert await planted.kinds() == {"stale", "result"}
    await planted.sql("UPDATE tournament_entrants SET rank = 1 + number")
    await planted.sql("UPDATE tournaments SET stage = 'ended', told = FALSE")
    await planted.sql(f"{game} points_first = 0, points_second = 1, how = 'corrected'")
    kinds = await planted.kinds()
    assert {"standings", "untold"} <= kinds


async def test_a_player_in_two_games(planted: Planted) -> None:
    """Nobody plays two games of a tournament at once."""
    await planted.sql(
        "INSERT INTO tournament_games"
        ' SELECT tournament_id, round, "table", game + 1, first, second, NULL, NULL, NULL, NULL,'
        " NULL, NULL FROM tournament_games"
    )
    assert "two games" in await planted.kinds()


async def test_a_thread_of_no_game(planted: Planted) -> None:
    """A thread in which players are notified must be the thread of a game."""
    (thread,) = planted.club.games()
    planted.say("Your move.", planted.club.organiser.id)
    planted.backend.channels[thread.id].name = "player0 – player1 · #1.9.9.9"
    assert await planted.kinds() == {"thread"}


async def test_two_final_boards(planted: Planted) -> None:
    """The end of a match is shown once."""
    board = planted.board()
    await planted.sql("UPDATE matches SET ended_at = 1")
    looking = {"type": 2, "custom_id": "v:1:0"}
    board.components = [{"type": 1, "components": [looking]}]
    assert "doubled" not in await planted.kinds()
    planted.again(board)
    assert "doubled" in await planted.kinds()


async def test_answers_and_texts(planted: Planted) -> None:
    """All interactions are answered in the server's language; nobody else is named or notified."""
    one, other = (player.id for player in await planted.club.seated(planted.club.games()[0]))
    (third,) = planted.club.players.keys() - {one, other}
    planted.say("Your move.", one, other)
    planted.say("Ваш ход.", language="ru")
    planted.say("**player0** has left")
    assert await planted.kinds() == set()
    for wrong, kind in (
        (("Your move.", third), "pinged"),
        (("Ваш ход, игрок.",), "language"),
        (("**{name}** has left",), "text"),
        (("**None** has left",), "text"),
        (("refusal.tournament.over",), "text"),
    ):
        planted.posted.clear()
        planted.say(*wrong)
        assert await planted.kinds() == {kind}
    planted.posted.clear()
    planted.say("It is your move now.", language="ru")
    planted.say(f"<@{one}> has left", erased=one)
    assert await planted.kinds() == {"language", "named"}
    planted.posted.clear()
    asked = planted.backend.new_interaction(
        3, planted.club.channel.id, one, planted.club.world.guild.id
    )
    assert await planted.kinds() == {"unanswered"}
    asked.responded, asked.response_kind = True, ResponseKind.DEFERRED
    assert await planted.kinds() == {"thinking"}
