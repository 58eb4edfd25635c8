"""The finished matches of a member: newest first, in pages, and opened by a select."""

from simcord.actors import MemberActor

from tests.discord.matches.three import three
from tests.discord.world import World, answer_to, labels, refused, select_of, text


async def test_a_history_lists_and_opens_matches(world: World) -> None:
    """The newest match comes first, with its result for this member; a select opens the replay."""
    await world.played()
    await world.played("b2 a1 b3 a2 b4", rows=4, columns=4, line=3)
    listed = await world.carol.slash(world.channel, "history", member=world.bob)
    assert answer_to(listed).ephemeral
    newest, oldest = [line for line in text(listed).splitlines() if line.startswith("#")]
    # The lines don't say who lost, so the title does.
    assert f"newest first · <@{world.bob.id}>\n" in text(listed)
    assert "Page 1" not in text(listed)
    assert "4×4" in newest and "Lost to **alice**" in newest
    assert "3×3" in oldest and "Lost to **alice** (rating −78)" in oldest
    options = select_of(answer_to(listed))
    assert len(options) == 2 and "alice, bob" in options[0]["label"]
    numbers = [line.split()[0] for line in (newest, oldest)]
    assert numbers == [option["label"].split()[0] for option in options]
    opened = await world.carol.select(answer_to(listed), [options[0]["value"]])
    assert "Move 0 of 5" in text(opened) and "4×4" in text(opened)


async def test_a_name_that_turns_the_text_after_it(world: World) -> None:
    """In the menu, which takes plain text, it doesn't turn the names after it around."""
    dave = world.guild.add_member(world.env.create_user("dave", global_name="\u202eevad"))
    three = {"against": dave, "third": world.bob}
    await world.alice.slash(world.channel, "play tribolo", **three)
    await dave.click(world.last, label="Accept")
    await world.bob.click(world.last, label="Accept")
    for who in (world.alice, dave):
        await who.slash(world.channel, "resign", confirm=True)
    listed = await world.bob.slash(world.channel, "history")
    assert [one["label"] for one in select_of(answer_to(listed))] == [
        "#1 Tribolo: alice, evad, bob"
    ]


async def test_an_empty_history(world: World) -> None:
    """An empty history says whose it is, and how to start a match."""
    await world.carol.slash(world.channel, "play tictactoe")
    await world.resign(world.carol)
    listed = await world.alice.slash(world.channel, "history")
    assert "You haven't finished a match" in refused(listed)
    assert not labels(answer_to(listed))
    others = refused(await world.alice.slash(world.channel, "history", member=world.bob))
    assert f"<@{world.bob.id}> hasn't finished a match" in others and "against" in others


async def test_a_match_without_a_result(world: World, mod: MemberActor) -> None:
    """A match that was called off says so, and one that is being played isn't listed."""
    await world.played("b2")
    assert "haven't finished" in refused(await world.alice.slash(world.channel, "history"))
    await mod.slash(world.channel, "endgame")
    listed = text(await world.alice.slash(world.channel, "history"))
    assert "No result against **bob**" in listed


async def test_a_match_without_a_move_or_a_result(world: World) -> None:
    """One that was restarted at once isn't listed, since there is nothing to see again."""
    await world.alice.slash(world.channel, "play tictactoe")
    await world.alice.slash(world.channel, "restart")
    assert "haven't finished" in refused(await world.alice.slash(world.channel, "history"))
    await world.press(world.alice, "b2")
    await world.alice.slash(world.channel, "restart")
    await world.resign(world.alice)
    listed = text(await world.alice.slash(world.channel, "history"))
    newest, oldest = [line for line in listed.splitlines() if line.startswith("#")]
    assert "Lost to" in newest and "No result against" in oldest


async def test_a_long_history_has_pages(world: World) -> None:
    """Buttons turn pages of ten matches in the same message; a command opens any page."""
    for _ in range(11):
        await world.challenge()
        await world.resign(world.bob)
    listed = await world.bob.slash(world.channel, "history")
    assert "Page 1 of 2" in text(listed) and len(select_of(answer_to(listed))) == 10
    assert select_of(answer_to(listed))[0]["label"].startswith("#11"), "the newest"
    await world.bob.click(answer_to(listed), label="Next")
    assert "Page 2 of 2" in text(listed) and len(select_of(answer_to(listed))) == 1
    beyond = await world.made_up(f"h:{world.bob.id}:999")
    last = await world.bob.click(beyond, custom_id=f"h:{world.bob.id}:999")
    assert "Page 2 of 2" in text(last)
    for page in (2, 3):
        asked = await world.bob.slash(world.channel, "history", page=page)
        assert text(asked) == text(listed)


async def test_a_match_of_three(world: World) -> None:
    """Its line has the member's place, and both other players."""
    await three(world)
    for who in (world.bob, world.carol):
        await world.resign(who)
    listed = text(await world.alice.slash(world.channel, "history"))
    assert "Place 1 of 3 against" in listed and "**bob**" in listed and "**carol**" in listed


async def test_a_hidden_channel_stays_hidden(world: World) -> None:
    """Matches in a channel hidden from the asker are listed but can't be opened."""
    secret = world.channel_for(world.alice)
    await world.alice.slash(secret, "play tictactoe")
    for options in ({}, {"best_line": True}):
        told = refused(await world.bob.slash(world.channel, "replay", match=1, **options))
        assert "can't see" in told and "https" not in told, "not even while it is played"
    await world.resign(world.alice, secret)
    listed = await world.bob.slash(world.channel, "history", member=world.alice)
    value = select_of(answer_to(listed))[0]["value"]
    assert "can't see" in refused(await world.bob.select(answer_to(listed), [value]))
    own = await world.alice.slash(world.channel, "history")
    assert "No move was made" in text(await world.alice.select(answer_to(own), [value]))
