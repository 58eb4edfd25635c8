"""Profiles, and the commands in a member's context menu."""

import pytest
from PIL import Image
from simcord.actors import MemberActor
from simcord.builders import UserHandle

from tests.discord.world import (
    ALICE_WINS,
    DRAWN,
    World,
    answer_to,
    components,
    mentioned,
    refused,
    text,
)

# The first chart of a process loads matplotlib, and fonts for 名前: on a loaded machine, for 20 s.
pytestmark = pytest.mark.simcord(settle_timeout=60)


async def test_an_empty_profile(world: World) -> None:
    """A newcomer's profile says so, and has no chart; the context menu of a member shows it too."""
    result = await world.alice.slash(world.channel, "profile")
    assert "alice** hasn't finished a match on this server" in text(result)
    assert await world.files(result) == {}
    other = await world.alice.context_menu(world.channel, "Profile", world.bob)
    assert "bob** hasn't finished a match on this server" in text(other)
    assert "To challenge them, choose them as `against`" in text(other)


async def test_the_content_of_a_profile(world: World) -> None:
    """It has rating, results, streak, favourite game, and the asker's score against the member."""
    for moves in (ALICE_WINS, DRAWN, ALICE_WINS, ALICE_WINS, ALICE_WINS):
        await world.played(moves)
    result = await world.bob.slash(world.channel, "profile", member=world.alice)
    told = text(result)
    assert not answer_to(result).ephemeral
    assert "**Tic-tac-toe** – rating" in told and "rank 1" in told
    assert "4 won · 1 drawn · 0 lost" in told
    assert "streak: 3 won" in told and "most wins in a row: 3" in told
    assert "Plays Tic-tac-toe most · 5 matches in all" in told
    assert "Against **bob**: 4 won · 1 drawn · 0 lost" in told
    assert not mentioned(world.last, world.env)


async def test_a_profile_after_one_match(world: World) -> None:
    """The game's line says it all, and no sums repeat it; an unrated match has no such line."""
    await world.played()
    lines = text(await world.alice.slash(world.channel, "profile")).split("\n")
    assert (
        len(lines) == 3 and lines[0] == "👤 **alice**" and lines[2].startswith("-# ? = provisional")
    )
    assert "**Tic-tac-toe** – rating 1078?" in lines[1] and "1 won · 0 drawn · 0 lost" in lines[1]
    await world.carol.slash(world.channel, "play tictactoe")
    await world.resign(world.carol)
    told = text(await world.carol.slash(world.channel, "profile"))
    assert "Plays Tic-tac-toe most · 1 match in all" in told


async def test_a_profile_with_a_single_rated_match(world: World) -> None:
    """Only the game's line tells it, whatever else was played; the note on ratings comes last."""
    await world.played()
    await world.alice.slash(world.channel, "play tictactoe")
    await world.resign(world.alice)
    *told, note = text(await world.alice.slash(world.channel, "profile")).split("\n")
    assert "2 matches in all" in told[2] and not any("Rated:" in line for line in told)
    assert note.startswith("-# ? = provisional")


async def test_a_profile_with_a_single_rated_game(world: World) -> None:
    """The game's line also tells the streaks; a second game brings a line of them together."""
    await world.played()
    await world.played()
    (one,) = rated_lines(text(await world.alice.slash(world.channel, "profile")))
    await world.played("a1-a2 a5-a4 b1-b2 b5-b4 c1-c2", game="nineholes")
    *games, both = rated_lines(text(await world.alice.slash(world.channel, "profile")))
    assert one.endswith("2 won · 0 drawn · 0 lost · streak: 2 won · most wins in a row: 2")
    assert len(games) == 2 and not any("streak" in line for line in games)
    assert both == "Rated: 3 won · 0 drawn · 0 lost · streak: 3 won · most wins in a row: 3"


def rated_lines(told: str) -> list[str]:
    """Return the lines of a profile that tell rated results."""
    return [line for line in told.split("\n") if " – rating " in line or "Rated:" in line]


async def test_the_chart_has_alternative_text(world: World) -> None:
    """It appears after two rated matches, and its description tells what it shows."""
    await world.played()
    assert await world.files(await world.alice.slash(world.channel, "profile")) == {}
    await world.played()
    result = await world.alice.slash(world.channel, "profile")
    files = await world.files(result)
    with Image.open(files["rating.png"]) as picture:
        assert picture.format == "PNG" and picture.width >= 600
    (gallery,) = [c for c in components(world.last) if c.get("items")]
    described = gallery["items"][0]["description"]
    assert described.startswith("Rating of alice, match by match. Tic-tac-toe from 1000 to ")
    assert "2 matches" in described


async def test_the_best_rating_may_be_that_of_a_newcomer(world: World) -> None:
    """Who has only lost was best at the start: the chart's description doesn't tell a lower one."""
    for _ in range(2):
        await world.played()
    await world.bob.slash(world.channel, "profile")
    (gallery,) = [c for c in components(world.last) if c.get("items")]
    described = gallery["items"][0]["description"]
    assert described.endswith("Tic-tac-toe from 1000 to 863 in 2 matches, at best 1000")


async def test_results_against_the_computer_by_level(world: World) -> None:
    """They are unrated and listed by level."""
    for level in ("easy", "perfect", "perfect"):
        await world.alice.slash(world.channel, "play tictactoe", level=level)
        await world.resign(world.alice)
    told = text(await world.alice.slash(world.channel, "profile"))
    assert "Against the computer (easy): 0 won · 0 drawn · 1 lost" in told
    assert "Against the computer (perfect): 0 won · 0 drawn · 2 lost" in told
    assert "rating" not in told and "Rated" not in told


async def test_unrated_results_against_members(world: World) -> None:
    """A line counts them together with the rated ones, unless there are only rated ones."""
    await world.played()
    assert "other members" not in text(await world.alice.slash(world.channel, "profile"))
    await world.challenge()
    await world.alice.slash(world.channel, "unrated")
    await world.bob.click(world.last, label="Agree")
    await world.play(ALICE_WINS)
    told = text(await world.alice.slash(world.channel, "profile"))
    assert "rank 1 · 1 won · 0 drawn · 0 lost" in told and "Rated:" not in told
    assert "Against other members: 2 won · 0 drawn · 0 lost" in told


async def test_odd_names_in_a_profile(world: World) -> None:
    """A name is neither a mention nor formatting, and doesn't break the chart."""
    odd = world.guild.add_member(world.env.create_user("odd"), nick="$x^2 *@everyone* 名前 $y$")
    for _ in range(2):
        await odd.slash(world.channel, "play tictactoe", against=world.bob)
        await world.bob.click(world.last, label="Accept")
        await world.play(ALICE_WINS, odd, world.bob)
    result = await odd.slash(world.channel, "profile")
    assert await world.files(result)
    assert "x^2" in text(result) and "名前" in text(result)
    assert "@everyone" not in text(result) and not mentioned(world.last, world.env)


async def test_a_bot_has_none(world: World) -> None:
    """Nobody is told to challenge a bot, or that it hasn't finished a match yet."""
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    for command in ("profile", "history", "achievements"):
        told = refused(await world.alice.slash(world.channel, command, member=robot))
        assert "robot is a bot. Only people have" in told, command


# --- the context menu


async def test_a_challenge_from_the_menu(world: World) -> None:
    """The game is chosen privately; the challenge replaces the question, and is accepted."""
    asked = await world.alice.context_menu(world.channel, "Challenge", world.bob)
    assert answer_to(asked).ephemeral
    await world.alice.select(answer_to(asked), ["nineholes"])
    assert [m.flags.ephemeral for m in world.channel.history()] == [False]
    assert mentioned(world.last, world.env) == [world.bob.id]
    await world.bob.click(world.last, label="Accept")
    stored = await world.stored()
    assert stored.match.game.key == "nineholes" and stored.names == ("alice", "bob")


async def test_members_who_cannot_be_challenged(world: World) -> None:
    """The menu refuses the asker and other bots; Rowbot itself can be played at once."""
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    for who, words in ((world.alice, "yourself"), (robot, "is a bot")):
        told = refused(await world.alice.context_menu(world.channel, "Challenge", who))
        assert words in told and "If you choose nobody, `/play` starts a match" in told
    bot = UserHandle(world.env, world.env.backend.bot_user)
    me = MemberActor(world.env, world.guild, bot)
    asked = await world.alice.context_menu(world.channel, "Challenge", me)
    assert "What would you like to play against the computer?" in text(asked)


async def test_a_challenge_to_a_departed_member(world: World) -> None:
    """If the member leaves before the game is chosen, nothing is posted."""
    asked = await world.alice.context_menu(world.channel, "Challenge", world.bob)
    world.guild.remove_member(world.bob)
    result = await world.alice.select(answer_to(asked), ["nineholes"])
    assert "has left this server" in refused(result)
    assert not world.channel.history()


@pytest.mark.parametrize("damage", ["game = 'chess'", "moves = 'z9'"])
async def test_a_profile_beside_a_damaged_match(world: World, damage: str) -> None:
    """The profile has the other matches; one of a game unknown to this version isn't counted."""
    for _ in range(3):
        await world.alice.slash(world.channel, "play tictactoe", level="easy")
        await world.resign(world.alice)
    await world.sql(f"UPDATE matches SET {damage} WHERE id = 2")
    await world.sql("UPDATE seats SET level = 'divine' WHERE match_id = 3 AND level IS NOT NULL")
    told = text(await world.alice.slash(world.channel, "profile"))
    known = 2 if "game" in damage else 3
    assert f"Tic-tac-toe most · {known} matches" in told
    assert f"Against the computer (easy): 0 won · 0 drawn · {known - 1} lost" in told
