"""Private messages are in the member's language, and public ones in the server's."""

import re
from collections.abc import Awaitable, Iterator, Mapping
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult, to_discord_message

from bot.i18n.pseudo import PSEUDO_LOCALE
from bot.preview import speaking
from tests.conftest import Calendar
from tests.discord.matches.passing import DAY, HOUR, pass_time
from tests.discord.privacy.own_data import erase
from tests.discord.servers.moderating import change
from tests.discord.world import World, ids, labels, refused, text

# Each line of the pseudo-locale is in such brackets.
MARKED, PLAIN = "⟦", re.compile(r"[A-Za-z]{4,}")


@pytest.fixture
def locales() -> Iterator[dict[int, str]]:
    """The locales of members, by id; English for the others. A server has its own."""
    found: dict[int, str] = {}
    with speaking(lambda member_id: found.get(member_id, "en-US")):
        yield found


class Seen:
    """All that was shown: the texts and labels of public messages, and of private answers."""

    def __init__(self, world: World):
        self.public: list[str] = []
        self.private: list[str] = []
        self._world = world
        world.env.backend.subscribers.append(self._note)

    async def act(self, action: Awaitable[InteractionResult]) -> None:
        """Note the private answer to an action."""
        result = await action
        assert result.acknowledged
        for answer in (result.response, *result.followups):
            if answer is not None and answer.ephemeral:
                self.private += [text(answer), *labels(answer)]

    def _note(self, event: str, payload: Mapping[str, Any]) -> None:
        if event in ("MESSAGE_CREATE", "MESSAGE_UPDATE"):
            env, where = self._world.env, (int(payload["channel_id"]), int(payload["id"]))
            message = to_discord_message(env, env.backend.get_message(*where))
            assert not message.flags.ephemeral, "Discord tells nobody of private messages"
            self.public += [text(message), *labels(message)]


async def live(world: World, mod: MemberActor, calendar: Calendar, seen: Seen) -> None:
    """Play, offer, end, look back, ask and be refused, in most of the possible ways."""
    alice, bob, carol, channel = world.alice, world.bob, world.carol, world.channel

    async def say(who: MemberActor, *names: str, **options: Any) -> None:
        for name in names:
            await seen.act(who.slash(channel, name, **options))

    async def press(who: MemberActor, end: str) -> None:
        message, custom_id = next(
            (message, one)
            for message in reversed(channel.history())
            for one in ids(message)
            if one.endswith(f":{end}")
        )
        await seen.act(who.click(message, custom_id=custom_id))

    await say(alice, "play tictactoe", against=bob, clock=HOUR)
    await press(carol, "accept")
    await press(bob, "accept")
    await say(alice, "draw", "draw", "undo")
    await press(bob, "decline")
    await press(alice, "b2")
    await say(bob, "undo", "unrated")
    await press(alice, "a1")
    await press(bob, "a1")
    await say(carol, "moves", "hint", "board", "resign", "settings me", "rules", "help")
    await say(alice, "resign")
    await pass_time(world, calendar, HOUR)
    await say(alice, "replay", "analyse", "share", "profile", "leaderboard", "mydata delete")
    await say(bob, "history", "rematch")
    await say(mod, "settings show", "games")
    await say(bob, "play tribolo", open=True)
    await press(alice, "join")
    await pass_time(world, calendar, DAY)
    await say(alice, "play nineholes", level="easy")
    await say(mod, "endgame")
    await say(alice, "play nineholes", level="easy")
    await pass_time(world, calendar, 30 * DAY)


@pytest.mark.parametrize("own", [True, False])
async def test_every_message_is_in_its_readers_language(
    world: World, mod: MemberActor, calendar: Calendar, locales: dict[int, str], own: bool
) -> None:
    """Nothing public is in the acting member's language, and nothing private in the server's."""
    everybody = (world.alice, world.bob, world.carol, mod)
    if own:
        locales.update({member.id: PSEUDO_LOCALE for member in everybody})
    else:
        await world.sql(
            f"INSERT INTO guild_settings (guild_id, language) VALUES"
            f" ({world.guild.id}, '{PSEUDO_LOCALE}')"
        )
    seen = Seen(world)
    await live(world, mod, calendar, seen)
    marked, plain = (seen.private, seen.public) if own else (seen.public, seen.private)
    assert len(marked) > 30 and len(plain) > 30
    assert [one for one in plain if MARKED in one] == []
    assert [one for one in marked if MARKED not in one and PLAIN.search(one)] == []


async def test_a_moderator_chooses_the_language(world: World, mod: MemberActor) -> None:
    """It is offered by its own name, holds in running matches, and can be left to Discord again."""

    async def offered(typed: str) -> dict[str, str]:
        found = await mod.autocomplete(world.channel, "settings set", "language", typed)
        return {choice["value"]: choice["name"] for choice in found}

    await world.challenge()
    assert len(all_of_them := await offered("")) == 25 and next(iter(all_of_them)) == "discord"
    assert "discord" in await offered("eng") and "en-GB" in await offered("ENG")
    assert await offered("日本") == {"ja": "日本語"}
    assert "🌐 Language: 日本語" in refused(await change(world, mod, language="ja"))
    assert (await world.stored()).language == "ja"
    assert "🌐 Language: Deutsch" in refused(await change(world, mod, language="deutsch"))
    assert (await world.stored()).language == "de"
    assert "I don't know the language" in refused(await change(world, mod, language="xx"))
    assert "🌐 Language: English\n" in refused(await change(world, mod, language="discord"))
    assert (await world.stored()).language == "en-US"


async def test_a_language_is_found_by_each_of_its_names(
    world: World, mod: MemberActor, locales: dict[int, str]
) -> None:
    """It is suggested, and set if it was typed instead of chosen."""
    for own, typed, meant in (
        ("ja", "German", "de"),  # in English
        ("de", "japan", "ja"),  # in part
        ("tr", "ingilizce", "en-GB"),  # in one's own language, which writes it İngilizce
        ("en-US", "cestina", "cs"),  # by its own name, without the accents
        ("fr", "espagnol (amérique latine)", "es-419"),
        (PSEUDO_LOCALE, "Portuguese", "pt-BR"),
    ):
        locales[mod.id] = own
        found = await mod.autocomplete(world.channel, "settings set", "language", typed)
        assert [choice["value"] for choice in found] == [meant], typed
        await change(world, mod, language=typed)
        assert await world.sql("SELECT language FROM guild_settings") == [(meant,)]


async def test_all_channels_are_named_in_ones_own_language(
    world: World, mod: MemberActor, locales: dict[int, str]
) -> None:
    """The word is the one that the settings show."""
    locales[mod.id] = "de"
    await change(world, mod, channels=world.channel.mention)
    await change(world, mod, channels="Überall")
    shown = refused(await mod.slash(world.channel, "settings show"))
    assert "überall" in shown and world.channel.mention not in shown


async def test_a_level_is_found_by_its_english_name(world: World, locales: dict[int, str]) -> None:
    """The level is suggested under its name in the member's language, and accepted as typed."""
    locales[world.alice.id] = "de"
    found = await world.alice.autocomplete(world.channel, "play tictactoe", "level", "har")
    assert [(choice["name"], choice["value"]) for choice in found] == [("schwer", "hard")]
    await world.alice.slash(world.channel, "play tictactoe", level=" Hard ")
    assert "Computer (hard)" in text(world.last)


async def test_a_language_that_could_be_two(world: World, mod: MemberActor) -> None:
    """Both are suggested, and neither is set unasked."""
    found = await mod.autocomplete(world.channel, "settings set", "language", "spanish")
    assert [choice["name"] for choice in found] == ["Español", "Español, LATAM"]
    assert "I don't know the language" in refused(await change(world, mod, language="spanish"))


async def test_a_server_speaks_as_discord_says(world: World, locales: dict[int, str]) -> None:
    """Without a choice of its own it has the language of the server at Discord."""
    world.env.backend.get_guild(world.guild.id).preferred_locale = "fr"
    await world.alice.slash(world.channel, "play tictactoe", against=world.bob)
    await world.bob.click(world.last, custom_id=ids(world.last)[0])
    assert (await world.stored()).language == "fr"
    await world.press(world.alice, "b2")
    assert (await world.stored()).language == "fr"


@pytest.mark.parametrize("again", ["Rematch", "Restart"])
async def test_the_next_match_has_the_language_of_its_time(
    world: World, locales: dict[int, str], again: str
) -> None:
    """A server's change of its language at Discord applies from its next match or rematch on."""
    server = world.env.backend.get_guild(world.guild.id)
    server.preferred_locale = "fr"
    await world.alice.slash(world.channel, "play tictactoe", level="easy")
    if again == "Rematch":
        await world.alice.slash(world.channel, "resign")
        (question,) = world.private()
        await world.alice.click(question, custom_id=ids(question)[0])
    server.preferred_locale = "de"
    assert (await world.stored()).language == "fr"
    await world.alice.slash(world.channel, again.lower())
    assert (await world.stored()).language == "de"


async def test_a_message_that_stays_is_closed_in_the_language_of_the_server(
    world: World, mod: MemberActor
) -> None:
    """An old board, or an erased member's challenge, is closed in the language that was chosen."""
    await change(world, mod, language="de")
    old = await world.command(world.alice, "play tictactoe", level="easy")
    for path in ("/channels/*/messages/*", "/webhooks/*/messages/[0-9]*"):
        world.env.inject_error("DELETE", path, status=403, code=50013, times=None)
        world.env.inject_error("PATCH", path, status=403, code=50013, times=1)
    await world.press(world.alice, "b2")
    world.env.backend.faults[:] = [f for f in world.env.backend.faults if f["times"] is None]
    assert ids(world.now(old))
    await world.press(world.alice, "a1", old)
    assert "veraltet" in text(world.now(old))
    await world.resign(world.alice)
    challenge = await world.command(world.alice, "play tictactoe", against=world.bob)
    await erase(world)
    assert "veraltet" in text(world.now(challenge))
