"""Members of tournaments: the last place, leaving, being gone; and what their matches lack."""

import discord
import pytest
from simcord.actors import MemberActor

from tests.conftest import Calendar
from tests.discord.matches.passing import HOUR, pass_time
from tests.discord.privacy.own_data import erase
from tests.discord.tournaments.playing import WIN, Club
from tests.discord.world import BEGIN, answer_to, ids, labels, refused, text


async def test_two_presses_for_the_last_place(club: Club) -> None:
    """One member gets it; the other waits, and moves up when somebody leaves."""
    await club.create(start="button", places=3)
    players = list(club.players.values())
    world = club.world
    await players[0].slash(club.channel, "tournament join")
    await players[1].slash(club.channel, "tournament join")
    message = club.message()
    join = next(i for i in ids(message) if i.endswith(":join"))
    answers = await world.at_once((players[2], message, join), (world.alice, message, join))
    assert sorted("waiting list" in refused(answer) for answer in answers) == [False, True]
    dora = world.guild.add_member(world.env.create_user("dora"))
    told = refused(await dora.slash(club.channel, "tournament join"))
    assert "You're number 2 on the waiting list" in told
    await dora.slash(club.channel, "tournament leave")
    await club.on()
    assert "Waiting for a place" in text(club.message())
    await players[0].slash(club.channel, "tournament leave")
    await club.on()
    assert "3 of 3" in text(club.message())
    assert "Waiting for a place" not in text(club.message())
    again = await players[1].slash(club.channel, "tournament join")
    assert "already joined" in refused(again)


async def test_a_member_who_takes_the_last_place_is_not_told_to_leave_before_the_start(
    club: Club,
) -> None:
    """Taking the last place starts it; earlier members were told that they can leave."""
    await club.create(places=3)
    *others, last = list(club.players.values())[:3]
    joined = [await player.slash(club.channel, "tournament join") for player in (*others, last)]
    until = ["Until the tournament starts" in refused(told) for told in joined]
    assert until == [True, True, False]
    assert "You're in! I'll mention you" in refused(joined[-1])
    assert "**Round 1 of 2**" in text(club.message())


async def test_a_message_has_the_number_that_menus_name(club: Club) -> None:
    """Nothing else distinguishes two tournaments of the same game."""
    for _ in range(2):
        await club.create(start="button")
    told = refused(await club.world.alice.slash(club.channel, "tournament join"))
    assert "Choose one with `tournament`" in told
    offered = await club.world.alice.autocomplete(club.channel, "tournament join", "tournament", "")
    numbers = [choice["name"].partition(":")[0] for choice in offered]
    assert numbers == ["#2", "#1"]
    titles = [text(message).splitlines()[0] for message in club.channel.history()]
    assert [title.rpartition(" · ")[2] for title in titles] == ["#1", "#2"]


async def test_members_on_the_waiting_list_at_the_start(club: Club) -> None:
    """During the first round the message names the members for whom no place became free."""
    await club.create(start="button", places=3)
    await club.join_all()
    await club.world.alice.slash(club.channel, "tournament join")
    await club.organiser.slash(club.channel, "tournament start")
    await club.on()
    assert "No place became free for **alice**." in text(club.message())
    left = await club.world.alice.slash(club.channel, "tournament leave")
    assert "You aren't in this tournament." in refused(left)
    await club.play_all()
    await club.on()
    assert "Round 2" in text(club.message()) and "alice" not in text(club.message())


async def test_leaving_a_tournament_while_it_is_played(club: Club) -> None:
    """It takes a second press. The member's game is lost, and the others play on."""
    (game,) = await club.begin(format="round_robin")
    leaver, other = await club.seated(game)
    asked = await leaver.click(club.message(), label="Leave")
    question = refused(asked)
    assert "can't be undone" in question and "`/tournament leave confirm: True`" in question
    await club.on()
    assert club.boards(game), "the game goes on until the answer"
    await leaver.click(answer_to(asked), label="Yes, withdraw")
    assert "have withdrawn" in text(club.world.now(answer_to(asked)))
    assert not labels(club.world.now(answer_to(asked)))
    assert f"**{leaver.name}** (withdrawn)" in text(club.message()), "at once"
    await club.on()
    assert "resigned" in text(game.history()[-1])
    assert f"**{leaver.name}** (withdrawn)" in text(club.message())
    assert "already withdrawn" in refused(await leaver.slash(club.channel, "tournament leave"))
    await club.play_all()
    await club.on()
    assert "is over" in text(club.channel.last_message)
    assert "over" in refused(await leaver.slash(club.channel, "tournament leave"))
    assert other.name in text(club.message())


async def test_confirmed_by_command(club: Club) -> None:
    """`confirm` answers the questions about withdrawing and cancelling; rights stay as they are."""
    (game,) = await club.begin(format="round_robin")
    leaver, other = await club.seated(game)
    told = refused(await leaver.slash(club.channel, "tournament leave", confirm=True))
    assert "have withdrawn" in told
    assert f"**{leaver.name}** (withdrawn)" in text(club.message())
    cancel = "tournament cancel"
    assert "olga" in refused(await other.slash(club.channel, cancel, confirm=True))
    told = refused(await club.organiser.slash(club.channel, cancel, confirm=True))
    assert "cancelled" in told
    await club.on()
    assert "was cancelled" in text(club.message())


async def _details(club: Club, asker: MemberActor) -> str:
    """Return the pages of a tournament's details."""
    pages = [await asker.slash(club.channel, "tournament show", page=n) for n in range(1, 5)]
    return "\n".join(text(answer_to(page)) for page in pages)


async def test_an_organiser_takes_a_player_out(club: Club) -> None:
    """Before the start they may join again. Later it takes a second press, and their game is lost.

    Everybody sees in the trace who did it, also before the start, until that member is erased.
    """
    await club.create(format="round_robin", start="button")
    await club.join_all()
    player, stranger = next(iter(club.players.values())), club.world.alice
    alone = await player.slash(club.channel, "tournament drop", member=club.organiser)
    assert "Only olga" in refused(alone)
    told = await club.organiser.slash(club.channel, "tournament drop", member=player)
    assert f"**{player.name}** is out of the tournament." in refused(told)
    await club.on()
    assert "2 of 3" in text(club.message())
    taken_out = f"**olga** took **{player.name}** out of the tournament."
    assert taken_out in await _details(club, stranger)
    assert "You're in!" in refused(await player.slash(club.channel, "tournament join"))
    await club.organiser.slash(club.channel, "tournament start")
    await club.on()
    (game,) = club.games()
    gone, _ = await club.seated(game)
    asked, twice = [
        await club.organiser.slash(club.channel, "tournament drop", member=gone) for _ in range(2)
    ]
    assert f"Take **{gone.name}** out of the tournament? They lose" in refused(asked)
    await club.on()
    assert club.boards(game)
    await club.organiser.click(answer_to(asked), label="Yes, take out")
    assert f"**{gone.name}** is out of the tournament." in text(asked)
    await club.on()
    final = text(game.history()[-1])
    assert f"The organiser or a moderator took ❌ **{gone.name}** out" in final
    assert f"**{gone.name}** (withdrawn)" in text(club.message())
    for member in (gone, stranger):
        told = await club.organiser.slash(
            club.channel, "tournament drop", member=member, confirm=True
        )
        assert refused(told) == f"{member.name} isn't in this tournament."
    noted = await _details(club, stranger)
    assert taken_out in noted and f"**olga** took **{gone.name}** out of the tournament." in noted
    await erase(club.world, gone)
    again = await club.organiser.click(answer_to(twice), label="Yes, take out")
    assert "a former player isn't in this tournament" in refused(again).lower()
    await club.cancel()
    told = await club.organiser.slash(club.channel, "tournament drop", member=player)
    assert "is over" in refused(told)
    await erase(club.world, club.organiser)
    noted = await _details(club, stranger)
    assert f"**{player.name}** was taken out by the organiser or a moderator." in noted


async def test_the_pages_of_a_tournament_have_a_pace_too(club: Club) -> None:
    """A member who asks for them without end has to wait, as for all lists; others needn't."""
    await club.create()
    player = next(iter(club.players.values()))
    for _ in range(31):
        shown = await player.slash(club.channel, "tournament show")
    assert "a lot in a short time" in refused(shown)
    assert "a lot" not in text(await club.organiser.slash(club.channel, "tournament show"))


async def test_leaving_between_games(club: Club) -> None:
    """A member without a game at the moment isn't told that one would be lost."""
    (game,) = await club.begin(format="round_robin")
    seated = [player.id for player in await club.seated(game)]
    (idle,) = (player for player in club.players.values() if player.id not in seated)
    asked = await idle.click(club.message(), label="Leave")
    assert "lose" not in refused(asked)
    await idle.click(answer_to(asked), label="Yes, withdraw")
    done = text(club.world.now(answer_to(asked)))
    assert "have withdrawn" in done and "lose" not in done


async def test_members_who_are_gone(club: Club, calendar: Calendar) -> None:
    """Nobody waits for members who have left the server or never move."""
    players = list(club.players.values())
    await club.create(format="round_robin", clock=HOUR, start="button", places=4)
    await club.join_all()
    extra = club.world.alice
    await extra.slash(club.channel, "tournament join")
    club.players[extra.id] = extra
    club.world.guild.remove_member(players[0])
    await club.organiser.slash(club.channel, "tournament start")
    await club.on()
    entered = await club.world.sql("SELECT user_id FROM tournament_entrants ORDER BY number")
    assert players[0].id not in [user for (user,) in entered] and len(entered) == 3
    for _ in range(4):
        await pass_time(club.world, calendar, HOUR)
        await club.on()
    assert "is over" in text(club.channel.last_message)
    notes = await club.world.sql("SELECT kind FROM tournament_notes")
    assert notes and {kind for (kind,) in notes} == {"gone"}


async def test_a_player_who_leaves_the_server_during_a_round(club: Club) -> None:
    """They aren't paired again, even if they were there when the round began."""
    (game,) = await club.begin(format="swiss")
    winner, loser = await club.seated(game)
    await club.play(game, WIN[:-1])
    club.world.guild.remove_member(loser)
    await club.play(game, WIN[-1:])
    await club.on()
    assert f"**{loser.name}** (withdrawn)" in text(club.message())
    (game,) = club.games()
    assert winner in await club.seated(game)


@pytest.mark.parametrize(
    ("moves", "gone"), [([], 0), (["b2"], 1), (["b2", "a1"], None)], ids=["first", "second", "none"]
)
async def test_a_player_who_never_moves_reads_that_they_are_out(
    moves: list[str], gone: int | None, club: Club, calendar: Calendar
) -> None:
    """Otherwise they'd wait for their next game; a player who moved has only lost this one.

    They also read that the organiser may be able to bring them back.
    """
    (game,) = await club.begin(format="swiss", clock=HOUR)
    seated = await club.seated(game)
    await club.play(game, moves)
    await pass_time(club.world, calendar, HOUR)
    await club.on()
    final = text(game.history()[-1])
    assert "ran out of time" in final
    told = [f"**{one.name}** never moved, and is withdrawn" in final for one in seated]
    assert told == [seat == gone for seat in (0, 1)]
    undone = "`/tournament show` tells the organiser how."
    assert (undone in final) == (gone is not None)
    assert text(club.message()).count("(withdrawn)") == (gone is not None)


async def test_a_tournament_match_has_no_undo_hint_or_rematch(club: Club) -> None:
    """It has no undo, hint, restart, rematch or agreement to play unrated; each refusal says why.

    To begin another match in its thread, players can only resign it.
    """
    (game,) = await club.begin(format="round_robin")
    await club.play(game, ["a1", "b1"])
    player, _ = await club.seated(game)
    said = {name: refused(await player.slash(game, name)) for name in ("undo", "hint", "restart")}
    said["unrated"] = refused(await player.slash(game, "unrated"))
    busy = await player.slash(game, "play tictactoe")
    assert "already being played" in refused(busy)
    assert labels(answer_to(busy)) == ["Resign"]
    await player.click(answer_to(busy), label="Resign")
    assert "Resign this match?" in text(club.world.now(answer_to(busy)))
    await club.play(game, ["a2", "b2", "a3"])
    again = await player.slash(game, "rematch")
    said["rematch"] = refused(again)
    over = refused(await player.slash(game, "move", where="c3"))
    assert "This match is over.\nThere are no rematches or restarts in a tournament." in over
    assert "taken back" in said["undo"] and "no hints" in said["hint"]
    assert "no rematches or restarts in a tournament.\n→ [The board](" in said["restart"]
    assert "restarts in a tournament.\n→ [The board]" in said["rematch"]
    assert labels(answer_to(again)) == BEGIN
    assert "when it was created" in said["unrated"]


async def test_a_forced_win_in_a_tournament(club: Club) -> None:
    """The board says so without the advice to take turns going first, which is impossible there."""
    (game,) = await club.begin(format="round_robin", variant="torus")
    await club.play(game, ["a1"])
    (board,) = club.boards(game)
    assert "can force a win by move" in text(board) and "Take turns" not in text(board)


async def test_only_members_with_the_role_join(club: Club) -> None:
    """Only members with the role join; the organiser's message doesn't notify them."""
    role = club.world.guild.create_role("club")
    member = club.world.guild.add_member(club.world.env.create_user("dora"), roles=[role])
    await club.create(role=role, start="button")
    (player, *_) = club.players.values()
    assert "**club**" in refused(await player.slash(club.channel, "tournament join"))
    assert "You're in" in refused(await member.slash(club.channel, "tournament join"))


async def test_a_role_that_was_deleted(club: Club) -> None:
    """Nobody can join any more, and is told why; those who have joined can play."""
    role = club.world.guild.create_role("club")
    await club.create(role=role, start="button")
    for player in club.players.values():
        club.world.env.backend.add_member_role(club.world.guild.id, player.id, role.id)
    await club.join_all()
    club.world.env.backend.delete_role(club.world.guild.id, role.id)
    late = club.world.guild.add_member(club.world.env.create_user("dora"))
    told = refused(await late.slash(club.channel, "tournament join"))
    assert "was deleted, so nobody else can join" in told
    await club.organiser.slash(club.channel, "tournament start")
    await club.on()
    assert club.games()


async def test_a_tournament_for_everyone(club: Club) -> None:
    """The role @everyone is no condition, so the message doesn't name it."""
    await club.create(role=club.world.guild.default_role, start="button")
    assert "<@&" not in text(club.message())
    (player, *_) = club.players.values()
    assert "You're in" in refused(await player.slash(club.channel, "tournament join"))


async def test_the_defaults_of_the_server(club: Club, mod: MemberActor) -> None:
    """A tournament has the server's language, and its clock if none is named."""
    await mod.slash(club.channel, "settings set", language="de", clock=HOUR)
    await club.create(start="button")
    assert "Turnier" in text(club.message())
    await club.create(start="button", clock=4 * HOUR)
    clocks = await club.world.sql("SELECT clock FROM tournaments ORDER BY id")
    assert clocks == [(HOUR,), (4 * HOUR,)]


async def test_members_who_may_not_run_a_tournament_are_refused(club: Club) -> None:
    """Creating takes a permission, starting and cancelling the organiser; others are refused."""
    (player, *_) = club.players.values()
    told = refused(await player.slash(club.channel, "tournament create tictactoe"))
    assert "*Manage Events*" in told
    nowhere = refused(await player.slash(club.channel, "tournament show"))
    assert "no tournament" in nowhere
    for wrong, what in (
        ({"places": 2}, "3–256"),
        ({"places": 33, "format": "round_robin"}, "3–32"),
        ({"rounds": 3}, "Swiss"),
    ):
        assert what in refused(await club.create(**wrong))
    await club.create(start="button")
    assert "olga" in refused(await player.slash(club.channel, "tournament start"))
    assert "olga" in refused(await player.slash(club.channel, "tournament cancel"))
    few = await club.organiser.slash(club.channel, "tournament start")
    assert "at least 3" in refused(few)
    asked = await club.organiser.slash(club.channel, "tournament cancel")
    await club.on()
    assert "was cancelled" not in text(club.message())
    await club.organiser.click(answer_to(asked), label="Yes, cancel the tournament")
    told = text(club.world.now(answer_to(asked)))
    assert told == "🛑 This tournament was cancelled.", "no game was being played"
    await club.on()
    assert "was cancelled" in text(club.message())
    shown = text(await player.slash(club.channel, "tournament show"))
    assert "Organised by **olga**" in shown and "was cancelled" in shown
    assert "starts" not in shown and "Places" not in shown, "it waits for nothing any more"
    assert "over" in refused(await player.slash(club.channel, "tournament join"))


async def test_an_organiser_who_was_erased(club: Club) -> None:
    """Nobody waits for the former player: the message and refusals name moderators instead."""
    await club.create(start="button")
    assert "olga" in text(club.message())
    await erase(club.world, club.organiser)
    await club.on()
    assert "olga" not in text(club.message())
    (player, *_) = club.players.values()
    told = refused(await player.slash(club.channel, "tournament start"))
    assert "to run this tournament. Ask a moderator" in told
    assert "It starts when a moderator presses *Start*" in text(club.message())


async def test_an_organiser_who_may_not_organise_any_more(club: Club, mod: MemberActor) -> None:
    """They have lost the role for it; moderators go on running the tournament."""
    await club.begin(format="round_robin")
    guild = club.world.env.backend.guilds[club.world.guild.id]
    (role,) = [role for role in guild.roles.values() if role.name == "organisers"]
    club.world.env.backend.remove_member_role(guild.id, club.organiser.id, role.id)
    assert "to run this tournament. Ask a moderator" in await club.correct("first")
    told = refused(await club.organiser.slash(club.channel, "tournament cancel"))
    assert "to run this tournament. Ask a moderator" in told
    entered = await mod.slash(club.channel, "tournament result", game="1.1.1", result="first")
    assert "The result is entered" in refused(entered)


async def test_an_organiser_of_one_channel(club: Club) -> None:
    """A member who may manage only the tournament's channel runs it from other channels, too."""
    world = club.world
    dora = world.guild.add_member(world.env.create_user("dora"))
    may = discord.PermissionOverwrite(manage_channels=True)
    club.organiser, club.channel = (
        dora,
        world.guild.create_text_channel("own", overwrites={dora: may}),
    )
    await club.create(start="button")
    await club.join_all()
    told = await dora.slash(world.channel, "tournament start", tournament="1")
    assert "has started" in refused(told)


async def test_channels_without_games(club: Club) -> None:
    """The refusal of an unknown word doesn't suggest another unknown one; forums hold no boards.

    Nobody is told to list the channel of a thread so that the thread counts too, as in /settings.
    """
    assert "everywhere" not in refused(await club.create(channels="game"))
    forum = club.world.guild.create_forum_channel("forum")
    category = club.world.guild.create_category("category")
    for channel in (forum, category, club.world.thread(club.channel)):
        assert "List text channels." in refused(await club.create(channels=f"<#{channel.id}>"))
    assert await club.world.sql("SELECT count(*) FROM tournaments") == [(0,)]


async def test_channels_of_others(club: Club) -> None:
    """A member who may create tournaments in one channel can't have games played in another."""
    guild, elsewhere = club.world.guild, club.another("elsewhere")
    here = guild.add_member(club.world.env.create_user("hera"))
    may = discord.PermissionOverwrite(manage_events=True)
    club.channel, club.organiser = guild.create_text_channel("hers", overwrites={here: may}), here
    told = refused(await club.create(channels=elsewhere.mention))
    assert told.startswith("You need the permission *Manage Channels*")
    assert await club.world.sql("SELECT count(*) FROM tournaments") == [(0,)]
    await club.create(channels=club.channel.mention)
    assert await club.world.sql("SELECT count(*) FROM tournaments") == [(1,)]


async def test_a_tournament_in_a_hidden_channel(club: Club) -> None:
    """Members who don't see its channel can't join or learn of it; those who joined can leave."""
    elsewhere = club.another("elsewhere")
    inside, outside, _ = club.players.values()
    club.channel = club.world.channel_for(club.world.me, club.organiser, inside)
    await club.create()
    for given in ({}, {"tournament": "1"}):
        for command in ("join", "show"):
            told = await outside.slash(elsewhere, f"tournament {command}", **given)
            assert "There is no tournament here" in refused(told)
    for who, names in ((inside, ["1"]), (outside, [])):
        offered = await who.autocomplete(elsewhere, "tournament show", "tournament", "")
        assert [choice["value"] for choice in offered] == names
    await inside.slash(elsewhere, "tournament join")
    club.world.env.backend.delete_overwrite(club.channel.id, inside.id)
    left = await inside.slash(elsewhere, "tournament leave", tournament="1")
    assert "You have left" in refused(left)


async def test_missing_permissions_are_named_before_a_tournament_begins(club: Club) -> None:
    """They are named before it begins, and no thread is opened; without threads it needs fewer."""
    guild = club.world.guild
    narrow = discord.PermissionOverwrite(create_public_threads=False)
    club.channel = guild.create_text_channel("narrow", overwrites={guild.default_role: narrow})
    told = refused(await club.create())
    assert "Create Public Threads" in told and "with `channels` needs no threads" in told
    silent = discord.PermissionOverwrite(create_public_threads=False, send_messages=False)
    other = guild.create_text_channel("silent", overwrites={guild.default_role: silent})
    told = refused(await club.organiser.slash(other, "tournament create tictactoe"))
    assert "Create Public Threads" in told and "needs no threads" not in told
    assert await club.world.sql("SELECT count(*) FROM tournaments") == [(0,)]
    await club.create(channels=club.channel.mention)
    assert await club.world.sql("SELECT count(*) FROM tournaments") == [(1,)]


async def test_created_in_a_thread(club: Club) -> None:
    """A thread can't have the threads of its games; a tournament in named channels can be there."""
    halls, club.channel = club.channel, club.world.thread(club.channel)
    assert "needs a text channel" in refused(await club.create())
    assert await club.world.sql("SELECT count(*) FROM tournaments") == [(0,)]
    await club.create(channels=halls.mention)
    assert await club.world.sql("SELECT count(*) FROM tournaments") == [(1,)]


async def test_a_start_without_permissions(club: Club) -> None:
    """The permissions lost since the creation are named, and the tournament isn't started."""
    await club.create(start="button")
    await club.join_all()
    club.deny(club.channel, create_public_threads=True)
    told = refused(await club.organiser.slash(club.channel, "tournament start"))
    assert "Create Public Threads" in told
    assert await club.world.sql("SELECT stage FROM tournaments") == [("open",)]


async def test_members_who_may_not_start_a_tournament_are_not_sent_for_permissions(
    club: Club,
) -> None:
    """That only the organiser may, or that it has started, comes before what the bot lacks."""
    player = next(iter(club.players.values()))
    await club.create(start="button")
    await club.join_all()
    club.deny(club.channel, create_public_threads=True)
    pressed = await player.click(club.message(), label="Start")
    assert "Only olga" in refused(pressed)
    club.deny(club.channel)
    await club.organiser.slash(club.channel, "tournament start")
    club.deny(club.channel, create_public_threads=True)
    again = await club.organiser.slash(club.channel, "tournament start")
    assert "already started" in refused(again)


async def test_members_who_may_not_create_a_tournament_are_not_sent_to_another_channel(
    club: Club, mod: MemberActor
) -> None:
    """Where no games are played, only those who may are told where: others can't do it there."""
    player = next(iter(club.players.values()))
    await mod.slash(club.channel, "settings set", channels=club.world.channel.mention)
    told = refused(await player.slash(club.channel, "tournament create tictactoe"))
    assert "*Manage Events*" in told and "Play in" not in told
    assert "Play in" in refused(await club.create())


async def test_several_tournaments_in_one_channel(club: Club) -> None:
    """Nobody joins, leaves or cancels another one than they mean."""
    player, of_one, *_ = club.players.values()
    await club.begin(format="round_robin")
    await club.create(start="button", places=4)
    await player.slash(club.channel, "tournament join")
    joined = "SELECT tournament_id FROM tournament_entrants WHERE number IS NULL"
    assert await club.world.sql(joined) == [(2,)], "one alone can be joined"
    for channel in (club.channel, club.world.channel):
        games = await club.organiser.autocomplete(channel, "tournament result", "game", "")
        assert [one["value"] for one in games] == ["1.1.1"], "one alone has results"
    await of_one.slash(club.world.channel, "tournament join")
    assert await club.world.sql(joined) == [(2,), (2,)], "from elsewhere, too"
    await of_one.slash(club.channel, "tournament leave", tournament="2")
    for command in ("leave", "show"):
        asked = await player.slash(club.channel, f"tournament {command}")
        assert "several tournaments" in refused(asked)
    asked = await player.slash(club.channel, "tournament leave", tournament="1")
    assert "can't be undone" in refused(asked)
    await club.create(start="button", places=4)
    asked = await club.organiser.slash(club.channel, "tournament cancel")
    assert "several tournaments" in refused(asked)
    for command in ("join", "start"):
        asked = await club.organiser.slash(club.channel, f"tournament {command}")
        assert "several tournaments" in refused(asked)


async def test_a_moderator_runs_a_tournament_of_another(club: Club, mod: MemberActor) -> None:
    """They may start it, enter a result and cancel it like its organiser, but players may not."""
    await club.create(format="round_robin", start="button")
    await club.join_all()
    (player, *_) = club.players.values()
    assert "Only" in refused(await player.slash(club.channel, "tournament start"))
    assert "Only" not in refused(await mod.slash(club.channel, "tournament start"))
    await club.on()
    result = {"game": "1.1.1", "result": "first"}
    told = refused(await mod.slash(club.channel, "tournament result", **result))
    assert "The result is entered" in told
    asked = await mod.slash(club.channel, "tournament cancel")
    await mod.click(answer_to(asked), label="Yes, cancel the tournament")
    assert await club.world.sql("SELECT stage FROM tournaments") == [("cancelled",)]


async def test_a_member_is_told_how_they_stand(club: Club) -> None:
    """`/mymatches` lists tournaments in which they wait, and `show` tells it above all else.

    They wait for a place, for the start, and with a bye; a match that is being played lists itself.
    """
    await club.create(start="button", format="knockout", places=3)
    first, *_ = players = list(club.players.values())
    alice = club.world.alice

    async def told(who: MemberActor) -> tuple[str, str]:
        mine = refused(await who.slash(club.world.channel, "mymatches"))
        return mine, refused(await who.slash(club.channel, "tournament show"))

    await club.join_all()
    await alice.slash(club.channel, "tournament join")
    assert "🏆 **Tournaments**" in (await told(first))[0]
    assert "#1 · It starts when" in (await told(first))[0]
    assert f"/{club.channel.id}/{club.message().id}" in (await told(first))[0], "a link to it"
    assert all("You're first on the waiting list" in one for one in await told(alice))
    await club.organiser.slash(club.channel, "tournament start")
    await club.on()
    (game,) = club.games()
    seated = await club.seated(game)
    (resting,) = [one for one in players if one not in seated]
    mine, shown = await told(resting)
    assert "#1 · **Round 1 of 2** · You have no game right now." in mine
    assert "➡️ You have no game right now." in shown
    mine, shown = await told(seated[0])
    assert "Tournaments" not in mine and f"➡️ **{seated[0].name}" in shown
    mine, shown = await told(alice)
    assert "You aren't playing a match" in mine and "➡️" not in shown
    await club.play(game)
    await club.on()
    mine, shown = await told(seated[1])
    assert "You aren't playing a match" in mine and "➡️ You are out." in shown
