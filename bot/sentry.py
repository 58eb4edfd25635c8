"""Reporting errors to Sentry, if the host wants it, without names, tokens and variables' values."""

import logging
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from bot.host_errors import LastingError
from bot.logs import Redact, subject

if TYPE_CHECKING:
    from sentry_sdk.types import Breadcrumb, BreadcrumbHint, Event, Hint

log = logging.getLogger(__name__)

MISSING = "SENTRY_DSN is set, but its package is missing: .venv/bin/pip install -e '.[sentry]'"


def start_sentry(dsn: str, redact: Redact, **options: Any) -> None:
    """Send every logged error to `dsn`; `options` are those of the SDK. Raises LastingError."""
    if find_spec("sentry_sdk") is None:
        log.warning(MISSING)
        return
    import sentry_sdk

    _check(dsn)

    def send(event: "Event", _: "Hint") -> "Event":
        event.setdefault("tags", {}).update({k: str(v) for k, v in subject().items()})
        return cast("Event", _scrubbed(event, redact))

    def note(crumb: "Breadcrumb", _: "BreadcrumbHint") -> "Breadcrumb":
        return cast("Breadcrumb", _scrubbed(crumb, redact))

    sentry_sdk.init(
        dsn,
        release=f"rowbot@{version('rowbot')}",
        include_local_variables=False,  # names of members, and tokens
        include_source_context=True,
        max_request_body_size="never",
        auto_enabling_integrations=False,  # these would report SQL and addresses
        before_send=send,
        before_breadcrumb=note,
        **options,
    )


def _check(dsn: str) -> None:
    from sentry_sdk.utils import Dsn

    try:
        Dsn(dsn)
    except ValueError as error:
        raise LastingError(
            f"SENTRY_DSN: {error}. Copy it from the settings of your project at Sentry."
        ) from error


def _scrubbed(value: Any, redact: Redact) -> Any:
    """Return a value of JSON with all its texts redacted."""
    if isinstance(value, dict):
        return {key: _scrubbed(inner, redact) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_scrubbed(inner, redact) for inner in value]
    return redact(value) if isinstance(value, str) else value
