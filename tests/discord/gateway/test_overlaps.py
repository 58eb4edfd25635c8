"""While two processes overlap in an update, both get each press, and one of them answers it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from fnmatch import fnmatch
from typing import Any, TypeAlias

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.errors import BackendError
from simcord.enums import CallbackType, InteractionType
from simcord.http import router
from simcord.results import InteractionResult

from bot.analysis.store import ShareStore
from bot.gateway.channels import Channels
from bot.identity import ChannelId, InteractionId, InvitationId, MatchId, MemberId, MessageId
from bot.invitations.model import Verb
from bot.invitations.seating import answered
from bot.invitations.store import InvitationStore
from bot.matches.model import OfferKind, StoredMatch
from bot.matches.service import MatchService
from bot.matches.start import MatchStarter
from bot.matches.store import MatchStore
from bot.moderation.store import ModerationStore
from bot.offers.model import NEW_MATCH, Offer, Question
from bot.offers.service import OfferService
from bot.offers.store import OfferStore
from bot.tournaments.service import TournamentService
from core.match import Match
from core.players import Member
from tests.conftest import Calendar
from tests.discord.elsewhere import Elsewhere, group
from tests.discord.failing import CALLBACK
from tests.discord.gateway.emitting import emitted
from tests.discord.invitations.inviting import table
from tests.discord.matches.menus import open_row
from tests.discord.matches.passing import HOUR, ROUND, pass_time
from tests.discord.tournaments.playing import Club
from tests.discord.world import World, answer_to, ids, labels, logged, refused, text

PROMISE = {"type": CallbackType.DEFERRED_UPDATE_MESSAGE}
REFUSAL = {"type": CallbackType.CHANNEL_MESSAGE_WITH_SOURCE, "data": {"content": "no", "flags": 64}}
BOARD = {"type": CallbackType.CHANNEL_MESSAGE_WITH_SOURCE, "data": {"content": "a board"}}
_COMPONENTS_V2 = 1 << 15
# Within this time the bot has looked at the boards once.
_LOOKED_SECONDS = 36
_SETTLED_SECONDS = 40

Answers: TypeAlias = Callable[..., None]


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Return a function that lets the other process be the first to answer the next interaction.

    If this process is too `late` for any answer, Discord says so instead.
    """
    dispatch = router.dispatch

    def answers(given: dict[str, Any], *, late: bool = False) -> None:
        def first(backend: Any, method: str, path: str, **sent: Any) -> Any:
            if method == CALLBACK[0] and fnmatch(path, CALLBACK[1]):
                monkeypatch.setattr(router, "dispatch", dispatch)
                dispatch(backend, method, path, json=given)
                if late:
                    raise BackendError(404, 10062, "Unknown interaction")
            return dispatch(backend, method, path, **sent)

        monkeypatch.setattr(router, "dispatch", first)

    return answers


class OtherProcess:
    """The other process: its services over the same database, and its acts."""

    def __init__(self, world: World, patch: pytest.MonkeyPatch):
        self._world, self._patch = world, patch
        services, offers = world.services, OfferStore(world.database)
        self.store, self.matches, self.starter = services.store, services.matches, services.starter
        self.offers = OfferService(offers, self.store, self.matches, self.starter)

    @property
    def command(self) -> InteractionId:
        """The newest command or press, which both processes get."""
        return InteractionId(max(self._world.env.backend.interactions))

    def first(self, of: type, step: str, act: Callable[..., Awaitable[object]]) -> None:
        """Let it act before this process's next call of a method, with the same arguments."""
        original = getattr(of, step)

        async def second(*given: Any, **options: Any) -> Any:
            self._patch.setattr(of, step, original)
            await act(*given)
            return await original(*given, **options)

        self._patch.setattr(of, step, second)


@pytest.fixture
def process(world: World, monkeypatch: pytest.MonkeyPatch) -> OtherProcess:
    return OtherProcess(world, monkeypatch)


def silent(result: InteractionResult) -> bool:
    """Return whether this process hasn't answered."""
    return result.response is None and not result.followups


@pytest.mark.parametrize("command", [False, True], ids=["press", "command"])
async def test_a_turn_that_the_other_one_saves_first(
    world: World, process: OtherProcess, command: bool
) -> None:
    """This process shows the same board: a refusal could arrive before the other's board."""
    await world.challenge()
    me = MemberId(world.alice.id)
    process.first(MatchService, "save_turn", lambda *_: process.matches.play(MatchId(1), me, "b2"))
    if command:
        answer = await world.alice.slash(world.channel, "move", where="b2")
    else:
        answer = await world.press(world.alice, "b2")
    assert not answer.ephemeral
    (board,) = world.boards()
    assert "m:1:1:c3" in ids(board)


async def test_a_last_move_that_the_other_one_has_saved(
    world: World, process: OtherProcess
) -> None:
    """A member who has just won by a command isn't told that the match is over."""
    await world.played("a1 b1 a2 b2")

    async def win(_: MatchService, channel_id: ChannelId, *command: InteractionId) -> None:
        await process.matches.play_live(channel_id, MemberId(world.alice.id), "a3", *command)

    process.first(MatchService, "live", win)
    answer = await world.alice.slash(world.channel, "move", where="a3")
    assert not answer.ephemeral and "**alice** wins" in text(world.last)


@pytest.mark.parametrize(
    ("who", "way"),
    [("alice", "press"), ("bob", "press"), ("alice", "command"), ("bob", "command at once")],
)
async def test_an_offer_that_the_other_one_has_ended(
    world: World, process: OtherProcess, who: str, way: str
) -> None:
    """A member who declines or withdraws an offer isn't told that there is none."""
    await world.challenge()
    await world.alice.slash(world.channel, "draw")
    question, player = world.last, getattr(world, who)

    async def decline(*_: object) -> None:
        stored, draw = await world.stored(), Offer(OfferKind.DRAW, 0, 0)
        await process.offers.decline(stored, draw, process.command)

    process.first(OfferService, "wanting" if way == "command" else "decline", decline)
    if way == "press":
        answer = await player.click(question, custom_id=ids(question)[-1])
    else:
        answer = await player.slash(world.channel, "draw", decline=True)
    assert silent(answer)


@pytest.mark.parametrize(("step", "way"), [("wanting", "press"), ("offer", "command")])
@pytest.mark.parametrize("kind", OfferKind)
async def test_an_agreement_that_the_other_one_carries_out_meanwhile(
    world: World, process: OtherProcess, kind: OfferKind, step: str, way: str
) -> None:
    """The agreement isn't taken for a new offer, whose question would replace the board."""
    await world.played("a1 b1 a2 b2 a3" if kind is OfferKind.REMATCH else "a1 b1 a2")
    question = await world.command(world.alice, kind.value)

    async def agree(*_: object) -> None:
        stored, bob = await world.stored(), MemberId(world.bob.id)
        assert await process.offers.make(stored, kind, bob, stored.place, process.command)

    process.first(OfferService if step == "wanting" else OfferStore, step, agree)
    if way == "press":
        answer = await world.bob.click(question, custom_id=ids(question)[0])
    else:
        answer = await world.bob.slash(world.channel, kind.value)
    assert silent(answer)
    assert await world.sql("SELECT * FROM offers") == []
    assert await world.sql("SELECT COUNT(*) FROM matches") == [(1 + (kind in NEW_MATCH),)]


async def test_an_undo_that_the_other_one_has_made(world: World, process: OtherProcess) -> None:
    """Against the computer there is nobody to ask, so this process shows the board as well."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.press(world.alice, "b2")

    async def undo(*_: object) -> None:
        stored, alice = await world.stored(), Member(world.alice.id)
        await process.matches.change(stored, lambda match: match.undo(alice), process.command)

    process.first(MatchService, "latest", undo)
    answer = await world.alice.slash(world.channel, "undo")
    assert not answer.ephemeral
    (board,) = world.boards()
    assert "m:1:0:b2" in ids(board)


async def test_an_offer_that_was_accepted_in_the_other_one_meanwhile(
    world: World, process: OtherProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process has shown the question and its result, so this one asks nothing."""
    await world.played("a1 b1 a2")
    original = OfferService.make

    async def second(service: OfferService, *given: Any) -> StoredMatch | None:
        monkeypatch.setattr(OfferService, "make", original)
        made = await original(service, *given)
        stored, bob = await world.stored(), MemberId(world.bob.id)
        agreed = await process.offers.make(
            stored, OfferKind.DRAW, bob, stored.place, InteractionId(1)
        )
        assert made is None and agreed is not None
        return made

    monkeypatch.setattr(OfferService, "make", second)
    assert silent(await world.alice.slash(world.channel, "draw"))


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize(
    ("kind", "of", "step"),
    [
        (OfferKind.REMATCH, MatchStarter, "start"),
        (OfferKind.REMATCH, MatchStore, "played_again"),
        (OfferKind.RESTART, MatchStarter, "start"),
    ],
    ids=["rematch", "rematch just before", "restart"],
)
async def test_a_new_match_that_the_other_one_begins_at_the_same_time(
    world: World, process: OtherProcess, kind: OfferKind, of: type, step: str, alone: bool
) -> None:
    """One match begins, and nobody is told that it is in the way."""
    if alone:
        await world.alice.slash(world.channel, "play tictactoe", level="easy")
    else:
        await world.challenge()
    if kind is OfferKind.REMATCH:
        await world.alice.slash(world.channel, "resign", confirm=True)
    if not alone:
        await world.bob.slash(world.channel, kind.value)

    async def begin(*_: object) -> None:
        await getattr(process.starter, kind.value)(await world.stored(), process.command)

    process.first(of, step, begin)
    assert silent(await world.alice.slash(world.channel, kind.value))
    assert await world.sql("SELECT COUNT(*) FROM matches") == [(2,)]
    assert not (await world.stored()).archived


@pytest.mark.parametrize(
    ("archived", "told"), [(False, "Somebody was faster"), (True, "This match is put away.")]
)
async def test_a_turn_that_another_change_has_overtaken(
    world: World, process: OtherProcess, archived: bool, told: str
) -> None:
    """The press is refused, since its move is on no board."""
    await world.challenge()
    stored = await world.stored()

    async def change(*_: object) -> None:
        if archived:
            await process.store.archive(stored, world.clock())
        else:
            await process.matches.change(stored, Match.call_off)

    process.first(MatchService, "save_turn", change)
    assert told in refused(await world.press(world.alice, "b2"))


def send_twin(world: World, board: discord.Message, after: int = 1) -> int:
    """Let the other process send the same board, with an id larger by `after`; return its id."""
    here, twin = world.env.backend.messages[world.channel.id], board.id + after
    here[twin] = replace(here[board.id], id=twin)
    return twin


async def note_twin(world: World) -> None:
    """Let the other process send the newest board anew, note that, and remove the one before."""
    board = world.last
    twin = send_twin(world, board)
    await world.sql(f"UPDATE matches SET board_id = {twin}")
    world.env.backend.delete_message(world.channel.id, board.id)


@pytest.mark.parametrize("later", [False, True])
async def test_a_promised_board_that_comes_as_well(
    world: World, other: Answers, later: bool
) -> None:
    """Of the boards that both processes have sent, the later one stays."""
    await world.challenge()
    other(PROMISE)
    await world.press(world.alice, "b2")
    (board,) = world.boards()
    twin = send_twin(world, board, 1 if later else -1)
    await world.env.advance_time(ROUND)
    await world.sql(f"UPDATE matches SET board_id = {max(board.id, twin)}")
    await world.env.advance_time(_SETTLED_SECONDS)
    (left,) = world.boards()
    assert left.id == max(board.id, twin)
    await world.press(world.bob, "a1", left)
    (board,) = world.boards()
    assert "m:1:2:c3" in ids(board)


async def test_an_archived_board_that_the_other_one_has_sent(world: World) -> None:
    """It says that its match is archived, and no later look has to find it."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.env.advance_time(ROUND)
    await note_twin(world)
    await world.alice.slash(world.channel, "board", put_away=True)
    await world.env.advance_time(ROUND)
    assert "put away" in text(world.last) and not labels(world.last)
    assert await world.sql("SELECT * FROM old_boards") == []


async def test_a_listed_board_that_the_other_one_has_sent(world: World, mod: MemberActor) -> None:
    """The list of games links to it, although this process knows an older board."""
    await world.challenge()
    await world.env.advance_time(ROUND)
    await note_twin(world)
    listed = refused(await mod.slash(world.channel, "games"))
    assert f"{world.channel.id}/{world.last.id}" in listed


async def test_a_final_board_that_the_other_one_has_sent(world: World, mod: MemberActor) -> None:
    """It goes with the next match, although this process knows an older board."""
    await mod.slash(world.channel, "settings set", final_boards="go")
    await world.played("a1 a3 b1 b3 c1")
    await world.env.advance_time(ROUND)
    await note_twin(world)
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    await world.env.settle()
    assert [message.id for message in world.channel.history()] == [world.last.id]


@group
async def test_an_end_after_a_board_that_the_other_one_has_sent(
    world: World, elsewhere: Elsewhere, calendar: Calendar
) -> None:
    """That board shows it, once a press has brought its token; this process knows an older one."""
    await world.challenge(clock=HOUR)
    await world.env.advance_time(ROUND)
    await note_twin(world)
    assert "turn" in refused(await world.press(world.bob, "b2"))
    await pass_time(world, calendar, HOUR)
    (final,) = world.channel.history()
    assert "time" in text(final) and not elsewhere.live()


async def test_a_later_board_that_is_found_just_before_the_end(
    world: World, other: Answers
) -> None:
    """It stays, since the other process may have sent it and not have noted it yet."""
    await world.challenge()
    other(PROMISE)
    await world.press(world.alice, "b2")
    (board,) = world.boards()
    twin = send_twin(world, board)
    await world.env.advance_time(_LOOKED_SECONDS)
    await world.env.bot.close()
    assert [one.id for one in world.boards()] == [board.id, twin]


@group
async def test_a_press_that_the_other_one_has_deferred(
    world: World, elsewhere: Elsewhere, other: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the bot can't post, this process leaves the press to the other one."""
    await world.challenge()
    other(PROMISE)
    answer = await world.press(world.alice, "b2")
    assert answer.deferred and not answer.followups
    assert (await world.stored()).match.ply == 0
    assert not logged(caplog, logging.WARNING)


@pytest.mark.parametrize("late", [False, True])
async def test_an_earlier_state_that_the_other_one_has_shown(
    world: World, other: Answers, late: bool
) -> None:
    """It isn't taken for the board of this turn, since a crossing act was saved in between.

    The turn is shown soon, although the look after the start is over by then.
    """
    before = await world.challenge()
    await world.env.advance_time(_SETTLED_SECONDS)
    shown = [part.to_dict() for part in before.components]
    other({**BOARD, "data": {"components": shown, "flags": _COMPONENTS_V2}}, late=late)
    await world.press(world.alice, "b2")
    await world.env.advance_time(_SETTLED_SECONDS)
    (board,) = world.boards()
    assert "m:1:1:c3" in ids(board)


@pytest.mark.parametrize("shows", [True, False], ids=["shown", "refused"])
async def test_a_resignation(world: World, other: Answers, shows: bool) -> None:
    """The process that edits the confirmation also shows the board."""
    await world.challenge()
    asked = answer_to(await world.alice.slash(world.channel, "resign"))
    other(PROMISE if shows else REFUSAL)
    before = world.last
    await world.alice.click(asked, label=labels(asked)[0])
    assert (await world.stored()).match.outcome
    assert (world.last == before) is shows
    assert [m.id for m in world.channel.history()] == [world.last.id]


async def test_a_declined_offer_that_the_other_one_has_deferred(
    world: World, other: Answers
) -> None:
    """The process that ends the offer says so in the question: the other one finds it ended."""
    await world.challenge()
    await world.alice.slash(world.channel, "draw")
    question = world.last
    other(PROMISE)
    await world.bob.click(question, label="Decline")
    assert "plays on" in text(world.last) and not labels(world.last)


async def test_a_declined_offer_for_which_the_other_one_has_asked_too(
    world: World, process: OtherProcess
) -> None:
    """The pressed question says so, and the second one is removed."""
    await world.challenge()
    await world.alice.slash(world.channel, "draw")
    question = world.last
    twin = MessageId(send_twin(world, question))
    await process.offers.note_question(MatchId(1), Question(twin, OfferKind.DRAW, 0), [])
    await world.bob.click(question, label="Decline")
    await world.env.settle()
    assert twin not in [message.id for message in world.channel.history()]


async def test_a_seat_that_is_taken_after_the_other_one_has_deferred(
    world: World, other: Answers
) -> None:
    """The process that gives the seat shows the member at the table."""
    table = await world.command(world.alice, "play tribolo", open=True)
    other(PROMISE)
    await world.carol.click(table, label="Join")
    assert "carol" in text(world.last)


async def test_an_erasure_by_which_both_end_a_match(world: World, process: OtherProcess) -> None:
    """Both post the end, since no answer shows it; one of the two messages stays."""
    await world.challenge()
    await world.env.advance_time(_LOOKED_SECONDS)

    async def resign(_: MatchService, stored: StoredMatch, member_id: MemberId) -> None:
        ended = await process.matches.resign(stored, member_id)
        shown = await world.made_up("g:1")
        process.store.board_ids.note(ended, MessageId(shown.id))

    process.first(MatchService, "resign", resign)
    await world.alice.slash(world.channel, "mydata delete", confirm=True)
    await process.store.board_ids.write()
    await world.env.advance_time(_SETTLED_SECONDS + 10)
    assert len([board for board in world.channel.history() if "g:1" in ids(board)]) == 1


async def test_a_tournament_that_the_other_one_cancels(world: World, process: OtherProcess) -> None:
    """Both see that its channel is deleted, and one posts the boards of the games that go on."""
    club = Club(world)
    arena = club.another("arena")
    await club.begin(format="round_robin", channels=arena.mention)
    before = club.boards(arena)
    process.first(TournamentService, "channel_deleted", TournamentService.channel_deleted)
    club.delete(club.channel)
    await world.env.settle()
    assert club.boards(arena) == before


async def test_a_withdrawal_by_which_both_end_a_match(world: World, process: OtherProcess) -> None:
    """Both let the match of who leaves a tournament end, and post that; one of the two stays."""
    club = Club(world, 3)
    await club.begin(format="round_robin", channels=f"<#{world.channel.id}>")
    await world.env.advance_time(_LOOKED_SECONDS)
    leaver, _ = await club.seated(world.channel)

    async def resign(_: MatchService, stored: StoredMatch, member_id: MemberId) -> None:
        ended = await process.matches.resign(stored, member_id)
        shown = await world.made_up("g:1")
        process.store.board_ids.note(ended, MessageId(shown.id))

    process.first(MatchService, "resign", resign)
    await leaver.slash(club.channel, "tournament leave", confirm=True)
    await process.store.board_ids.write()
    await world.env.advance_time(_SETTLED_SECONDS + 10)
    history = world.channel.history()
    assert len([m for m in history if "g:1" in ids(m) or "resigned" in text(m)]) == 1


@pytest.mark.parametrize("way", ["press", "command"])
async def test_a_resignation_that_the_other_one_has_saved(
    world: World, process: OtherProcess, way: str
) -> None:
    """A member who has just resigned isn't told that the match is over."""
    await world.challenge()
    asked = answer_to(await world.alice.slash(world.channel, "resign"))

    async def resign(*_: object) -> None:
        me, by = MemberId(world.alice.id), process.command
        await process.matches.resign(await world.stored(), me, by)

    process.first(MatchService, "get" if way == "press" else "live", resign)
    if way == "press":
        answer = await world.alice.click(asked, label=labels(asked)[0])
    else:
        answer = await world.alice.slash(world.channel, "resign", confirm=True)
    assert silent(answer)


async def test_a_match_that_the_other_one_has_called_off(
    world: World, mod: MemberActor, process: OtherProcess
) -> None:
    """The moderator isn't told that the channel was free before."""
    await world.challenge()
    process.first(ModerationStore, "call_off", ModerationStore.call_off)
    assert silent(await mod.slash(world.channel, "endgame"))
    assert "already free" in refused(await mod.slash(world.channel, "endgame"))


async def test_a_board_that_is_gone_by_now(
    world: World, other: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    """The match has gone on since: no second board comes, then or later, and nothing failed."""
    await world.challenge()
    # A start looks for lost boards, once: the board of this test isn't one that it would find.
    await world.env.advance_time(_SETTLED_SECONDS)
    before = world.channel.history()
    other(BOARD)
    world.env.inject_error("GET", "/webhooks/*/messages/@original", status=404, code=10008)
    await world.press(world.alice, "b2")
    await world.env.advance_time(_SETTLED_SECONDS)
    assert [m.content for m in world.channel.history()[len(before) :]] == ["a board"]
    assert not logged(caplog, logging.WARNING)


async def test_a_board_after_a_refusal(world: World, other: Answers) -> None:
    """It is posted at once; the other process's board, of a press that crossed, is removed."""
    await world.challenge()
    other(REFUSAL)
    await world.press(world.alice, "b2")
    (board,) = world.boards()
    assert "m:1:1:c3" in ids(board)
    here = world.env.backend.messages[world.channel.id]
    twin = replace(here[board.id], id=board.id - 1)
    here[twin.id] = twin
    await world.env.advance_time(_SETTLED_SECONDS)
    assert [m.id for m in world.boards()] == [board.id]


async def test_a_refusal_after_a_board(world: World, other: Answers) -> None:
    """The other process has shown its result, so the bot checks whether there are two boards."""
    board = await world.challenge()
    here = world.env.backend.messages[world.channel.id]
    twin = replace(here[board.id], id=board.id - 1)
    here[twin.id] = twin
    other(BOARD)
    await world.press(world.carol, "b2")
    await world.env.advance_time(_SETTLED_SECONDS)
    assert [m.id for m in world.boards()] == [board.id]


async def test_a_share_after_a_refusal(world: World, other: Answers) -> None:
    """It is posted in the channel: the other process refuses while it shares for another player."""
    await world.played()
    other(REFUSAL)
    await world.alice.slash(world.channel, "share")
    (shared,) = (message for message in world.channel.history() if message.attachments)
    assert "wins with" in text(shared)
    assert "shared already" in refused(await world.bob.slash(world.channel, "share"))


async def test_a_table_that_the_other_one_closes_before_a_join_is_shown(
    world: World, process: OtherProcess
) -> None:
    """Its end was shown and noted by then, but the message that shows who has joined came later."""
    opened = await table(world, game="tribolo")
    invitations = InvitationStore(world.database, world.services.store)

    async def close(*_: object) -> None:
        there = await invitations.load(InvitationId(1))
        assert there is not None
        await invitations.change(there, answered(there, Verb.WITHDRAW, there.owner))
        await invitations.note_buttons_gone(there.id)

    process.first(Channels, "replace", close)
    await world.bob.click(opened, label="Join")
    await world.env.settle()
    assert not labels(world.now(opened))


async def test_a_share_beside_another(world: World, process: OtherProcess) -> None:
    """If the other process shares the same match at this moment, its message is the one to stay."""
    await world.played()
    others = MessageId(1)
    process.first(
        ShareStore, "note", lambda store, match, _, now: ShareStore.note(store, match, others, now)
    )
    await world.alice.slash(world.channel, "share")
    await world.env.settle()
    assert not any(message.attachments for message in world.channel.history())


async def test_a_promise_to_a_press_on_a_private_row(
    world: World, other: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    """It isn't taken for a refusal, although only the presser sees it: a board is to come.

    The log has no warning, since this is usual in an update.
    """
    await world.challenge(rows=10)
    row = answer_to(await open_row(world, world.alice, "10"))
    other(PROMISE)
    await world.alice.click(row, custom_id="m:1:0:a10")
    here = world.env.backend.messages[world.channel.id]
    board = world.last
    twin = replace(here[board.id], id=board.id - 1)
    here[twin.id] = twin
    await world.env.advance_time(_SETTLED_SECONDS)
    assert [m.id for m in world.channel.history()] == [board.id]
    assert not logged(caplog, logging.WARNING)


@pytest.mark.parametrize(("kind", "seconds"), [("button", 1.3), ("command", 0.1)])
async def test_a_press_that_only_the_other_process_knows(
    world: World, caplog: pytest.LogCaptureFixture, kind: str, seconds: float
) -> None:
    """The other one has time to answer, and this one, of an earlier version, adds no refusal."""
    if kind == "button":
        asked = world.begin(world.alice, await world.made_up("new:1"), "new:1")
    else:
        asked = emitted(
            world,
            world.alice.id,
            world.channel.id,
            InteractionType.APPLICATION_COMMAND,
            {"id": "1", "type": 1, "name": "new"},
        )
    await asyncio.sleep(seconds)
    one = asked._interaction  # noqa: SLF001
    router.dispatch(
        world.env.backend, CALLBACK[0], f"/interactions/{one.id}/{one.token}/callback", json=BOARD
    )
    await world.env.settle()
    await world.env.advance_time(2)
    assert answer_to(asked).content == "a board"
    assert not asked.followups
    assert not logged(caplog, logging.WARNING)
    assert len(world.env.errors) == (kind == "command")  # discord.py's own


async def test_an_old_board_that_is_gone_by_now(world: World) -> None:
    """The other process has removed it, so this one makes no request to remove it."""
    await world.played("b2")
    world.env.backend.delete_message(world.channel.id, world.last.id)
    await world.bob.slash(world.channel, "move", where="a1")
    await world.env.advance_time(_SETTLED_SECONDS)
    made = [(m.method, m.path) for m in world.env.backend.http_requests]
    assert [path for method, path in made if method == "DELETE" and "/channels/" in path] == []
