"""The findings of a check."""

from dataclasses import dataclass

_WELL, _WORSE, _AMISS = "✓", "⚠", "✗"


@dataclass(frozen=True)
class Finding:
    """One line of the report: its subject, and either that it is well, or what to do."""

    subject: str
    text: str
    sign: str

    @property
    def well(self) -> bool:
        """Whether there is nothing that the host should mend."""
        return self.sign != _AMISS

    def __str__(self) -> str:
        return f"{self.sign} {self.subject}: {self.text}"


def well(subject: str, text: str) -> Finding:
    """Return the finding that all is as it should be."""
    return Finding(subject, text, _WELL)


def worse(subject: str, text: str) -> Finding:
    """Return the finding that something works, but could work better."""
    return Finding(subject, text, _WORSE)


def amiss(subject: str, text: str) -> Finding:
    """Return the finding of a fault that the host should mend."""
    return Finding(subject, text, _AMISS)
