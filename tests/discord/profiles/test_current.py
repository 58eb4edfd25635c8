"""/mymatches: the matches that a member plays, and the challenges that wait for their answer."""

from dataclasses import replace

import pytest
from simcord.builders import ChannelHandle

from bot.forms import Form
from bot.i18n import own_texts
from bot.identity import (
    ChannelId,
    Context,
    InvitationId,
    MatchId,
    MemberId,
    MessageId,
    Person,
    Place,
    ServerId,
)
from bot.invitations.model import Guest, Invitation
from bot.invitations.view import asked_line, offered_line
from bot.matches.clock import Timing
from bot.matches.model import StoredMatch
from bot.profiles.lists import current_view
from bot.profiles.model import Current
from core.players import Member
from tests.bot.i18n.catalogue import LANGUAGES
from tests.bot.playing import begin
from tests.conftest import Calendar
from tests.discord.elsewhere import Elsewhere
from tests.discord.limits import LONGEST, check
from tests.discord.matches.three import three
from tests.discord.world import (
    BEGIN,
    World,
    answer_to,
    ids,
    labels,
    newest,
    refused,
    select_of,
    text,
)

YOURS, OTHERS, ASKED = (
    "**Your turn**",
    "**The others' turn**",
    "**Challenges waiting for your answer**",
)
PUT_AWAY = "**Put away**"
OFFERED = "**Waiting for other players**"
NONE = "You aren't playing a match right now. Start one with `/play`. Finished matches: `/history`."


async def begun(world: World, name: str, **options: object) -> ChannelHandle:
    """Let alice and bob begin a match in a new channel; alice moves first."""
    channel = world.guild.create_text_channel(name)
    await world.challenge(channel, **options)
    return channel


async def listed(world: World, name: str = "alice") -> str:
    """Return the private answer to a member's `/mymatches`."""
    return refused(await getattr(world, name).slash(world.channel, "mymatches"))


async def test_mymatches_tells_whose_turn_it_is_where(world: World) -> None:
    """One's own turns come first, each with its opponent, its time and a link to its board."""
    await world.played("b2")
    other = await begun(world, "other", rows=4)
    told = await listed(world)
    mine, theirs = told.index(YOURS), told.index(OTHERS)
    assert mine < told.index("4×4") < theirs < told.index("3×3")
    assert told.count("❌ **alice** vs 🔵 **bob**.") == told.count("Time runs out") == 2
    for board in (newest(other), world.last):
        assert (
            f"https://discord.com/channels/{world.guild.id}/{board.channel.id}/{board.id}" in told
        )
    of_bob = await listed(world, "bob")
    assert of_bob.index(YOURS) < of_bob.index("3×3") < of_bob.index(OTHERS) < of_bob.index("4×4")
    assert await listed(world, "carol") == NONE


async def test_the_most_urgent_comes_first(world: World) -> None:
    """Of one's turns, the first to run out of time comes first; those without a clock come last."""
    await begun(world, "slow", rows=3, clock=259200)
    await begun(world, "endless", rows=4, clock=0)
    await begun(world, "quick", rows=5, clock=3600)
    told = await listed(world)
    assert told.index("5×5") < told.index("3×3") < told.index("4×4")
    assert told.count("Time runs out") == 2


async def test_only_matches_that_one_still_plays(world: World) -> None:
    """Finished and called-off matches aren't listed, nor those that one has left."""
    over = await begun(world, "over")
    await world.resign(world.bob, over)
    await three(world)
    assert "Tribolo" in await listed(world)
    await world.resign(world.alice)
    assert await listed(world) == NONE
    assert "Tribolo" in await listed(world, "bob")


async def test_the_match_that_was_put_away(world: World, calendar: Calendar) -> None:
    """It is listed last, until `/board` brings it back."""
    idle = world.guild.create_text_channel("idle")
    await world.alice.slash(idle, "play tictactoe", rows=4)
    calendar.ahead += 8 * 86_400
    await world.env.advance_time(10)
    await world.alice.slash(world.channel, "play nineholes", against=world.bob)
    told = await listed(world)
    assert told.index("Nine Holes") < told.index(PUT_AWAY) < told.index("4×4")
    assert await listed(world, "bob") != NONE and PUT_AWAY not in await listed(world, "bob")
    await world.alice.slash(idle, "board")
    assert PUT_AWAY not in await listed(world) and YOURS in await listed(world)


async def test_marks_are_words_to_those_who_chose_words(world: World, calendar: Calendar) -> None:
    """So they are in their lists of matches, in a refusal that lists these, and where one was.

    To others they stay emoji.
    """
    await world.alice.slash(world.channel, "settings me", boards="words")
    await begun(world, "other", clock=0)
    board = await world.command(world.alice, "play tictactoe", rows=4)
    calendar.ahead += 8 * 86_400
    await world.env.advance_time(10)
    note, told = text(world.now(board)), await listed(world)
    assert "put away" in note and "X: **alice**, circle: **Computer" in note and "❌" not in note
    assert "X: **alice**, circle: **bob**" in told and "X: **alice**, circle: **Computer" in told
    assert "❌" not in told and "❌ **alice** vs 🔵 **bob**" in await listed(world, "bob")
    await world.alice.slash(world.channel, "board")
    await world.resign(world.alice)
    elsewhere = refused(await world.alice.slash(world.channel, "board"))
    assert "X: **alice**, circle: **bob**" in elsewhere and "❌" not in elsewhere


async def test_each_match_that_was_put_away_can_be_brought_back(world: World) -> None:
    """Of several in one channel, any can be chosen from the list, or named by its number."""
    for game in ("tictactoe", "connectfour", "nineholes"):
        await world.alice.slash(world.channel, f"play {game}")
        await world.alice.slash(world.channel, "board", put_away=True)
    answer = answer_to(await world.alice.slash(world.channel, "mymatches"))
    options = select_of(answer)
    lines = [line for line in text(answer).splitlines() if line.startswith("•")]
    assert [line.split()[1] for line in lines] == [one["label"].split()[0] for one in options]
    assert ["Nine" in lines[0], "Connect" in lines[1], "Tic" in lines[2]] == [True] * 3
    await world.alice.select(answer, [options[2]["value"]])
    assert "Tic-tac-toe" in text(world.last) and "your move" in text(world.last)
    busy = refused(await world.alice.select(answer, [options[1]["value"]]))
    assert "another one is being played" in busy
    await world.resign(world.alice)
    number = int(options[1]["value"])
    assert "no match" in refused(await world.bob.slash(world.channel, "board", match=number))
    await world.command(world.alice, "board", match=number)
    assert "Connect four" in text(world.last)
    left = select_of(answer_to(await world.alice.slash(world.channel, "mymatches")))
    assert [one["value"] for one in left] == [options[0]["value"]]


async def test_mymatches_lists_challenges_that_wait_for_an_answer(world: World) -> None:
    """They are listed for those who are asked, until they have answered."""
    await world.alice.slash(world.channel, "play nineholes", against=world.bob)
    told = await listed(world, "bob")
    assert ASKED in told and "• **alice**: Nine Holes" in told and "Expires <t:" in told
    assert f"/{world.channel.id}/{world.last.id}" in told and OFFERED not in told
    of_alice = await listed(world)
    assert OFFERED in of_alice and ASKED not in of_alice
    assert "• Nine Holes: **alice** vs **bob** (asked). Expires <t:" in of_alice
    assert await listed(world, "carol") == NONE
    await world.bob.click(world.last, label="Decline")
    assert await listed(world, "bob") == await listed(world) == NONE


async def test_mymatches_lists_tables_that_wait_for_players(world: World) -> None:
    """They are listed for their owner and those who have joined, until all seats are taken."""
    await world.alice.slash(world.channel, "play tribolo", open=True)
    assert await listed(world, "bob") == NONE
    await world.bob.click(world.last, label="Join")
    told = await listed(world)
    assert OFFERED in told and "**alice** vs **bob** vs *free seat*." in told
    assert told == await listed(world, "bob")
    await world.carol.click(world.last, label="Join")
    for name in ("alice", "bob", "carol"):
        told = await listed(world, name)
        assert OFFERED not in told and "Tribolo" in told


async def test_many_challenges_hide_no_turn(world: World) -> None:
    """However many ask a member, their turns come first, and the rest is on further pages."""
    await begun(world, "mine", first="opponent")
    for number in range(30):
        channel = world.guild.create_text_channel(f"c{number}")
        challenger = world.guild.add_member(world.env.create_user(f"member{number}"))
        await challenger.slash(channel, "play nineholes", against=world.bob)
    told = await listed(world, "bob")
    assert told.index(YOURS) < told.index("Tic-tac-toe") < told.index(ASKED)
    assert told.count("• ") == 8 and "1 of 4" in told
    beyond = await world.made_up("k:999")
    last = answer_to(await world.bob.click(beyond, custom_id="k:999"))
    assert "4 of 4" in text(last) and "k:2" in ids(last)


async def test_a_match_in_a_thread(world: World) -> None:
    """It is linked like any other, and isn't listed once the thread is deleted."""
    thread = world.thread(world.channel)
    board = await world.challenge(thread)
    assert f"/{world.guild.id}/{thread.id}/{board.id}" in await listed(world)
    world.env.backend.delete_channel(thread.id)
    await world.env.settle()
    assert await listed(world) == NONE


async def test_an_empty_mymatches_leads_to_a_match(world: World) -> None:
    """An empty list has buttons that begin a match."""
    answer = answer_to(await world.carol.slash(world.channel, "mymatches"))
    assert labels(answer) == BEGIN
    await world.carol.click(answer, label="Play the computer")
    assert "What would you like to play" in text(world.private()[-1])


async def test_a_clock_that_stands_still(world: World, calendar: Calendar) -> None:
    """While its server doesn't have the bot, the match is listed without an end of its time."""
    await begun(world, "stopped", clock=3600)
    await world.sql("UPDATE matches SET due_at = NULL")
    await world.sql("UPDATE guilds SET removed_at = 1")
    calendar.ahead += 7200
    told = await listed(world)
    assert YOURS in told and "Time runs out" not in told


async def test_an_expired_challenge_waits_for_nobody(world: World) -> None:
    """It isn't listed, even before its message says that it has expired."""
    await world.alice.slash(world.channel, "play nineholes", against=world.bob)
    await world.sql("UPDATE invitations SET expires_at = 1")
    assert await listed(world, "bob") == NONE


async def test_many_matches_have_pages(world: World) -> None:
    """Eight fit on a page; the buttons turn to the others in place, and a command opens any."""
    for number in range(9):
        channel = world.guild.create_text_channel(f"c{number}")
        await world.alice.slash(channel, "play tictactoe")
    first = answer_to(await world.alice.slash(world.channel, "mymatches"))
    assert text(first).count("• ") == 8 and "1 of 2" in text(first)
    assert labels(first) == ["Back", "Next"]
    second = answer_to(await world.alice.click(first, label="Next"))
    assert text(second).count("• ") == 1 and "2 of 2" in text(second)
    asked = await world.alice.slash(world.channel, "mymatches", page=2)
    assert refused(asked) == text(second)


async def test_an_unreadable_match_hides_no_other(world: World) -> None:
    """A match of a damaged row is left out."""
    broken = await begun(world, "broken")
    await world.challenge()
    await world.sql(f"UPDATE matches SET moves = 'z99' WHERE channel_id = {broken.id}")
    assert (await listed(world)).count("• ") == 1


@pytest.mark.parametrize("context", [Context.BOT_DM, Context.PRIVATE, Context.GUEST])
async def test_all_places_where_the_bot_is_no_member(
    world: World, monkeypatch: pytest.MonkeyPatch, context: Context
) -> None:
    """A server lists its own matches; elsewhere the member sees all of theirs, privately."""
    link = newest(await begun(world, "server", rows=4)).jump_url
    Elsewhere(world, context).begin(monkeypatch)
    await world.alice.slash(world.channel, "play tictactoe", rows=5)
    told = await listed(world)
    assert "4×4" in told and "5×5" in told
    of_bob = await listed(world, "bob")
    assert "4×4" in of_bob and "5×5" not in of_bob
    assert link in of_bob
    assert await listed(world, "carol") == NONE


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_longest_page_fits(language: str) -> None:
    """Matches of three with the longest names, and invitations to such, in every language."""
    names, players = (LONGEST,) * 3, (Member(1), Member(2), Member(3))
    match, texts = begin(*players, game="tribolo", options={"size": "medium"}), own_texts(language)
    late = 10**10
    far = Place(ServerId(2**62), ChannelId(2**62))
    stored = StoredMatch(
        MatchId(1),
        far,
        match,
        names,
        MatchId(1),
        (0.5,) * 3,
        board_id=MessageId(2**62),
        timing=Timing(late),
    )
    guests = tuple(Guest(Person(MemberId(n), LONGEST), agreed=n == 1) for n in (1, 2, 3))
    invitation = Invitation(
        id=InvitationId(1),
        place=far,
        game=match.game,
        options=match.options,
        owner=guests[0].person,
        seats=guests,
        created_at=late,
        expires_at=late,
        message_id=stored.board_id,
    )
    asked, offered = [asked_line(invitation, texts)] * 3, [offered_line(invitation, texts)] * 20
    archived = [replace(stored, id=MatchId(number)) for number in range(10**6, 10**6 + 25)]
    current = Current([stored] * 2, [stored], asked, offered, archived, tournaments=offered)
    for number in range(9):
        for form in Form:
            check(current_view(current, number, [], [], form, texts))
