"""Units of time, in seconds."""

MINUTE, HOUR, DAY = 60, 3600, 86_400
