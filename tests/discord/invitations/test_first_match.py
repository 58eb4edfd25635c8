"""The way to a match by buttons: against the computer, a challenge, a table, and the next game."""

from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.invitations.model import First
from core.games import GAMES
from core.players import Member
from tests.discord.calls import REMOVAL
from tests.discord.matches.taking import THREAD
from tests.discord.privacy.own_data import erase
from tests.discord.world import (
    BEGIN,
    World,
    answer_to,
    components,
    ids,
    labels,
    mentioned,
    refused,
    text,
)


async def asked(world: World, who: MemberActor, custom_id: str) -> discord.Message:
    """Press a public button; return the private question that it leads to."""
    result = await who.click(await world.made_up(custom_id), custom_id=custom_id)
    assert answer_to(result).ephemeral, text(result)
    return world.now(answer_to(result))


def values(message: discord.Message) -> list[str]:
    """Return what can be chosen in the first menu of a message."""
    return [option["value"] for c in components(message) for option in c.get("options", [])]


async def choose(
    world: World, who: MemberActor, question: discord.Message, value: Any, number: int = 0
) -> InteractionResult:
    """Choose from one of the menus of a question."""
    menus = [c["custom_id"] for c in components(question) if c["type"] in (3, 5)]
    return await who.select(question, [value], custom_id=menus[number])


@pytest.mark.parametrize("game", ["tictactoe", "tribolo"])
async def test_playing_the_computer(world: World, game: str) -> None:
    """A button, a game and a level start a match; the questions are gone then.

    Discord knows a private message only by the token of an interaction.
    """
    world.env.inject_error(*REMOVAL, status=404, code=10008, times=None)
    question = await asked(world, world.alice, "b:computer")
    assert values(question) == [*GAMES]
    await choose(world, world.alice, question, game)
    question = world.now(question)
    assert labels(question)[:3] == ["Easy", "Medium", "Hard"]
    await world.alice.click(question, label="Easy")
    stored = await world.stored()
    assert stored.match.game.key == game and not stored.match.outcome
    assert "(easy)" in text(world.last) and not world.last.flags.ephemeral
    assert world.private() == []


async def test_a_question_gives_way_to_what_holds_the_channel(world: World) -> None:
    """So no question is left once the own match is put away and the new one has begun."""
    await world.alice.slash(world.channel, "play tictactoe")
    question = await asked(world, world.alice, "b:computer:nineholes")
    await world.alice.click(question, label="Easy")
    assert labels(world.now(question)) == ["Put it away", "Resign", THREAD]
    await world.alice.click(world.now(question), label="Put it away")
    assert "Nine Holes" in text(world.last) and world.private() == []


async def test_challenging_by_buttons(world: World) -> None:
    """After choosing a member and a game, the challenge is that of `/play` with `against`."""
    question = await asked(world, world.alice, "b:challenge")
    await choose(world, world.alice, question, world.bob)
    of_two = [key for key, game in GAMES.items() if game.seats == 2]
    assert values(world.now(question)) == of_two
    await choose(world, world.alice, world.now(question), "tictactoe")
    assert mentioned(world.last, world.env) == [world.bob.id]
    assert world.private() == []
    await world.bob.click(world.last, label="Accept")
    assert (await world.stored()).names == ("alice", "bob")


async def test_nobody_who_cannot_play_is_challenged(world: World) -> None:
    """The choice of such a member is refused at once, and the question stays for another."""
    question = await asked(world, world.alice, "b:challenge")
    assert "yourself" in refused(await choose(world, world.alice, question, world.alice))
    await choose(world, world.alice, question, world.bob)
    assert "bob" in text(world.now(question))


async def test_opening_a_table(world: World) -> None:
    """After the choice of a game, there is a table that anybody can join."""
    question = await asked(world, world.alice, "b:table")
    await choose(world, world.alice, question, "nineholes")
    assert world.private() == []
    await world.bob.click(world.last, label="Join")
    assert (await world.stored()).names == ("alice", "bob")


async def test_where_no_match_can_begin_nothing_is_asked(world: World, mod: MemberActor) -> None:
    """In a busy channel without threads, or one without games, the refusal comes at once.

    It says what can be done.
    """
    await world.challenge()
    world.deny(world.channel, create_public_threads=True)
    message = await world.made_up("b:computer")
    result = await world.carol.click(message, custom_id="b:computer")
    assert "being played in this channel" in refused(result)
    elsewhere = world.guild.create_text_channel("elsewhere")
    await mod.slash(elsewhere, "settings set", channels=f"<#{world.channel.id}>")
    world.channel = elsewhere
    message = await world.made_up("b:table")
    result = await world.carol.click(message, custom_id="b:table")
    assert "No games are played in this channel" in refused(result)


async def test_a_game_that_is_not_known(world: World) -> None:
    """A forged choice is refused."""
    for custom_id in ("b:computer:chess", "b:computer:chess:easy", "b:table:chess"):
        message = await world.made_up(custom_id)
        assert "don't know" in refused(await world.alice.click(message, custom_id=custom_id))


# --- after a match


async def what_next(world: World, who: MemberActor) -> discord.Message:
    """Press New match on the final board; return the private question."""
    result = await who.click(world.last, label="New match")
    assert answer_to(result).ephemeral
    return world.now(answer_to(result))


async def lost(world: World, first: First = First.ME) -> discord.Message:
    """Let alice lose on 5x5 against the computer; return what New match asks her."""
    await world.alice.slash(
        world.channel, "play tictactoe", rows=5, variant="torus", level="easy", first=first.value
    )
    await world.resign(world.alice)
    return await what_next(world, world.alice)


async def test_another_level_after_an_erasure(world: World) -> None:
    """By then the match is a former player's, and the refusal says so."""
    question = await lost(world)
    await erase(world)
    told = refused(await choose(world, world.alice, question, "medium"))
    assert "not in this match (**a former player** vs" in told


@pytest.mark.parametrize("first", [First.ME, First.OPPONENT])
async def test_the_same_board_at_another_level(world: World, first: First) -> None:
    """The match keeps the options and who moves first; only the final board stays."""
    question = await lost(world, first)
    assert values(question)[:3] == ["medium", "hard", "perfect"]
    await choose(world, world.alice, question, "medium")
    match = (await world.stored()).match
    assert match.options["rows"] == 5 and match.options["variant"] == "torus"
    assert match.seat_of(Member(world.alice.id)) == (first is First.OPPONENT)
    assert [text(m) for m in world.private()] == ["You have resigned."]
    assert "resigned" in "".join(text(m) for m in world.channel.history())


async def test_another_game_against_the_computer(world: World) -> None:
    """The game and then the level are chosen; the other ways to a match are there too."""
    question = await lost(world)
    assert labels(question) == ["Challenge", "Open a table"]
    await choose(world, world.alice, question, "nineholes", number=1)
    await world.alice.click(world.now(question), label="Hard")
    assert "Nine Holes" in text(world.last) and "(hard)" in text(world.last)


async def test_another_game_with_the_opponent(world: World) -> None:
    """After a match between two members, the choice of a game challenges the other again."""
    await world.challenge()
    await world.resign(world.alice)
    question = await what_next(world, world.bob)
    assert labels(question) == BEGIN
    await choose(world, world.bob, question, "nineholes")
    assert mentioned(world.last, world.env) == [world.alice.id]


async def test_another_game_after_a_former_player(world: World) -> None:
    """A former player can't be challenged, so the games offered are against the computer."""
    await world.challenge()
    await world.resign(world.alice)
    await world.sql("UPDATE seats SET user_id = -7, name = NULL WHERE seat = 0")
    question = await what_next(world, world.bob)
    assert labels(question) == ["Challenge", "Open a table"]
    await choose(world, world.bob, question, "nineholes")
    assert labels(world.now(question))[:3] == ["Easy", "Medium", "Hard"]


async def test_an_onlooker_gets_the_computer(world: World) -> None:
    """A member who didn't play can't go on with the players' level."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.resign(world.alice)
    assert ids(await what_next(world, world.bob)) == ["b:computer", "b:challenge", "b:table"]
