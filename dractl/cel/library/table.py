"""The libraries: which functions and macros they bring, since which minor, and under which gate."""

from __future__ import annotations

from functools import cache

from dractl.api import release
from dractl.api.release import Minor
from dractl.cel.common.environment import Environment
from dractl.cel.common.overload import Overload, overload
from dractl.cel.library import (
    conversions,
    formats,
    lists,
    networks,
    optionals,
    positions,
    quantities,
    regexes,
    sets,
    standard,
    strings,
    times,
    urls,
    versions,
)
from dractl.cel.parser.macros import MACROS, Macro
from dractl.records import NamedTuple


class Library(NamedTuple):
    """Functions and macros that come together.

    ``new`` and ``stored`` are the minors since which the two environments of a server have them, None where
    no known minor has them there; ``gate`` brings them to the environment for new expressions before that,
    from ``gate_since`` on. ``until`` is the last minor that has them in this form. Where a library moved its
    place matters: it is the order in which the overloads of one function are tried.
    """

    name: str
    overloads: tuple[Overload, ...]
    new: str | None
    stored: str | None
    gate: str = ""
    gate_since: str | None = None
    until: str | None = None

    def is_in(self, environment: Environment) -> bool:
        """Whether an environment has the library."""
        minor = environment.minor
        since = self.stored if environment.stored else self.new
        if _is_within(minor, since, self.until):
            return True
        by_gate = not environment.stored and self.gate in environment.gates
        return by_gate and _is_within(minor, self.gate_since, self.until)


def _is_within(minor: Minor, since: str | None, until: str | None) -> bool:
    """Whether something is there from ``since`` on, None: never, and up to ``until``, None: still."""
    if since is None:
        return False
    return minor.within(release.at(since), None if until is None else release.at(until))


_MAP_INSERT = (
    overload("cel.@mapInsert", "@mapInsert_map_map", "(map(K,V), map(K,V)) -> map(K,V)"),
    overload("cel.@mapInsert", "@mapInsert_map_key_value", "(map(K,V), K, V) -> map(K,V)"),
)

LIBRARIES: tuple[Library, ...] = (
    Library("standard", standard.OVERLOADS, "1.30", "1.30"),
    Library("matches-1.36", standard.MATCHES_136, "1.30", "1.30", until="1.36"),
    Library("matches", standard.MATCHES, "1.37", "1.37"),
    Library("affixes-1.36", standard.AFFIXES_136, "1.30", "1.30", until="1.36"),
    Library("affixes", standard.AFFIXES, "1.37", "1.37"),
    Library("conversions", conversions.OVERLOADS, "1.30", "1.30"),
    Library("duration-of-int-1.36", conversions.DURATION_OF_INT_136, "1.30", "1.30", until="1.36"),
    Library("times", times.OVERLOADS, "1.30", "1.30"),
    Library("optional", optionals.OVERLOADS, "1.30", "1.30"),
    Library("optional-lists", optionals.LISTS, "1.33", "1.33"),
    Library("quantity-reading-1.37", quantities.READING_137, "1.30", "1.30", until="1.37"),
    Library("quantity-reading", quantities.READING, "1.38", "1.38"),
    Library("quantity", quantities.OVERLOADS, "1.30", "1.30"),
    Library("semver-1.32", versions.UNPRICED, "1.30", "1.30", until="1.32"),
    Library("semver", versions.OVERLOADS, "1.33", "1.33"),
    Library("semver-normalizing", versions.NORMALIZING, "1.34", "1.33"),
    Library("kubernetes-lists-1.36", lists.KUBERNETES, "1.30", "1.30", until="1.36"),
    Library("kubernetes-lists-1.37", lists.KUBERNETES, "1.37", None),
    Library("includes-1.36", lists.INCLUDES_136, None, "1.36", "DRAListTypeAttributes", "1.36", until="1.36"),
    Library("includes", lists.INCLUDES, "1.38", "1.37", "DRAListTypeAttributes", "1.37"),
    Library("string-positions-1.31", positions.POSITIONS_131, "1.30", "1.30", until="1.31"),
    Library("string-positions-1.33", positions.POSITIONS_133, "1.32", "1.32", until="1.33"),
    Library("string-positions-1.36", positions.POSITIONS_136, "1.34", "1.34", until="1.36"),
    Library("string-positions", positions.POSITIONS, "1.37", "1.37"),
    Library("strings", strings.OVERLOADS, "1.30", "1.30"),
    Library("kubernetes-lists", lists.KUBERNETES, None, "1.37"),
    Library("sets", sets.OVERLOADS, "1.30", "1.30"),
    Library("regex", regexes.OVERLOADS, "1.30", "1.30"),
    Library("urls", urls.OVERLOADS, "1.30", "1.30"),
    Library("url-parts-1.37", urls.PARTS_137, "1.30", "1.30", until="1.37"),
    Library("url-parts", urls.PARTS, "1.38", "1.38"),
    Library("networks", networks.OVERLOADS, "1.31", "1.30"),
    Library("network-masks", networks.MASKS, "1.39", "1.38"),
    Library("contained-networks-1.31", networks.CONTAINED_131, "1.31", "1.30", until="1.31"),
    Library("contained-networks", networks.CONTAINED, "1.32", "1.32"),
    Library("format-1.34", formats.OVERLOADS_134, "1.32", "1.31", until="1.34"),
    Library("format", formats.OVERLOADS, "1.35", "1.35"),
    Library("lists", lists.EXTENSION, "1.35", "1.34"),
    Library("distinct-1.37", lists.DISTINCT_137, "1.35", "1.34", until="1.37"),
    Library("distinct", lists.DISTINCT, "1.38", "1.38"),
    Library("flatten-1.36", lists.FLATTEN_136, "1.35", "1.34", until="1.36"),
    Library("flatten", lists.FLATTEN, "1.37", "1.37"),
    Library("ranges-1.36", lists.RANGE_136, "1.35", "1.34", until="1.36"),
    Library("ranges", lists.RANGE, "1.37", "1.37"),
    Library("bindings", (), "1.31", "1.31"),
    Library("two-variables", _MAP_INSERT, "1.33", "1.32"),
    Library("quoted-fields", (), "1.37", "1.37"),
    Library("surrogate-escapes", (), "1.30", "1.30", until="1.32"),
    Library("operands-checked-twice", (), "1.30", "1.30", until="1.31"),
    Library("cost-without-sizes", (), "1.32", "1.32", until="1.32.2"),
    Library("cost-by-paths", (), "1.30", "1.30", until="1.32"),
    Library("sums-in-place", (), "1.30", "1.30", until="1.36"),
    Library("native-optionals", (), "1.30", "1.30", until="1.36"),
    Library("lenient-or", (), "1.30", "1.30", until="1.36"),
    Library("wrapped-selectors", (), "1.37", "1.37"),
    Library("uncharged-failures", (), "1.38", "1.38"),
    Library("estimate-1.38", (), "1.38", "1.38"),
)
"""In the order in which their overloads are tried; those without overloads stand for behaviour."""


class Functions(NamedTuple):
    """What an environment's libraries bring, by name; and the names of the libraries."""

    overloads: dict[str, tuple[Overload, ...]]
    macros: dict[tuple[str, int, bool], Macro]
    libraries: frozenset[str]


def functions_of(environment: Environment) -> Functions:
    """The functions and macros of an environment."""
    return _functions(frozenset(library.name for library in LIBRARIES if library.is_in(environment)))


@cache
def _functions(present: frozenset[str]) -> Functions:
    overloads: dict[str, list[Overload]] = {}
    for library in LIBRARIES:
        if library.name in present:
            for row in library.overloads:
                overloads.setdefault(row.function, []).append(row)
    macros = {(row.name, row.arguments, row.method): row.expand for row in MACROS if row.library in present}
    return Functions({name: tuple(rows) for name, rows in overloads.items()}, macros, present)
