"""What a check finds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One line of the report: what was looked at, and what is well or what to do."""

    subject: str
    text: str
    well: bool

    def __str__(self) -> str:
        return f"{'✓' if self.well else '✗'} {self.subject}: {self.text}"


def well(subject: str, text: str) -> Finding:
    """Return what is as it should be."""
    return Finding(subject, text, well=True)


def amiss(subject: str, text: str) -> Finding:
    """Return what the host should mend."""
    return Finding(subject, text, well=False)
