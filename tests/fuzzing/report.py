"""The report of a seed: what happened, and what is wrong."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

# A finding comes with this number of acts before it.
_ACTS_BEFORE = 40


@dataclass
class Report:
    """The `acts` of a seed, counts of what happened, and what is `wrong`.

    Each line of `wrong` begins with its kind, and comes with the acts before it. `log` is the bot's
    log.
    """

    seed: int
    seconds: float = 0.0
    acts: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, list[str]] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    # Called with each act as it comes.
    on_act: list[Callable[[str], object]] = field(default_factory=list)

    def tell(self, act: str) -> None:
        """Note what somebody does, or what happens."""
        told = f"{self.counts['steps']}: {act}"
        self.acts.append(told)
        for call in self.on_act:
            call(told)

    def find(self, *lines: str) -> None:
        """Note what is wrong, once."""
        for line in lines:
            if line not in self.wrong:
                self.wrong[line] = self.acts[-_ACTS_BEFORE:]
                self.tell(f"WRONG {line}")

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report, for a person to read."""
        for line, before in self.wrong.items():
            yield line
            yield from (f"    {act}" for act in before)
        kinds = Counter(line.partition(":")[0] for line in self.wrong)
        yield f"seed {self.seed}: {self.told()}: {len(self.wrong)} wrong {dict(kinds)}"

    def told(self) -> str:
        """Return how much happened."""
        return f"{len(self.acts)} acts in {self.seconds:.0f} s, {dict(self.counts)}"
