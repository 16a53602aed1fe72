"""Options of a command line: values that make sense, and others that do not."""

from __future__ import annotations

from random import Random

from dractl.report.formats import COMMANDS, names
from tests.fuzz.words import DIALECTS, GATES, MINORS, NAMES, NUMBERS, TRAPS

__all__ = ["RARE", "REPORT", "RESULT", "Options", "passable"]

RESULT = "result.out"
"""Where ``--output`` writes."""

REPORT = "report.out"
"""Where ``--format FORMAT=FILE`` writes."""

RARE = 0.03


class Options:
    """The options of one case; they are added as they are drawn."""

    def __init__(self, random: Random) -> None:
        """Draw from ``random``."""
        self._random = random
        self._options: list[str] = []

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _option(self, name: str, value: str) -> None:
        # In one word, so that a value that begins with a minus is a value.
        value = passable(value)
        self._options.append(f"{name}={value}")

    def _perhaps(self, probability: float, name: str, value: str) -> None:
        if self._chance(probability):
            self._option(name, value)

    def _flag(self, *names: str) -> None:
        self._options += [name for name in names if self._chance(0.12)]

    def _format(self, command: str) -> None:
        formats = names(COMMANDS[command])
        self._perhaps(0.7, "--format", self._random.choice(formats))
        if command == "validate":
            self._perhaps(0.1, "--format", f"{self._random.choice(formats)}={REPORT}")
        self._perhaps(0.01, "--format", self._random.choice(("sarif", f"x={REPORT}", "", "x")))
        self._output()

    def _share(self) -> None:
        self._flag("--share")
        self._perhaps(
            0.05,
            "--playground",
            self._random.choice(
                ("https://dra.example/play/", "javascript:alert(1)", "", "x#y", "https://a b")
            ),
        )

    def _output(self) -> None:
        self._perhaps(
            0.1,
            "--output",
            self._random.choice((RESULT, RESULT, RESULT, "-", "", ".", "no/such/folder", "0.yaml")),
        )

    def _minor(self, ranges: float = 0.02) -> None:
        self._perhaps(0.6, "--kube-version", self._some_minor(ranges))

    def _some_minor(self, ranges: float = 0.2) -> str:
        one, two = self._random.choice(MINORS), self._random.choice(MINORS)
        if self._chance(RARE):
            return self._random.choice(
                (
                    "1.99",
                    "",
                    "1",
                    "1.37.1",
                    "1.35.4",
                    "1.36.1",
                    "v1.37",
                    "1.37..",
                    "..",
                    "latest",
                    "1.٣٧",
                    "9" * 5000,
                )
            )
        return f"{one}..{two}" if self._chance(ranges) else one

    def _gates_and_labels(self) -> None:
        self._perhaps(0.25, "--feature-gates", self._some_gates())
        self._labels()

    def _labels(self) -> None:
        label = "default:resource.kubernetes.io/admin-access=true"
        self._perhaps(
            0.1,
            "--namespace-labels",
            self._random.choice((label, label, "x", "a:b", ":", "a:b=c,d=e", *TRAPS)),
        )

    def _some_gates(self) -> str:
        pairs = [
            f"{self._random.choice(GATES)}={self._random.choice(('true', 'true', 'false'))}"
            for _ in range(self._random.choice((1, 1, 2, 4)))
        ]
        return ",".join((*pairs, "x=1") if self._chance(RARE) else pairs)

    def _dialect(self, probability: float) -> None:
        self._perhaps(
            probability, "--dialect", self._random.choice((*DIALECTS, "x") if self._chance(0.1) else DIALECTS)
        )

    def _count(self) -> str:
        return str(self._random.choice((0, 1, 3, 20, "", "x", "1.5", -1, 10**9, *NUMBERS[:8])))

    def _words(self) -> tuple[str, ...]:
        return tuple(name for name in NAMES if "\x00" not in name and "\ud83d" not in name)

    def _nonsense(self) -> list[str]:
        """Options that the command may not have, twice, or without a value."""
        return self._random.choice(
            (
                ["--quiet", "--quiet"],
                ["--x"],
                ["--output"],
                ["--help"],
                ["--version"],
                ["-q"],
                ["--"],
                ["--in-place"],
                ["--format", "json"],
                ["-"],
                ["no-such.yaml"],
                [""],
            )
        )


def passable(word: str) -> str:
    """A word as a command line can hold it."""
    return word.replace("\x00", "").encode("utf-8", "surrogatepass").decode("utf-8", "replace")
