"""Replays of finished matches: move by move, and as files."""

import pytest
from PIL import Image
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from core.match import record
from tests.conftest import Calendar
from tests.discord.calls import IN_CHANNEL
from tests.discord.conftest import Restart
from tests.discord.failing import PUT_OFF_SECONDS, failing, lose_the_reply
from tests.discord.world import (
    ALICE_WINS,
    World,
    answer_to,
    components,
    ids,
    labels,
    mentioned,
    refused,
    text,
)


async def replayed(world: World) -> InteractionResult:
    """Let bob press Replay on the newest board."""
    return await world.bob.click(world.last, label="Replay")


def shown(result: InteractionResult) -> str:
    """Return the current text of an ephemeral replay."""
    assert answer_to(result).ephemeral
    return text(answer_to(result))


@pytest.mark.parametrize("game", ["tictactoe", "nineholes"])
async def test_a_match_is_stepped_through(world: World, game: str) -> None:
    """First, back, next and last lead through every position, each with its move named."""
    moves = ALICE_WINS if game == "tictactoe" else "a1-a2 a5-a4 b1-b2 b5-b4 c1-c2"
    await world.played(moves, game=game)
    final = text(world.last)
    seen = await replayed(world)
    assert "Move 0 of 5" in shown(seen) and "The beginning." in shown(seen)
    for ply, move in enumerate(moves.split(), start=1):
        await world.bob.click(answer_to(seen), label="Next")
        assert f"Move {ply} of 5" in shown(seen) and f" {move}." in shown(seen)
    assert "wins" in shown(seen)
    board = [line for line in final.splitlines() if line[:1].isdigit() or line.startswith("⬛")]
    assert all(line in shown(seen) for line in board), "the replay draws the same board"
    assert answer_to(seen) is not None
    await world.bob.click(answer_to(seen), label="Back")
    assert "Move 4 of 5" in shown(seen) and "wins" not in shown(seen)
    await world.bob.click(answer_to(seen), label="First")
    assert "Move 0 of 5" in shown(seen)
    await world.bob.click(answer_to(seen), label="Last")
    assert "Move 5 of 5" in shown(seen)
    assert world.public()[-1][1] == final, "the channel is unchanged"


async def test_any_move_by_command(world: World) -> None:
    """`move` opens the replay after that many moves; without it, it opens as by its button."""
    await world.played()
    for given, place in (({}, 0), ({"move": 0}, 0), ({"move": 3}, 3), ({"move": 9999}, 5)):
        seen = await world.bob.slash(world.channel, "replay", **given)
        assert f"Move {place} of 5" in shown(seen)
    line = shown(await world.bob.slash(world.channel, "replay", move=3, best_line=True))
    assert "Best line after move 3" in line
    for last in (5, 9999):
        line = shown(await world.bob.slash(world.channel, "replay", move=last, best_line=True))
        assert "Best line after move 4" in line, "at the end nothing can be played"


async def test_a_best_line_ends_where_the_match_would(world: World) -> None:
    """In Nine Holes best play goes in circles, and the third occurrence of a position is a draw."""
    await world.challenge(game="nineholes")
    moves = "c1-b2 b5-a2 a1-b4 c5-b3 b1-a4 a5-c4 b2-a3 b3-c2 a3-b2 a2-c3"
    await world.play(moves)
    seen = await world.bob.slash(world.channel, "replay", move=6, best_line=True)
    assert "Best line after move 6 – 1 of 9" in shown(seen)
    await world.bob.click(answer_to(seen), label="Last")
    assert "9 of 9" in shown(seen)


async def test_an_earlier_match_by_its_number(world: World) -> None:
    """Its number in `/history` opens its replay, export and review; other numbers are refused."""
    other = world.guild.create_text_channel("other")
    for channel in (other, world.channel, world.channel):
        await world.alice.slash(channel, "play tictactoe", level="easy")
        await world.alice.slash(channel, "resign", confirm=True)
    history = refused(await world.alice.slash(world.channel, "history"))
    assert [line.split()[0] for line in history.splitlines() if "#" in line] == ["#3", "#2", "#1"]
    for command in ("replay", "export", "analyse"):
        assert "Tic-tac-toe" in refused(await world.alice.slash(world.channel, command, match=1))
    for command in ("replay", "share"):
        for number in (-1, 0, 4, 2**53 - 1):
            told = refused(await world.alice.slash(world.channel, command, match=number))
            assert f"There is no match {number} here.\n`/history` lists" in told
    empty = await world.alice.slash(world.channel, "replay", match=1, best_line=True)
    assert "No move was made." in refused(empty)
    await world.challenge()
    running = refused(await world.carol.slash(world.channel, "replay", match=4, best_line=True))
    assert "still being played" in running


async def test_a_match_is_shared_where_it_was_played(world: World) -> None:
    """In another channel the refusal links to the share, unless the asker can't see its channel."""
    there = world.channel_for(world.alice)
    await world.alice.slash(there, "play tictactoe")
    await world.resign(world.alice, there)
    told = refused(await world.alice.slash(world.channel, "share", match=1))
    fact, link = told.splitlines()
    assert fact == "There is no match 1 here." and f"/{there.id}/" in link
    hidden = refused(await world.bob.slash(world.channel, "share", match=1))
    assert "can't see" in hidden and "https" not in hidden


async def test_a_channel_without_a_finished_match(world: World) -> None:
    """Each command for the last match names the command that lists those of other channels."""
    for command in ("replay", "analyse", "export", "share"):
        told = refused(await world.alice.slash(world.channel, command))
        assert "No match has been finished in this channel yet.\n`/history` lists" in told


async def test_spectators_replay_too(world: World) -> None:
    """Anyone who sees the channel can open a replay, and each has their own."""
    await world.played()
    for who in (world.carol, world.alice):
        assert "Move 0 of 5" in shown(await who.click(world.last, label="Replay"))


async def test_a_resigned_match_ends_with_its_result(world: World) -> None:
    """The last step names the result; so does the replay of a match without moves.

    A match without moves has nothing to step through.
    """
    await world.challenge()
    await world.resign(world.alice)
    seen = await world.alice.slash(world.channel, "replay")
    assert "No move was made." in shown(seen) and "resigned" in shown(seen)
    assert labels(answer_to(seen)) == []


async def test_a_match_restarted_at_once_is_passed_over(world: World, mod: MemberActor) -> None:
    """It has neither a move nor a result, so the commands mean the match before it."""
    await world.challenge()
    await mod.slash(world.channel, "endgame")
    told = refused(await world.alice.slash(world.channel, "replay"))
    assert "No match has been finished in this channel yet." in told
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    await world.alice.slash(world.channel, "play tictactoe")
    await world.alice.slash(world.channel, "restart")
    seen = await world.alice.slash(world.channel, "replay")
    assert "Move 0 of" in shown(seen) and "No move was made" not in shown(seen)


async def test_a_running_match_has_no_replay(world: World) -> None:
    """Both a forged button and the commands are refused during a channel's first match."""
    await world.challenge()
    match_id = ids(world.last)[0].split(":")[1]
    for custom_id in (f"v:{match_id}:0:open", f"v:{match_id}:1:next", f"x:{match_id}"):
        message = await world.made_up(custom_id)
        told = refused(await world.bob.click(message, custom_id=custom_id))
        assert "still being played" in told
    for command in ("replay", "analyse", "export", "share"):
        told = refused(await world.bob.slash(world.channel, command))
        assert "This match is still being played." in told and "/play" not in told


async def test_a_step_beyond_the_end(world: World) -> None:
    """A forged ply beyond the last shows the last."""
    await world.played()
    seen = await replayed(world)
    match_id = ids(world.last)[0].split(":")[1]
    message = await world.made_up(f"v:{match_id}:9999:next")
    await world.bob.click(message, custom_id=f"v:{match_id}:9999:next")
    assert "Move 5 of 5" in text(world.now(message))
    assert seen.acknowledged


# --- export


async def test_the_export_is_a_picture_and_a_record(world: World) -> None:
    """The export is an animation of every position and a record that parses to the same match."""
    await world.played()
    stored = await world.stored()
    result = await world.carol.slash(world.channel, "export")
    told = "Tic-tac-toe 3×3, 3 in a row: as an animation, and as a text with all moves."
    assert told in refused(result)
    files = await world.files(result)
    assert set(files) == {f"rowbot-{stored.id}.gif", f"rowbot-{stored.id}.txt"}
    with Image.open(files[f"rowbot-{stored.id}.gif"]) as picture:
        assert (picture.format, getattr(picture, "n_frames", 1)) == ("GIF", 6)
    kept = record.read(files[f"rowbot-{stored.id}.txt"].read().decode())
    assert kept.names == ("alice", "bob")
    assert kept.match.positions == stored.match.positions
    assert kept.match.outcome == stored.match.outcome


# --- sharing


async def test_a_match_is_shared_once(world: World, restart: Restart) -> None:
    """A player shows everybody the animation; further presses get its link, after a restart too."""
    await world.played()
    board, stored = world.last, await world.stored()
    assert "Only its players" in refused(await world.carol.click(board, label="Share"))
    both = await world.at_once(
        *((who, board, f"u:{stored.id}") for who in (world.alice, world.bob))
    )
    (shared,) = [m for m in world.channel.history() if m.attachments]
    assert not shared.flags.ephemeral and not mentioned(shared, world.env)
    assert labels(shared) == ["Replay"] and "wins with" in text(shared)
    (gallery,) = [c for c in components(shared) if c.get("items")]
    described = gallery["items"][0]["description"]
    assert "alice wins with a1 a2 a3" in described and "*" not in described
    (late,) = [result for result in both if result.response is None or result.response.ephemeral]
    assert "shared already" in refused(late)
    await restart()
    again = refused(await world.bob.slash(world.channel, "share"))
    assert "shared already" in again and again.endswith(f"/{shared.id})")


async def test_a_share_that_a_moderator_deleted(world: World) -> None:
    """The match can be shared anew: the refusal would link to nothing."""
    await world.played()
    await world.alice.slash(world.channel, "share")
    world.env.backend.delete_message(world.channel.id, world.last.id)
    await world.alice.slash(world.channel, "share")
    (shared,) = [m for m in world.channel.history() if m.attachments]
    again = refused(await world.bob.slash(world.channel, "share"))
    assert "shared already" in again and again.endswith(f"/{shared.id})")


async def test_a_share_of_which_discord_does_not_tell(world: World) -> None:
    """It isn't repeated: it may well be there."""
    await world.played()
    await world.alice.slash(world.channel, "share")
    shared = f"/channels/{world.channel.id}/messages/{world.last.id}"
    world.env.inject_error("GET", shared, status=403, code=50001, times=None)
    assert "shared already" in refused(await world.bob.slash(world.channel, "share"))


async def test_a_share_whose_reply_is_lost(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The share is posted in the channel, and the message that may have arrived is removed."""
    await world.played()
    with failing(world):
        lose_the_reply(world, monkeypatch)
        await world.alice.slash(world.channel, "share")
    await world.env.advance_time(PUT_OFF_SECONDS)
    (shared,) = [m for m in world.channel.history() if m.attachments]
    again = refused(await world.bob.slash(world.channel, "share"))
    assert "shared already" in again and again.endswith(f"/{shared.id})")


async def test_a_share_that_arrives_unheard(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it can't be posted in the channel either, its message is removed, and it can be repeated.

    Otherwise the repetition would make a second share.
    """
    await world.played()
    with failing(world):
        lose_the_reply(world, monkeypatch)
        world.env.inject_error(*IN_CHANNEL, status=503, times=None)
        await world.alice.slash(world.channel, "share")
    assert len([m for m in world.channel.history() if m.attachments]) == 1
    await world.alice.slash(world.channel, "share")
    await world.env.advance_time(PUT_OFF_SECONDS)
    (shared,) = [m for m in world.channel.history() if m.attachments]
    again = refused(await world.bob.slash(world.channel, "share"))
    assert "shared already" in again and again.endswith(f"/{shared.id})")


async def test_an_empty_board_is_not_shared(world: World) -> None:
    """A match without moves has no button to share it, and the command says why."""
    await world.challenge()
    await world.resign(world.bob)
    assert "No move was made" in refused(await world.alice.slash(world.channel, "share"))
    assert not any(m.attachments for m in world.channel.history())


async def test_a_match_that_ends_anew_is_shared_anew(world: World, calendar: Calendar) -> None:
    """Its last move was taken back, so the shared animation shows an end that no longer holds."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    await world.resign(world.alice)
    await world.alice.slash(world.channel, "share")
    await world.alice.slash(world.channel, "undo")
    await world.press(world.alice, "a1")
    calendar.ahead += 60
    await world.resign(world.alice)
    await world.alice.slash(world.channel, "share")
    shared = [m for m in world.channel.history() if m.attachments]
    assert len(shared) == 2
    again = refused(await world.alice.slash(world.channel, "share"))
    assert "shared already" in again and again.endswith(f"/{shared[-1].id})")
