"""What a check finds."""

from dataclasses import dataclass

_WELL, _WORSE, _AMISS = "✓", "⚠", "✗"


@dataclass(frozen=True)
class Finding:
    """One line of the report: what was looked at, and what is well or what to do."""

    subject: str
    text: str
    sign: str

    @property
    def well(self) -> bool:
        """Whether the bot works as it should."""
        return self.sign != _AMISS

    def __str__(self) -> str:
        return f"{self.sign} {self.subject}: {self.text}"


def well(subject: str, text: str) -> Finding:
    """Return what is as it should be."""
    return Finding(subject, text, _WELL)


def worse(subject: str, text: str) -> Finding:
    """Return what works less well than it could; the host may leave it so."""
    return Finding(subject, text, _WORSE)


def amiss(subject: str, text: str) -> Finding:
    """Return what the host should mend."""
    return Finding(subject, text, _AMISS)
