"""Another member takes over a channel whose match against the computer nobody plays."""

import discord
import pytest
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.failing import meanwhile
from tests.discord.matches.passing import HOUR, MINUTE
from tests.discord.matches.taking import TAKE, THREAD, without_a_game
from tests.discord.world import BEGIN, World, answer_to, ids, labels, refused, text


async def idle(world: World, calendar: Calendar, minutes: int = 30) -> discord.Message:
    """Let alice play the computer, and leave it for a while; return her board."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.press(world.alice, "b2")
    calendar.ahead += minutes * MINUTE
    return world.last


async def offered(world: World, who: MemberActor) -> discord.Message:
    """Return the refusal of a member's `/play`, with its button."""
    refusal = await who.slash(world.channel, "play nineholes")
    assert "already being played in this channel" in refused(refusal)
    assert labels(answer_to(refusal)) == [TAKE, THREAD]
    return world.now(answer_to(refusal))


def take(message: discord.Message) -> str:
    """Return the custom id of the button."""
    return next(i for i in ids(message) if i.startswith("t:"))


async def test_a_channel_is_taken_over_after_half_an_hour_without_a_move(
    world: World, calendar: Calendar
) -> None:
    """The refusal of `/play` then has a button: the game is put away, and the other begins."""
    board = await idle(world, calendar, minutes=29)
    early = await world.bob.slash(world.channel, "play nineholes")
    assert labels(answer_to(early)) == [THREAD]
    calendar.ahead += MINUTE
    offer = await offered(world, world.bob)
    put_away = "Yours then takes its place at once, and this one is put away.\nAny of its players"
    assert put_away in text(offer)  # not the player of the new match
    await world.bob.click(offer, label=TAKE)
    assert [m.id for m in world.private()] == [answer_to(early).id]
    assert "put away" in text(world.now(board)) and not labels(world.now(board))
    assert "Nine Holes" in text(world.last) and "**bob**" in text(world.last)


async def test_by_command(world: World, calendar: Calendar) -> None:
    """`/board put_away: True` frees the channel of one's own game at once; later, of others'."""
    board = await idle(world, calendar, minutes=29)
    early = refused(await world.bob.slash(world.channel, "board", put_away=True))
    assert "already being played" in early and labels(board)
    done = await world.alice.slash(world.channel, "board", put_away=True)
    assert "channel is free" in refused(done)
    assert "put away" in text(world.now(board)) and not labels(world.now(board))
    await world.alice.slash(world.channel, "board")
    calendar.ahead += 30 * MINUTE
    assert "channel is free" in refused(
        await world.bob.slash(world.channel, "board", put_away=True)
    )
    await world.bob.slash(world.channel, "play tictactoe", against=world.carol)
    await world.carol.click(world.last, label="Accept")
    live = refused(await world.bob.slash(world.channel, "board", put_away=True))
    assert "already being played" in live and "**bob**" in live


_WISHES: list[tuple[str, dict[str, object], list[str]]] = [
    ("tictactoe", {"rows": 4, "line": 3, "variant": "misere"}, ["4×4", "misère"]),
    ("tictactoe", {"swap": True, "open": True, "clock": HOUR}, ["table", "1 hour", "swap"]),
    ("connectfour", {"level": "hard", "first": "opponent"}, ["hard"]),
    ("tictactoe", {"against": "carol"}, ["**bob** challenges you", "24 hours"]),
    (
        "tribolo",
        {"size": "full", "against": "carol", "third": "dave"},
        ["16×11", "**dave** (asked)"],
    ),
]


@pytest.mark.parametrize(("game", "given", "told"), _WISHES)
async def test_the_match_that_was_asked_for(
    game: str, given: dict[str, object], told: list[str], world: World, calendar: Calendar
) -> None:
    """Its options needn't be typed again: the board, members, level, clock and seats are kept."""
    await idle(world, calendar)
    people = {"carol": world.carol, "dave": world.guild.add_member(world.env.create_user("dave"))}
    options = {name: people.get(str(value), value) for name, value in given.items()}
    refusal = await world.bob.slash(world.channel, f"play {game}", **options)
    await world.bob.click(answer_to(refusal), label=TAKE)
    shown = text(world.last)
    assert all(words in shown for words in told), shown


async def test_without_a_game_to_begin(world: World, calendar: Calendar) -> None:
    """A member who hadn't chosen a game goes on by buttons in the free channel."""
    await idle(world, calendar)
    offer = await without_a_game(world, world.bob)
    await world.bob.click(offer, label=TAKE)
    assert "channel is free" in text(world.now(offer))
    assert labels(world.now(offer)) == BEGIN
    await world.bob.click(world.now(offer), label="Play the computer")
    assert "What would you like to play against the computer?" in text(world.now(offer))


async def test_a_wish_that_nobody_wrote(world: World, calendar: Calendar) -> None:
    """A forged wish puts no match away."""
    await idle(world, calendar)
    message = await world.made_up("t:1:tictactoe:x,,,,:::me::", "t:1:tictactoe:4,,,,,,on:::me::")
    for forged in ids(message):
        assert "another version" in refused(await world.bob.click(message, custom_id=forged))
    assert (await world.stored()).archived is False


async def test_only_idle_matches_against_the_computer(world: World, calendar: Calendar) -> None:
    """Nobody takes over a match between members, however long they wait."""
    await world.challenge()
    calendar.ahead += 60 * MINUTE
    own = await world.alice.slash(world.channel, "play nineholes")
    assert labels(answer_to(own)) == ["Restart", "Resign", THREAD]
    others = await world.carol.slash(world.channel, "play nineholes")
    assert labels(answer_to(others)) == [THREAD]
    forged = await world.made_up("t:1")
    for who in (world.alice, world.carol):
        assert "being played after all" in refused(await who.click(forged, custom_id="t:1"))


async def test_ones_own_match_against_the_computer(world: World) -> None:
    """It can be put away at once for the match that was asked for, and comes back by `/board`."""
    first = await world.command(world.alice, "play tictactoe")
    refusal = await world.alice.slash(world.channel, "play connectfour", level="hard")
    said = refused(refusal)
    assert "put that match away" in said and "once it's over" not in said, "it can begin now"
    assert labels(answer_to(refusal)) == ["Put it away", "Resign", THREAD]
    await world.alice.click(answer_to(refusal), label="Put it away")
    assert "Connect four" in text(world.last) and "hard" in text(world.last)
    assert "put away" in text(world.now(first)) and not world.private()
    await world.resign(world.alice)
    await world.alice.slash(world.channel, "board")
    assert "Tic-tac-toe" in text(world.last) and labels(world.last)


async def test_resigning_what_was_put_away_meanwhile(world: World) -> None:
    """Nobody is asked whether to resign, since that would be refused; `/board` is named."""
    await world.alice.slash(world.channel, "play tictactoe")
    offers = [await world.alice.slash(world.channel, "play nineholes") for _ in range(2)]
    first, second = (offer.response for offer in offers)
    assert first is not None and second is not None
    await world.alice.click(first, label="Put it away")
    assert "is put away" in refused(await world.alice.click(second, label="Resign"))


async def test_a_board_that_is_on_its_way(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new board says that its match is put away."""
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    board, away = world.last, await world.made_up("t:1")
    meanwhile(monkeypatch, lambda: world.begin(world.alice, away, "t:1"))
    await world.press(world.alice, "b2", board)
    assert any("put away" in text(message) for message in world.channel.history())
    assert not world.boards()


async def test_a_match_that_was_taken_over_comes_back_in_any_free_channel(
    world: World, calendar: Calendar
) -> None:
    """Its player's `/board` continues it elsewhere; buttons left on the old board say so."""
    old = await idle(world, calendar)
    offer = await offered(world, world.bob)
    world.keep_old_boards()
    await world.bob.click(offer, custom_id=take(offer))
    await world.bob.slash(world.channel, "play nineholes")
    here, world.channel = world.channel, world.guild.create_text_channel("elsewhere")
    await world.alice.slash(world.channel, "board")
    assert "Tic-tac-toe" in text(world.last) and "Last move: 🔵" in text(world.last)
    square = next(i.split(":")[-1] for i in ids(world.last) if i.startswith("m:"))
    await world.press(world.alice, square)
    assert len((await world.stored()).match.moves) == 4
    lost = await world.alice.click(old, custom_id=next(i for i in ids(old) if i.startswith("m:")))
    assert "another channel" in refused(lost)
    assert "Nine Holes" in text(here.last_message)


async def test_a_member_who_has_left_a_match_does_not_bring_it_back(
    world: World, calendar: Calendar
) -> None:
    """If one of two members plays on against the computer, only that member brings it back.

    The other's `/board` brings back another match that they have put away.
    """
    own, there, free = (world.guild.create_text_channel(name) for name in ("own", "there", "free"))
    await world.bob.slash(own, "play nineholes")
    refusal = await world.bob.slash(own, "play tictactoe")
    await world.bob.click(answer_to(refusal), label="Put it away")
    await world.resign(world.bob, own)
    await world.challenge(game="tribolo")
    await world.resign(world.bob)
    calendar.ahead += 30 * MINUTE
    await world.carol.click(await offered(world, world.carol), label=TAKE)
    assert "Tribolo" not in text(await world.bob.slash(there, "mymatches"))
    assert "Nine Holes" in text(await world.bob.slash(there, "board"))
    await world.resign(world.bob, there)
    assert "No match is being played" in refused(await world.bob.slash(free, "board"))
    assert "Tribolo" in text(await world.alice.slash(free, "board"))


async def test_board_in_a_channel_that_is_not_free(world: World, calendar: Calendar) -> None:
    """It shows the match that is played there, by others or by the asker."""
    await idle(world, calendar)
    offer = await offered(world, world.bob)
    await world.bob.click(offer, label=TAKE)
    other = world.guild.create_text_channel("other")
    await world.carol.slash(other, "play connectfour")
    assert "Connect four" in text(await world.alice.slash(other, "board"))
    await world.resign(world.bob)
    await world.alice.slash(world.channel, "play connectfour")
    assert "Connect four" in text(await world.alice.slash(world.channel, "board"))


async def test_the_player_moves_while_the_channel_is_taken_over(
    world: World, calendar: Calendar
) -> None:
    """The move counts, and the takeover, which looks at the match again, is refused.

    `test_clocks` tests a press that comes after a match was put away.
    """
    board = await idle(world, calendar)
    offer = await offered(world, world.bob)
    square = next(i for i in ids(board) if i.startswith("m:"))
    taken, _ = await world.at_once((world.bob, offer, take(offer)), (world.alice, board, square))
    assert "being played after all" in refused(taken)
    ((moves, away),) = await world.sql("SELECT moves, put_away_at FROM matches")
    assert (len(moves.split()), away) == (4, None)


async def test_two_members_take_a_channel_over_at_once(world: World, calendar: Calendar) -> None:
    """One of them plays there; the other is told who does, even if they come later."""
    await idle(world, calendar)
    members = (world.bob, world.carol, world.bob, world.carol)
    offers = [await offered(world, who) for who in members]
    unnamed = await without_a_game(world, world.carol)
    presses = [(who, one, take(one)) for who, one in zip(members, offers[:2], strict=False)]
    answers = await world.at_once(*presses)
    told = [text(one.followups[-1] if one.followups else one.response) for one in answers]
    refusals = [said for said in told if "already being played in this channel" in said]
    assert len(refusals) == 1 and sum("your move" in said for said in told) == 1
    for offer in (offers[3], unnamed):
        late = await world.carol.click(offer, custom_id=take(offer))
        assert "already being played in this channel" in refused(late)


async def test_a_channel_that_is_free_by_now(world: World, calendar: Calendar) -> None:
    """The match still begins; a member who named no game is told that the channel is free."""
    await idle(world, calendar)
    offer = await offered(world, world.bob)
    unnamed = await without_a_game(world, world.bob)
    await world.resign(world.alice)
    late = await world.bob.click(unnamed, label=TAKE)
    assert "already free" in refused(late)
    await world.bob.click(offer, label=TAKE)
    assert "Nine Holes" in text(world.last) and "**bob**" in text(world.last)


@pytest.mark.parametrize("asked", ["press", "board"])
async def test_only_where_games_may_be_played(
    world: World, calendar: Calendar, mod: MemberActor, asked: str
) -> None:
    """Neither the takeover nor bringing a match back is possible outside of the chosen channels."""
    await idle(world, calendar)
    offer, here = await offered(world, world.bob), world.channel
    elsewhere = world.guild.create_text_channel("elsewhere")
    if asked == "board":
        await world.bob.click(offer, custom_id=take(offer))
    allowed = elsewhere if asked == "press" else here
    await mod.slash(here, "settings set", channels=f"<#{allowed.id}>")
    if asked == "press":
        result = await world.bob.click(offer, custom_id=take(offer))
        assert not (await world.stored()).archived
    else:
        result = await world.alice.slash(elsewhere, "board")
    assert "No games are played" in refused(result)
