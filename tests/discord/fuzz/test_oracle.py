"""The oracle finds each planted fault of the bot."""

from dataclasses import replace
from datetime import timedelta

import pytest
from simcord.backend.models.interaction import ResponseKind

from bot.i18n import own_texts
from bot.matches import ways
from bot.times import HOUR, MINUTE
from tests.discord.elsewhere import DIRECT, GUEST, Elsewhere
from tests.discord.world import World
from tests.fuzzing.languages import foreign
from tests.fuzzing.requests import Asked
from tests.load.reading import read

from .oracle import Oracle
from .rooms import Room


@pytest.fixture
def room(world: World) -> Room:
    """The world's channel as a room."""
    return Room("channel", world, world.channel, [world.alice, world.bob, world.carol])


@pytest.fixture
def oracle(world: World) -> Oracle:
    """An oracle of members who read German."""
    return Oracle(world.env, {one.id: "de" for one in (world.alice, world.bob, world.carol)})


async def test_faults_of_a_rooms_messages(world: World, room: Room, oracle: Oracle) -> None:
    """Old boards and closed challenges with buttons, no board, and erased names are wrong."""
    await world.carol.slash(world.channel, "play nineholes", against=world.alice)
    await world.challenge()
    assert await oracle.room(room) == []
    world.keep_old_boards()
    old = world.last
    await world.press(world.alice, "b2")
    await world.sql("UPDATE invitations SET status = 'declined' WHERE status = 'open'")
    wrong = await oracle.room(room)
    assert [line.partition(" is ")[2] for line in wrong] == [
        "invitation 1, which is closed",
        "a board of match 1 at ply 0, which is at ply 1",
    ]
    oracle.erased.add("bob")
    named = f"named: channel: message {world.last.id} names bob"
    assert any(line.startswith(named) for line in await oracle.room(room))
    oracle.killed.append(world.env.now())
    assert not [line for line in await oracle.room(room) if str(old.id) in line]
    oracle.killed.clear()
    world.env.backend.delete_message(world.channel.id, world.last.id)
    dark = "in the dark: channel: match 1 at ply 1 isn't shown; its boards are at [0]"
    assert dark in await oracle.room(room)
    for change, why in (
        ("put_away_at = 1", "which is archived"),
        ("put_away_at = NULL, ended_at = 1, ending = 'agreement'", "which is over"),
    ):
        await world.sql(f"UPDATE matches SET {change}")
        assert any(why in line for line in await oracle.room(room))
    for table in ("seats", "old_boards", "matches"):
        await world.sql(f"DELETE FROM {table}")
    assert any("which isn't stored" in line for line in await oracle.room(room))


async def test_a_second_board_is_wrong(world: World, room: Room, oracle: Oracle) -> None:
    """It is wrong unless the bot died before it noted that it had sent the second."""
    first = await world.challenge()
    await world.env.advance_time(10)
    world.keep_old_boards()
    await world.alice.slash(world.channel, "board")
    both = [first.id, world.last.id]
    wrong = [f"doubled: channel: messages {both} show the board of match 1"]
    assert await oracle.room(room) == wrong
    oracle.killed.append(world.env.now() + timedelta(seconds=10))
    assert await oracle.room(room) == wrong
    oracle.killed.append(world.env.now())
    assert await oracle.room(room) == []


async def test_an_open_invitation_is_shown(world: World, room: Room, oracle: Oracle) -> None:
    """An open invitation without a message is wrong, unless a moderator has deleted the message."""
    asked = await world.command(world.alice, "play tictactoe", against=world.bob)
    (shown,) = room.shown()
    assert await oracle.room(room) == []
    world.env.backend.delete_message(world.channel.id, asked.id)
    assert await oracle.room(room) == ["invited: channel: invitation 1 is shown by []"]
    oracle.deleted.append(read(shown))
    assert await oracle.room(room) == []


async def test_a_puzzle_of_the_day_is_shown_once(world: World, room: Room, oracle: Oracle) -> None:
    """A second message that shows it is wrong; it may name a member who was erased since."""
    post = await world.made_up("zo:1:new")
    await world.made_up("zo:1:here", "zo:2:new")
    assert oracle.posts([room]) == []
    await world.made_up("zo:1:new")
    assert oracle.posts([room]) == ["posts: zo:1:new is shown 2 times"]
    world.env.backend.get_message(world.channel.id, post.id).content = "alice"
    oracle.erased.add("alice")
    assert await oracle.room(room) == []


async def test_an_end_is_shown_once(world: World, room: Room, oracle: Oracle) -> None:
    """A second message that shows it is wrong, except one by which somebody shared the match.

    The bot may not know of the latter if the database failed at it.
    """
    await world.played("a1 b1 a2 b2 a3")
    await world.env.advance_time(20)
    await world.bob.slash(world.channel, "share")
    assert await oracle.room(room) == []
    await world.sql("UPDATE matches SET shared_id = NULL")
    (wrong,) = await oracle.room(room)
    assert wrong.startswith("doubled: ") and wrong.endswith("show the end of match 1")
    oracle.in_vain.add(max(world.env.backend.interactions))
    assert await oracle.room(room) == []


async def test_a_match_in_a_deleted_channel(world: World, room: Room, oracle: Oracle) -> None:
    """It may not go on if the bot has seen the deletion."""
    await world.challenge()
    oracle.channels[world.channel.id] = world.env.now()
    wrong = "deleted: match 1 goes on in a channel that was deleted"
    assert await oracle.deleted_channels(room) == [wrong]
    oracle.killed.append(world.env.now())
    assert await oracle.deleted_channels(room) == []


async def test_a_deadline_that_nobody_minds(world: World, room: Room, oracle: Oracle) -> None:
    """It is wrong until the bot acts on it."""
    await world.challenge(clock=HOUR)
    assert await oracle.overdue(room) == []
    await world.sql(f"UPDATE matches SET due_at = due_at - {2 * HOUR}")
    assert await oracle.overdue(room) == ["overdue: match 1"]
    await world.env.advance_time(MINUTE)
    assert await oracle.overdue(room) == []


async def test_a_board_in_another_language(world: World, room: Room, oracle: Oracle) -> None:
    """A new board is in the language of its match, which is that of the server."""
    board = await world.challenge()
    sent = world.env.backend.get_message(world.channel.id, board.id)
    assert await oracle.language(room, sent) == []
    await world.sql(
        f"INSERT INTO guild_settings (guild_id, language) VALUES ({world.guild.id}, '')"
    )
    for language, wrong in (("en-US", False), ("de", True), ("ja", True)):
        await world.sql(f"UPDATE guild_settings SET language = '{language}'")
        found = await oracle.language(room, sent)
        assert [line.startswith("language: channel: ") for line in found] == [True] * wrong


@pytest.mark.parametrize("elsewhere", [GUEST], indirect=True)
async def test_a_thread_that_cannot_be_opened(
    world: World, elsewhere: Elsewhere, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It mustn't be offered in a thread, nor where the bot isn't a member; elsewhere it may."""
    monkeypatch.setattr(ways, "may_open_threads", lambda _: True)
    guest = Room("guest", world, world.channel, [world.alice, world.bob], elsewhere)
    thread = replace(guest, channel=world.thread(world.channel))
    for room, wrong in ((guest, True), (thread, True), (guest, False)):
        await world.alice.slash(room.channel, "play tictactoe")
        await world.bob.slash(room.channel, "play tictactoe")
        given = list(world.env.backend.interactions.values())[-1]
        found = [line for line in oracle.answers(room, given, []) if line.startswith("thread: ")]
        assert [line.endswith(" offers one") for line in found] == [True] * wrong
        if not elsewhere.installed:
            elsewhere.install()


async def test_wrong_answers(world: World, room: Room, oracle: Oracle) -> None:
    """Wrong are another language, an unexpected error, a promise that isn't kept, and silence."""
    await world.alice.slash(world.channel, "hint")
    given = list(world.env.backend.interactions.values())[-1]

    def wrong() -> list[str]:
        return list(oracle.answers(room, given, []))

    assert [line for line in wrong() if line.startswith("language: ") and "in de: " in line]
    oracle.locales[world.alice.id] = "en-US"
    assert wrong() == []
    said = world.env.backend.get_message(world.channel.id, world.private()[0].id)
    said.content = own_texts("en-US")("refusal.unexpected", id=given.id)
    assert [line.partition(":")[0] for line in wrong()] == ["failed"]
    said.content = own_texts("en-US")("refusal.database")
    assert [line.partition(":")[0] for line in wrong()] == ["failed"]
    assert oracle.in_vain == {given.id}
    said.content = "{name}, your move."
    assert [line.partition(":")[0] for line in wrong()] == ["text"]
    said.content = "x" * 4000
    assert "limits: " in wrong()[0] and "characters" in wrong()[0]
    oracle.erased.add("bob")
    said.content = "**bob**"
    assert [line.partition(":")[0] for line in wrong()] == ["named"]
    said.content = ""
    for kind, told in (
        (ResponseKind.DEFERRED, "was only promised one"),
        (ResponseKind.DEFERRED_UPDATE, "nothing followed"),
    ):
        given.response_kind = kind
        assert told in wrong()[0]
    given.responded = False
    assert "has no answer" in wrong()[0]


async def test_wrong_notifications(world: World, room: Room, oracle: Oracle) -> None:
    """A board may notify the member to move, and nobody else."""
    await world.played("b2")
    board = world.env.backend.get_message(world.channel.id, world.last.id)
    assert await oracle.mentions(room, board) == []
    board.ping_user_ids.append(world.carol.id)
    (wrong,) = await oracle.mentions(room, board)
    assert wrong.startswith("mention: ") and str(world.carol.id) in wrong
    for change in (
        "moved_at = moved_at + 60",
        "moved_at = moved_at - 60, ended_at = 1, ending = 'timeout', ending_seat = 1",
    ):
        await world.sql(f"UPDATE matches SET {change}")
        assert await oracle.mentions(room, board) == []  # it is out of date


@pytest.mark.parametrize("elsewhere", [DIRECT], indirect=True)
def test_wrong_requests(world: World, elsewhere: Elsewhere, oracle: Oracle) -> None:
    """Wrong is a request without a token where the bot can't post, or one that Discord refused."""
    closed = Room("direct", world, world.channel, [world.alice, world.bob], elsewhere)
    path = f"/channels/{world.channel.id}/messages"
    (wrong,) = oracle.requests([closed], [Asked("POST", path, 403, 50001)])
    assert wrong.startswith("route: POST") and "direct" in wrong
    refused = [
        Asked("POST", "/webhooks/1/token", 400, 40094),
        Asked("GET", "/webhooks/1", 404, 10015),
    ]
    assert list(oracle.requests([closed], refused)) == [
        "refused: POST /webhooks/1/token: 400 40094"
    ]


def test_a_line_is_foreign_by_its_words() -> None:
    """A line is foreign by its words; names, commands and code belong to no language."""
    assert foreign("Du bist nicht am Zug.", "de") is None
    assert foreign("It is not your turn.\nDu bist nicht am Zug.", "de") == "It is not your turn."
    assert foreign("It is not your turn.", "ja") and foreign("It is not your turn.", "ar")
    assert foreign("`/play tictactoe level:easy` **Not your turn**", "ja") is None
    assert foreign("Du bist nicht am Zug, die anderen sind es", "en-US")
