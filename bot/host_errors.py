"""The errors whose text is a sentence for the host; `bot.failures` gives them their exit codes."""


class HostError(Exception):
    """Something that the host asked for wasn't done; it may succeed later."""


class LastingError(HostError):
    """An error that comes again and again until somebody has acted as its text says."""
