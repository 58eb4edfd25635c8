"""A member's stored data, exported and erased."""

import json
import logging
from typing import Any

import pytest

from bot.identity import MemberId
from tests.bot.privacy.many_matches import play_a_lot
from tests.conftest import Calendar
from tests.discord.archiving import archive
from tests.discord.calls import CALLBACK, IN_CHANNEL
from tests.discord.failing import (
    FAULTS,
    LATE_SECONDS,
    PUT_OFF_SECONDS,
    FailingOnce,
    answer_late,
    unchangeable,
)
from tests.discord.invitations.inviting import offer
from tests.discord.killing import Killer
from tests.discord.matches.passing import DAY, HOUR, ROUND, pass_time
from tests.discord.matches.three import mover, three
from tests.discord.privacy.own_data import erase, handed_out
from tests.discord.world import (
    ALICE_WINS,
    LOOKING,
    World,
    answer_to,
    ids,
    labels,
    logged,
    notified,
    refused,
    text,
)

_TABLES = (
    "matches seats offers invitations invitation_seats ratings standings members guilds"
    " member_settings".split()
)


async def test_the_export_holds_all_that_is_stored(world: World) -> None:
    """It has only the member's own matches, ratings, standings, names and challenges."""
    await world.played()
    await world.bob.slash(world.channel, "play tictactoe", against=world.alice)
    await world.alice.slash(world.channel, "settings me", boards="picture")
    await world.bob.slash(world.channel, "settings me", boards="words")
    await world.alice.slash(world.channel, "settings me", challenges="nobody")
    found = await handed_out(world)
    (own,) = found["settings"]
    assert (own["board"], own["challengers"]) == ("picture", "nobody")
    assert found["user_id"] == world.alice.id
    (match,) = found["matches"]
    assert match["moves"] == ALICE_WINS and match["your_rank"] == 1
    assert match["options"]["rows"] == 3
    assert [rating["game"] for rating in found["ratings"]] == ["tictactoe"]
    assert {s["period"] for s in found["standings"]} >= {""}
    assert [i["you_invited"] for i in found["invitations"]] == [True, False]
    assert [called["name"] for called in found["called"]] == ["alice"]
    everything = json.dumps(found)
    assert str(world.bob.id) not in everything and "bob" not in everything


async def test_an_export_that_discord_does_not_take(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The member is told whom to ask."""
    await play_a_lot(world.database, 10, MemberId(world.alice.id))
    emit = world.env.backend.emit

    def emit_with_limit(event: str, payload: dict[str, Any]) -> None:
        emit(event, {**payload, "attachment_size_limit": 1024})

    monkeypatch.setattr(world.env.backend, "emit", emit_with_limit)
    told = refused(await world.alice.slash(world.channel, "mydata export"))
    assert "Ask the people who run this bot" in told


async def test_erasing_keeps_the_data_of_others(world: World) -> None:
    """The seats become a former player's; bob keeps result and rating; nothing identifies alice."""
    for _ in range(5):
        await world.played()
    await world.alice.slash(world.channel, "play tictactoe", against=world.carol)
    bob = "SELECT * FROM {} WHERE user_id = " + str(world.bob.id)
    before = [await world.sql(bob.format(table)) for table in ("ratings", "standings")]
    assert "Done" in await erase(world)
    assert before == [await world.sql(bob.format(table)) for table in ("ratings", "standings")]
    stored = await world.stored()
    assert stored.match.players[0].id < 0 and stored.names == (None, "bob")  # type: ignore[union-attr]
    for table in _TABLES:
        kept = str(await world.sql(f"SELECT * FROM {table}"))
        assert str(world.alice.id) not in kept and "alice" not in kept, table
    listed = await world.bob.slash(world.channel, "history")
    assert "a former player" in text(listed)
    board = text(await world.bob.slash(world.channel, "leaderboard"))
    assert "#1 **bob**" in board and "former" not in board
    assert (await handed_out(world))["matches"] == []


async def test_erasing_a_wish_for_no_challenges(world: World) -> None:
    """The question says that it goes with the other settings, so nobody is challenged unawares."""
    await world.alice.slash(world.channel, "settings me", challenges="nobody")
    asked = await world.alice.slash(world.channel, "mydata delete")
    assert "everybody can challenge you then" in text(asked)
    assert refused(await world.bob.slash(world.channel, "play tictactoe", against=world.alice))
    await world.alice.click(answer_to(asked), label="Yes, delete my data")
    await world.bob.slash(world.channel, "play tictactoe", against=world.alice)
    assert "**bob** challenges you" in text(world.last)


async def test_ratings_include_former_players(world: World) -> None:
    """After an erasure, recomputing all ratings gives the same numbers."""
    from bot.ratings.rerate import rerate

    for _ in range(3):
        await world.played()
    await erase(world)
    tables = ("ratings", "standings", "seats")
    before = [sorted(map(tuple, await world.sql(f"SELECT * FROM {t}"))) for t in tables]
    async with world.database.begin() as connection:
        assert await connection.run_sync(rerate) == 3
    assert before == [sorted(map(tuple, await world.sql(f"SELECT * FROM {t}"))) for t in tables]


async def test_erasing_resigns_running_matches(world: World) -> None:
    """The opponent of the erased member wins and sees it, without a button that asks them again."""
    await world.played("a1")
    await erase(world)
    final = text(world.last)
    assert "bob** wins" in final and "a former player" in final and "alice" not in final
    assert labels(world.last) == ["New match", *LOOKING]


async def test_erasing_resigns_matches_that_were_put_away(world: World, calendar: Calendar) -> None:
    """They count from now on: the opponent can't choose when to win them."""
    await world.challenge(clock=0)
    await world.play("b2 a1")
    await pass_time(world, calendar, 30 * DAY + HOUR)
    assert "put away" in text(world.last)
    await erase(world)
    (final,) = world.channel.history()
    assert "**bob** wins" in text(final) and "Rating" in text(final) and "alice" not in text(final)
    assert "1 won" in text(await world.bob.slash(world.channel, "leaderboard", by="wins"))


async def test_a_match_of_three_that_was_put_away_stays_so_without_an_erased_player(
    world: World, calendar: Calendar
) -> None:
    """Its message no longer has their name, and the others can go on."""
    await three(world, clock=0)
    await pass_time(world, calendar, 30 * DAY + HOUR)
    assert "**alice**" in text(world.last)
    await erase(world)
    (note,) = world.channel.history()
    assert "put away" in text(note) and "alice" not in text(note)
    await world.bob.slash(world.channel, "board")
    assert "your move" in text(world.last) and await mover(world) in (world.bob, world.carol)
    await erase(world, world.bob)
    assert "**carol** wins" in text(world.last)


async def test_a_match_against_the_computer_that_was_put_away_outlasts_an_erasure(
    world: World,
) -> None:
    """Nobody can bring it back, or waits for its result; it posts nothing in its channel."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.alice.slash(world.channel, "board", put_away=True)
    before = [m.id for m in world.channel.history()]
    await erase(world)
    assert [m.id for m in world.channel.history()] == before
    assert (await world.stored()).archived


async def test_erasing_whose_answer_fails(world: World) -> None:
    """The opponent still sees that the match has ended."""
    await world.challenge()
    asked = await world.alice.slash(world.channel, "mydata delete")
    world.env.inject_error(*CALLBACK, status=404, code=10062)
    await world.alice.click(answer_to(asked), label="Yes, delete my data")
    assert "a former player" in text(world.last) and "alice" not in text(world.last)


async def test_erasing_whose_answer_is_cut_off(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The data is erased all the same, and the member is told to look."""
    asked = await world.alice.slash(world.channel, "mydata delete")
    FailingOnce(monkeypatch, CALLBACK, FAULTS["cut"])
    told = refused(await world.alice.click(answer_to(asked), label="Yes, delete my data"))
    assert "look before you try again" in told


async def test_erasing_whose_reply_comes_late(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The member is told that it is done, and not of a failure."""
    asked = world.now(answer_to(await world.alice.slash(world.channel, "mydata delete")))
    answer_late(monkeypatch, CALLBACK, LATE_SECONDS)
    erased = world.begin(world.alice, asked, *ids(asked))
    await world.env.advance_time(2 * LATE_SECONDS)
    assert "deleted" in text(world.now(asked)) and not erased.followups
    assert not logged(caplog, logging.WARNING)


async def test_erasing_asks_for_confirmation(world: World) -> None:
    """Nothing is erased before the confirmation, which only the member can give."""
    await world.played()
    asked = await world.alice.slash(world.channel, "mydata delete")
    assert len((await handed_out(world))["matches"]) == 1
    (custom_id,) = ids(answer_to(asked))
    message = await world.made_up(custom_id)
    assert "isn't your button" in refused(await world.bob.click(message, custom_id=custom_id))
    assert len((await handed_out(world))["matches"]) == 1


async def test_erasing_confirmed_by_command(world: World) -> None:
    """`confirm` erases at once, and says so to the member alone."""
    await world.challenge()
    told = refused(await world.alice.slash(world.channel, "mydata delete", confirm=True))
    assert "deleted" in told and not labels(world.private()[-1])
    assert "a former player" in text(world.last) and "alice" not in text(world.last)


async def test_erasing_waits_for_nothing(world: World) -> None:
    """Who was declined again and again may not ask others for a while, but erases their data."""
    for _ in range(5):
        await world.bob.click(await offer(world, world.alice, world.bob), label="Decline")
    again = await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    assert "a lot in a short time" in refused(again)
    assert "deleted" in await erase(world)


async def test_playing_again_after_erasing(world: World) -> None:
    """An erased member starts as a newcomer, and the old series is over."""
    await world.played()
    await erase(world)
    await world.challenge()
    assert "Series" not in text(world.last)
    final = text(await world.play(ALICE_WINS))
    assert "Series" not in final and "a former player" not in final


async def test_open_invitations_go_with_the_member(world: World) -> None:
    """Nobody can answer their challenge any more, and those of others stay."""
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    others = await world.command(world.bob, "play tictactoe", against=world.carol)
    await erase(world)
    assert [message.id for message in world.channel.history()] == [others.id]


async def test_a_table_outlives_a_guest_who_is_erased(world: World) -> None:
    """The seat is free again, as after *Leave*, and others take it."""
    table = await world.command(world.carol, "play tribolo", open=True)
    await world.alice.click(table, label="Join")
    await erase(world)
    await world.env.settle()
    assert "carol" in text(world.now(table)) and "alice" not in text(world.now(table))
    for member in (world.alice, world.bob):
        await member.click(table, label="Join")
    assert world.boards()


async def test_a_table_outlives_its_owner_who_is_erased(world: World) -> None:
    """The next guest owns it, as after *Leave*."""
    table = await world.command(world.alice, "play tribolo", open=True)
    await world.carol.click(table, label="Join")
    await erase(world)
    await world.env.settle()
    assert "**carol** has opened a table" in text(world.now(table))
    await world.carol.click(table, label="Start")
    assert world.boards()


async def test_a_challenger_is_told_of_an_erasure(world: World) -> None:
    """The challenge was declined, by nobody whose name is told."""
    challenge = await world.command(world.bob, "play tictactoe", against=world.alice)
    await erase(world)
    await world.env.settle()
    told = text(world.now(challenge))
    assert "**a former player** declined **bob**'s challenge" in told
    assert "alice" not in told and not labels(world.now(challenge))
    for table in _TABLES:
        kept = str(await world.sql(f"SELECT * FROM {table}"))
        assert str(world.alice.id) not in kept and "alice" not in kept, table


async def test_a_challenge_to_two_of_whom_one_is_erased(world: World) -> None:
    """If one has accepted and is erased, the other isn't said to have declined."""
    third = {"against": world.bob, "third": world.alice}
    challenge = await world.command(world.carol, "play tribolo", **third)
    await world.alice.click(challenge, label="Accept")
    await erase(world)
    await world.env.settle()
    told = text(world.now(challenge))
    assert "was declined" in told and "a former player" in told and "alice" not in told


async def test_a_challenger_whom_an_erasure_declines_has_to_wait(world: World) -> None:
    """Members in league can't notify a third one again and again by erasures."""
    third = {"against": world.alice, "third": world.bob}
    for _ in range(5):
        await world.command(world.carol, "play tribolo", **third)
        await erase(world)
    again = await world.carol.slash(world.channel, "play tribolo", **third)
    assert "a lot in a short time" in refused(again)


async def test_a_kill_before_the_board_of_those_who_play_on(world: World, killer: Killer) -> None:
    """After the next start it doesn't name the erased member, and notifies the player to move."""
    old = await three(world)
    await world.env.advance_time(ROUND)
    async with killer.killing(IN_CHANNEL):
        await erase(world)
    (board,) = world.channel.history()
    assert board.id != old.id and "alice" not in text(board)
    assert notified(board, world.env) == [(await mover(world)).id]


async def test_an_erased_invitation_is_removed_after_a_failure(world: World) -> None:
    """The removal is tried again, since its row is gone and no later round would find it."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    with unchangeable(world):
        world.env.inject_error("DELETE", "/*", status=503, times=None)
        await erase(world)
    assert challenge in world.channel.history()
    await world.env.advance_time(PUT_OFF_SECONDS)
    assert challenge not in world.channel.history()


async def test_an_erased_invitation_in_an_archived_thread(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread is reopened to remove it: nothing else would take the member's name away."""
    thread = world.thread(world.channel)
    await offer(world, world.alice, world.bob, thread)
    await archive(world, monkeypatch, thread)
    await erase(world)
    await world.env.settle()
    assert not thread.history()


async def test_an_erased_invitation_that_could_not_be_removed(world: World) -> None:
    """A press on it is refused, and removes it, but not another invitation that came since."""
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    world.keep_old_boards()
    await erase(world)
    world.env.backend.faults.clear()
    newer = await world.command(world.carol, "play tictactoe", against=world.bob)
    refused(await world.bob.click(challenge, label="Accept"))
    await world.env.settle()
    assert [message.id for message in world.channel.history()] == [newer.id]


async def test_an_open_question_for_a_rematch_goes_with_the_member(world: World) -> None:
    """Nobody can agree to it any more, and it doesn't name them."""
    await world.played()
    asked = await world.command(world.alice, "rematch")
    await erase(world)
    assert ids(world.now(asked)) == []
    assert text(world.now(asked)) == (
        "🔁 **a former player** asked for a rematch. The offer no longer stands."
    )
    told = refused(await world.bob.slash(world.channel, "rematch"))
    assert "had their data deleted" in told
