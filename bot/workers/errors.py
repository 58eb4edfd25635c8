"""The ways in which work in a child process brings no result."""


class NoResultError(Exception):
    """A piece of work in a child process has brought no result."""


class WorkFailedError(NoResultError):
    """The work raised an error, took too long, or lost its process."""


class TooLateError(NoResultError):
    """No place became free while the asker could still be answered."""


class ClosedError(NoResultError):
    """The bot is shutting down: its work in child processes has ended, and none begins."""
