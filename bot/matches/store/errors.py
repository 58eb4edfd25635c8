"""What can keep a match from being written."""


class ChannelTakenError(Exception):
    """The channel has a live match."""


class ChangedError(Exception):
    """The database no longer holds what was read."""
