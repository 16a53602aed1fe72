"""What a check of a driver comes out with: facts, readings of limits and counts; values only."""

from __future__ import annotations

from dractl.api.json_types import JsonDict
from dractl.api.release import Minor
from dractl.finding import Location, Severity
from dractl.lint.report import location_document
from dractl.records import NamedTuple

__all__ = ["SCHEMA", "Counts", "DriverCheck", "Fact", "Headroom", "Reading"]

SCHEMA = "dractl.driver-check/1"


class Fact(NamedTuple):
    """One thing that a check found, once for all places and minors in which it is so.

    ``minors`` is empty for what does not depend on the minor. ``rule`` is the id of the rule or lint behind
    it, if there is one. ``details`` are the single cases behind a message that counts them.
    """

    check: str
    severity: Severity
    message: str
    hint: str = ""
    minors: tuple[Minor, ...] = ()
    places: tuple[Location, ...] = ()
    details: tuple[str, ...] = ()
    rule: str = ""

    def to_dict(self) -> JsonDict:
        """The entry of the JSON document."""
        return {
            "check": self.check,
            "severity": self.severity.value,
            "message": self.message,
            "hint": self.hint,
            "rule": self.rule or None,
            "kubeVersions": [minor.version for minor in self.minors],
            "locations": [location_document(place) for place in self.places],
            "details": list(self.details),
        }


class Reading(NamedTuple):
    """How much of a limit is used where it is used most, in ``minors``."""

    used: int
    most: int
    where: str
    minors: tuple[Minor, ...]

    @property
    def left(self) -> int:
        """How much more fits; negative if it is too much already."""
        return self.most - self.used


class Headroom(NamedTuple):
    """A limit of the API server with its readings, that of the newest minor first."""

    limit: str
    noun: str
    owner: str
    is_main: bool
    readings: tuple[Reading, ...]

    @property
    def newest(self) -> Reading:
        """The reading for the newest minor."""
        return self.readings[0]

    @property
    def is_exceeded(self) -> bool:
        """Whether the limit is exceeded in some minor."""
        return any(reading.left < 0 for reading in self.readings)

    def to_dict(self) -> JsonDict:
        """The entry of the JSON document."""
        return {
            "limit": self.limit,
            "what": f"{self.noun} {self.owner}",
            "readings": [
                {
                    "kubeVersions": [minor.version for minor in reading.minors],
                    "used": reading.used,
                    "most": reading.most,
                    "left": reading.left,
                    "where": reading.where,
                }
                for reading in self.readings
            ],
        }


class Counts(NamedTuple):
    """How many objects of each kind that matters were read, and devices."""

    slices: int
    pools: int
    devices: int
    classes: int
    claims: int


class DriverCheck(NamedTuple):
    """The result of ``dractl driver check``.

    ``minor`` is the one whose view of devices, pools and classes counts: the newest released one among
    ``minors``. ``skipped`` has the reason for each check that did not run.
    """

    minors: tuple[Minor, ...]
    minor: Minor
    overrides: dict[str, bool]
    drivers: tuple[str, ...]
    counts: Counts
    facts: tuple[Fact, ...]
    headroom: tuple[Headroom, ...]
    skipped: dict[str, str]

    def number(self, severity: Severity) -> int:
        """How many facts have that severity."""
        return sum(fact.severity is severity for fact in self.facts)

    @property
    def ok(self) -> bool:
        """Whether no fact is an error."""
        return self.number(Severity.ERROR) == 0

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl driver check --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersions": [minor.version for minor in self.minors],
            "kubeVersion": self.minor.version,
            "featureGates": dict(sorted(self.overrides.items())),
            "drivers": list(self.drivers),
            "summary": {
                **self.counts._asdict(),
                "errors": self.number(Severity.ERROR),
                "warnings": self.number(Severity.WARNING),
            },
            "facts": [fact.to_dict() for fact in self.facts],
            "headroom": [row.to_dict() for row in self.headroom],
            "skipped": dict(self.skipped),
        }
