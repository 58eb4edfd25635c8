"""The settings: defaults, sources, and errors."""

import re
from importlib.metadata import version
from pathlib import Path

import discord
import pytest

from bot.__main__ import main
from bot.failures import ExitCode
from bot.settings import Settings, doubtful
from tests.bot.processes import run_here

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / ".env.example"
TOKEN = "a-secret-that-nobody-reads"


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Isolate the tests from the environment and from any .env file."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def test_settings_are_read_from_a_file() -> None:
    """A .env in the working directory is read, and its other variables are ignored."""
    Path(".env").write_text(
        f"# ours\nDISCORD_TOKEN={TOKEN}\nCHALLENGE_MINUTES=7\nSOMETHING_ELSE=1\n", encoding="utf-8"
    )
    settings = Settings()
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == TOKEN
    assert settings.challenge_minutes == 7


def test_secrets_that_the_log_never_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The token, Sentry's address, and the passwords of database and proxy are never shown."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("SENTRY_DSN", "https://key@sentry.example/1")
    monkeypatch.setenv("DATABASE_URL", "postgresql://rowbot:geheim@127.0.0.1/rowbot")
    monkeypatch.setenv("DISCORD_PROXY", "http://rowbot:s%2Fcr%C3%A9t@[::1]:3128/")
    passwords = ["cm93Ym90OnMvY3LpdA==", "geheim", "s%2Fcr%C3%A9t", "s/crét"]
    assert Settings().secrets() == [TOKEN, "https://key@sentry.example/1", *passwords]


def test_a_proxy_whose_user_is_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Like a password, that user isn't shown in the log."""
    monkeypatch.setenv("DISCORD_PROXY", "http://k%40y-of-mine@proxy.example.org:3128")
    assert Settings().secrets() == ["a0B5LW9mLW1pbmU6", "k%40y-of-mine", "k@y-of-mine"]


def test_who_is_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ids of members and servers have commas between them."""
    monkeypatch.setenv("BLOCKED", "80351110224678912, 1197038712345678901")
    assert Settings().blocked == {80351110224678912, 1197038712345678901}
    monkeypatch.setenv("BLOCKED", " ")
    assert Settings().blocked == frozenset()


def test_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment variable overrides the file."""
    Path(".env").write_text("CHALLENGE_MINUTES=7\n", encoding="utf-8")
    monkeypatch.setenv("CHALLENGE_MINUTES", "8")
    assert Settings().challenge_minutes == 8


@pytest.mark.parametrize("empty", ["", "  "])
def test_an_empty_token_is_none(monkeypatch: pytest.MonkeyPatch, empty: str) -> None:
    """`DISCORD_TOKEN=`, as in .env.example, means no token."""
    monkeypatch.setenv("DISCORD_TOKEN", empty)
    assert Settings().discord_token is None


BAD = {
    "DISCORD_TOKEN": (f"{TOKEN}\n{TOKEN}",),
    "CHALLENGE_MINUTES": ("0", "43201", "soon", ""),
    "RATED_A_DAY": ("-1", "1001", "all"),
    "ERASE_AFTER_DAYS": ("0", "3651"),
    "DATABASE_POOL_SIZE": ("0",),
    "DATABASE_POOL_OVERFLOW": ("-1",),
    "DATABASE_CONNECT_SECONDS": ("61",),
    "DATABASE_STATEMENT_SECONDS": ("0",),
    "BACKUP_KEEP": ("0",),
    "BACKUP_HOUR": ("24",),
    "ENGINE_PROCESSES": ("0", "65"),
    "ENGINE_SECONDS": ("0", "61"),
    "PREVIEW_PORT": ("-1", "70000", "http"),
    "METRICS_PORT": ("65536",),
    "PRIVACY_URL": ("example.org/privacy",),
    "TERMS_URL": ("https://example.org/terms) [x](https://example.com",),
    "LOG_LEVEL": ("LOUD",),
    "SHARDS": ("0-8/8", "3-1/8", "8", "0-3/8"),  # the last is a part, with a file
    "DATABASE_URL": (
        "rowbot.db",
        "",
        "sqlite://",
        "sqlite:///:memory:",
        "mysql://somebody@localhost/rowbot",
        "postgresql+psycopg2://somebody@localhost/rowbot",
        "postgresql://somebody@localhost:port/rowbot",
        "postgresql://somebody@localhost:65536/rowbot",
        f"postgresql://somebody@{'a' * 64}/rowbot",
        "postgresql://somebody:pass@word@localhost/rowbot",
        "sqlite:///%00",
        "sqlite:///rowbot.db?mode=ro",
        "sqlite:///file:rowbot.db",  # SQLite would open another file
    ),
    "DISCORD_PROXY": (
        "proxy.example.org:3128",
        "socks5://proxy.example.org",
        "http://proxy.example.org:70000",
        "http://proxy.example.org/path",
        "http://rowbot:pass#word@proxy.example.org",
        "http://rowbot:pass?word@proxy.example.org",
        "http://rowbot:pass[word@proxy.example.org",
        "http://rowbot:pass\\word@proxy.example.org",
        "http://rowbot:pass€word@proxy.example.org",
        "http://row%3Abot:password@proxy.example.org",
    ),
    "BLOCKED": ("alice", "1234", "80351110224678912,", "80351110224678912 81384788765712384"),
    # The first would open the port to everybody.
    "METRICS_HOST": ("", "localhost:9100", "http://localhost", "a" * 64),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD.items() for value in values]
)
def test_a_bad_value_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    """The program ends with a sentence that starts with the variable and refers to the example.

    Its exit code says that another start would end the same way.
    """
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv(name, value)
    assert main([]) is ExitCode.DONT_RESTART
    said = capsys.readouterr().err
    assert re.fullmatch(rf"{name}: .+ \(see \.env\.example\)\n", said)
    assert not re.search("Value error|pattern|integer", said), "words of pydantic's"
    assert TOKEN not in said


@pytest.mark.parametrize("host", ["0.0.0.0", "::1", "fe80::1%eth0", "localhost", "bot.example"])
def test_an_address_of_a_port(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """The port of metrics is opened on an address of either kind, or by a name."""
    monkeypatch.setenv("METRICS_HOST", host)
    assert Settings().metrics_host == host


def test_every_bad_value_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two bad values are reported together, one line each."""
    monkeypatch.setenv("PREVIEW_PORT", "http")
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    assert main(["migrate"]) is ExitCode.DONT_RESTART
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(":")[0] for line in said] == ["PREVIEW_PORT", "LOG_LEVEL"]


def test_the_preview_speaks_every_language_of_discord(capsys: pytest.CaptureFixture[str]) -> None:
    """`--locale` takes all of Discord's codes, including both for English."""
    for locale in discord.Locale:
        with pytest.raises(SystemExit):
            main(["--locale", str(locale), "migrate"])
        assert "--locale is for the preview" in capsys.readouterr().err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """It is printed with discord.py's version, since a report of a defect needs both."""
    with pytest.raises(SystemExit):
        main(["--version"])
    said = capsys.readouterr().out
    assert said == f"Rowbot {version('rowbot')}, discord.py {discord.__version__}\n"


def test_a_file_that_is_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    """A .env in UTF-16, as Windows' PowerShell writes it, ends the program with a sentence."""
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-16")
    assert main(["migrate"]) is ExitCode.DONT_RESTART
    assert capsys.readouterr().err == ".env can't be read: it isn't text in UTF-8.\n"


@pytest.mark.usefixtures("migrated_sqlite_url")
@pytest.mark.parametrize("line", [f"DISCORD_TOKEN: {TOKEN}", f"DISCORD_TOKEN='{TOKEN}"])
def test_a_line_that_sets_nothing(tmp_path: Path, line: str) -> None:
    """The line is reported once, by its number; its content, perhaps a token, isn't shown."""
    Path(".env").write_text(f"RATED_A_DAY=3\n{line}\n", encoding="utf-8")
    ended = run_here(tmp_path, "migrate")
    assert ended.code is ExitCode.DONE
    (told,) = [said for said in ended.complained.splitlines() if "WARNING" in said]
    assert "could not parse statement starting at line 2" in told
    assert TOKEN not in told


MISSPELT = {
    "DISCORD_TOKN": "DISCORD_TOKEN",
    "DISCORD_BOT_TOKEN": "DISCORD_TOKEN",
    "TOKEN": "DISCORD_TOKEN",
    "DATABASE_URI": "DATABASE_URL",
    "chalenge_minutes": "CHALLENGE_MINUTES",
    "LOGLEVEL": "LOG_LEVEL",
}


@pytest.mark.parametrize("name", MISSPELT)
def test_a_misspelt_setting_in_the_file(name: str) -> None:
    """A misspelt setting in .env is reported with the nearest name, but without its value."""
    Path(".env").write_text(f"RATED_A_DAY=3\n{name}={TOKEN}\n", encoding="utf-8")
    (wrong,) = doubtful()
    meant = MISSPELT[name]
    assert wrong == f"{name.upper()} in .env is no setting; did you mean {meant}?"


def test_a_misspelt_setting_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported as well; the variables of other programs are left alone."""
    monkeypatch.setenv("DISCORD_TOKN", TOKEN)
    (wrong,) = doubtful()
    assert wrong.startswith("DISCORD_TOKN in the environment is no setting;")


def test_other_variables_are_no_misspelt_settings() -> None:
    """A .env that is shared with other programs gives no warning for their variables."""
    others = ("POSTGRES_PASSWORD", "COMPOSE_PROJECT_NAME", "TZ", "PYTHONUNBUFFERED", "HOME", "LANG")
    Path(".env").write_text("".join(f"{name}=1\n" for name in others), encoding="utf-8")
    assert doubtful() == []


def test_the_example_has_no_misspelt_setting() -> None:
    """A copy of the example gives no warning."""
    Path(".env").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    assert doubtful() == []


def test_the_token_stays_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings don't show the token when printed or logged."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    settings = Settings()
    for shown in (repr(settings), str(settings), str(settings.model_dump())):
        assert "discord_token" in shown
        assert TOKEN not in shown
    assert TOKEN not in settings.model_dump_json()


def _documented() -> dict[str, str]:
    """Return the variables of .env.example and their values."""
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_example_has_every_setting() -> None:
    """.env.example has every setting and nothing else, each with its own comment."""
    assert set(_documented()) == {name.upper() for name in Settings.model_fields}
    paragraphs = EXAMPLE.read_text(encoding="utf-8").strip().split("\n\n")[1:]
    assert len(paragraphs) == len(_documented())
    for paragraph in paragraphs:
        *comments, variable = paragraph.splitlines()
        assert comments
        assert all(comment.startswith("# ") for comment in comments)
        assert re.match(r"[A-Z_]+=", variable)


def test_the_example_holds_the_defaults() -> None:
    """Copying .env.example to .env changes nothing."""
    defaults = Settings()
    Path(".env").write_text(EXAMPLE.read_text(encoding="utf-8"), encoding="utf-8")
    assert Settings() == defaults
    for name, field in Settings.model_fields.items():
        default = "" if field.default in (None, frozenset()) else str(field.default)
        assert _documented()[name.upper()] == default


def test_the_example_states_the_limits() -> None:
    """The ranges in .env.example are those of the settings; each number has one, but for ports."""
    limits, told = {}, {}
    for name, field in Settings.model_fields.items():
        rules = {type(rule).__name__: rule for rule in field.metadata}
        if "Ge" in rules and not name.endswith("_port"):
            limits[name.upper()] = (rules["Ge"].ge, rules["Le"].le)
    for paragraph in EXAMPLE.read_text(encoding="utf-8").strip().split("\n\n"):
        if found := re.search(r"\((\d+) to (\d+)\)", paragraph):
            variable = paragraph.splitlines()[-1].partition("=")[0]
            told[variable] = (int(found[1]), int(found[2]))
    assert told == limits
