"""Units of time, in seconds, and the times that members type."""

import re

MINUTE, HOUR, DAY = 60, 3600, 86_400

_DURATION = re.compile(r"(?:([0-9]{1,3})d)?(?:([0-9]{1,4})h)?(?:([0-9]{1,5})m)?")
# https://discord.com/developers/docs/reference#message-formatting, with any style
_TIMESTAMP = re.compile(r"<t:([0-9]{1,12})(?::[A-Za-z])?>")


def read_duration(typed: str) -> int | None:
    """Return the seconds of a duration such as `45m` or `2d 5h`; None for another text."""
    found = _DURATION.fullmatch("".join(typed.casefold().split()))
    if found is None or found.lastindex is None:
        return None
    days, hours, minutes = (int(group or 0) for group in found.groups())
    return days * DAY + hours * HOUR + minutes * MINUTE


def read_timestamp(typed: str) -> int | None:
    """Return the Unix seconds of a timestamp such as Discord shows; None for another text."""
    found = _TIMESTAMP.fullmatch(typed.strip())
    return int(found[1]) if found else None
