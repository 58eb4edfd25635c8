"""Commands for a match while an open challenge or table still waits."""

from tests.conftest import Calendar
from tests.discord.invitations.inviting import offer, table
from tests.discord.world import World, answer_to, refused, text

_COMMANDS = ("move", "moves", "board", "resign", "draw", "undo", "hint", "rematch")


async def said(world: World, command: str) -> str:
    """Return the answer to a command that bob gives."""
    options = {"where": "b2"} if command == "move" else {}
    return refused(await world.bob.slash(world.channel, command, **options))


async def test_an_open_challenge_is_told_of(world: World) -> None:
    """Every command for a match is answered with a link to the challenge that waits."""
    link = (await offer(world, world.alice, world.bob)).jump_url
    for command in _COMMANDS:
        answer = await said(world, command)
        assert "alice's challenge is still open" in answer and link in answer, command


async def test_an_open_table_is_told_of_after_a_match(world: World) -> None:
    """The answers link to the table, although the match finished here can be played again."""
    await world.played()
    link = (await table(world)).jump_url
    for command in ("move", "board", "resign", "draw", "hint"):
        answer = await said(world, command)
        assert "alice's table still has free seats" in answer and link in answer, command
    assert "result of a finished match" in await said(world, "undo")
    await world.bob.slash(world.channel, "rematch")
    await world.alice.slash(world.channel, "rematch")
    assert len(world.boards()) == 1


async def test_a_member_at_an_open_table_is_not_told_to_join_it(world: World) -> None:
    """The owner, like everybody else, gets a link to the table, whose message has *Join*."""
    link = (await table(world)).jump_url
    for command in ("board", "moves"):
        answer = refused(await world.alice.slash(world.channel, command))
        assert "free seats" in answer and link in answer and "Join" not in answer, command


async def test_a_table_without_a_free_seat_is_told_of_as_a_challenge(world: World) -> None:
    """It waits for the member for whom its owner keeps a seat, and nobody else can join it."""
    opened = await table(world, game="tribolo", against=world.bob)
    assert "alice's table still has free seats" in await said(world, "board")
    await world.carol.click(opened, label="Join")
    assert "alice's challenge is still open" in await said(world, "board")


async def test_an_open_challenge_is_told_of_after_a_match_that_was_put_away(
    world: World, calendar: Calendar
) -> None:
    """The answers link to the challenge, since the archived match doesn't hold the channel."""
    await world.alice.slash(world.channel, "play tictactoe")
    calendar.ahead += 30 * 60
    refusal = await world.carol.slash(world.channel, "play tictactoe", against=world.bob)
    await world.carol.click(answer_to(refusal), label="Take over the channel")
    link = world.last.jump_url
    for command in ("move", "moves", "board", "resign", "draw", "hint"):
        answer = await said(world, command)
        assert "carol's challenge is still open" in answer and link in answer, command
    for command in ("undo", "rematch"):
        assert "is still open" not in await said(world, command), command
    await world.alice.slash(world.channel, "board")
    assert "**alice**" in text(world.last), "its player can still bring it back"


async def test_only_what_is_open_is_told_of(world: World, calendar: Calendar) -> None:
    """A withdrawn challenge isn't linked to, nor one whose time runs out at this moment."""
    challenge = await offer(world, world.alice, world.bob)
    await world.alice.click(challenge, label="Withdraw")
    assert "No match is being played" in await said(world, "board")
    await offer(world, world.alice, world.bob)
    calendar.ahead += 86_400
    assert "No match is being played" in await said(world, "board")
