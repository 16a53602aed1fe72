"""The table of rules: every check has one row with its id, place, type, history and explanation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from dractl.api import gates as gate_table
from dractl.api import release
from dractl.api.errors import ErrorType
from dractl.api.release import Minor
from dractl.records import NamedTuple

_REPEATED = re.compile(r"<(\d+) times ([^<>]*)>")
_HEADING = re.compile(r"^\s*(Good|Bad)( here)?:", re.MULTILINE)
_HERE = re.compile(r"^( *)<here>\n", re.MULTILINE)


class Example(NamedTuple):
    """One YAML excerpt of an object, laid over a valid object of the kind when it is tried.

    Two documents are an object before and after an update; a Namespace next to them has the labels that
    matter. ``<N times TEXT>`` stands for N times TEXT, with its number from 0 on for ``#``.
    """

    good: bool
    text: str

    @property
    def expanded_text(self) -> str:
        """The text with all repetitions written out, from the inside outwards."""
        text, found = self.text, 1
        while found:
            text, found = _REPEATED.subn(_repeated, text)
        return text

    @property
    def is_update(self) -> bool:
        """Whether the text shows an object before and after."""
        objects = [part for part in self.text.split("\n---\n") if not part.startswith("kind: Namespace\n")]
        return len(objects) > 1

    @property
    def is_short(self) -> bool:
        """Whether the text stands for a longer one."""
        return _REPEATED.search(self.text) is not None


def _repeated(match: re.Match[str]) -> str:
    return "".join(match[2].replace("#", str(number)) for number in range(int(match[1])))


class Rule:
    """One thing the API server refuses.

    ``at`` holds the places it covers, ``[*]`` standing for any list item and ``{*}`` for any map entry; for
    claims they hold for templates too, under ``spec.spec``. ``kinds`` are the kinds it belongs to. ``gate``
    is that of the field (without it the field is dropped, unless it is in use already), and ``only_with``
    names a gate without which servers do not have the rule at all, ``only_without`` one with which they do
    not. The first of ``types`` is the usual one. ``covered`` means that a declarative rule of the same
    meaning replaces the hand-written one where both refuse. ``upstream`` names the function of Kubernetes
    that it mirrors. ``frame`` surrounds the examples that do not start at the root of the object.
    """

    __slots__ = (
        "at",
        "covered",
        "doc",
        "frame",
        "gate",
        "id",
        "kinds",
        "only_with",
        "only_without",
        "since",
        "types",
        "until",
        "upstream",
    )

    def __init__(  # noqa: PLR0913 - a row has its columns
        self,
        id: str,  # noqa: A002 - the column's name
        *,
        kinds: tuple[str, ...],
        at: tuple[str, ...],
        types: tuple[ErrorType, ...],
        since: Minor | None,
        until: Minor | None,
        gate: str,
        only_with: str,
        only_without: str = "",
        covered: bool,
        upstream: str,
        doc: str,
        frame: str = "",
    ) -> None:
        """Hold the row; made by :func:`rule`."""
        self.id = id
        self.kinds = kinds
        self.at = at
        self.types = types
        self.since = since
        self.until = until
        self.gate = gate
        self.only_with = only_with
        self.only_without = only_without
        self.covered = covered
        self.upstream = upstream
        self.doc = doc
        self.frame = frame

    @property
    def summary(self) -> str:
        """The first sentence of the explanation."""
        return self.doc.strip().partition("\n")[0]

    @property
    def explanation(self) -> str:
        """The text between the summary and the examples."""
        body = self.doc.strip().partition("\n")[2]
        return _HEADING.split(body, maxsplit=1)[0].strip()

    def examples(self) -> Iterator[Example]:
        """The good and bad excerpts from the root of the object, in the order of the explanation."""
        _, *parts = _HEADING.split(self.doc)
        for quality, here, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            excerpt = _dedent(text)
            yield Example(quality == "Good", _framed(self.frame, excerpt) if here else excerpt)

    def applies(self, minor: Minor) -> bool:
        """Whether servers of ``minor`` have the rule."""
        return minor.within(self.since, self.until)


def _dedent(text: str) -> str:
    from textwrap import dedent  # only for the pages about rules

    return dedent(text.strip("\n")).rstrip() + "\n"


def _framed(frame: str, excerpt: str) -> str:
    """The excerpt at the line ``<here>`` of the frame; before and after an update each get their own."""
    from textwrap import indent

    frame = _dedent(frame)
    here = _HERE.search(frame)
    if here is None:
        raise ValueError(f"an example at a place needs a frame with a line <here>:\n{excerpt}")
    before, margin, after = frame[: here.start()], here[1], frame[here.end() :]
    documents = excerpt.removesuffix("\n").split("\n---\n")
    return "---\n".join(before + indent(document, margin) + "\n" + after for document in documents)


_TABLE: dict[str, list[Rule]] = {}
_OF_WINGS: dict[str, list[Rule]] = {}


def rule(  # noqa: PLR0913 - a row has its columns
    id: str,  # noqa: A002 - the column's name
    *,
    kind: str | tuple[str, ...],
    at: str | tuple[str, ...],
    type: ErrorType | tuple[ErrorType, ...],  # noqa: A002 - the column's name
    doc: str,
    since: str = "1.31",
    until: str = "",
    gate: str = "",
    only_with: str = "",
    only_without: str = "",
    covered: bool = False,
    upstream: str = "",
    of_wing: bool = False,
    frame: str = "",
) -> Rule:
    """Declare a rule and put it into the table.

    ``doc`` is its manual page: a summary in one sentence, an explanation, then ``Good:`` and ``Bad:``
    excerpts from the root of the object; those under ``Good here:`` and ``Bad here:`` replace the line
    ``<here>`` of ``frame``. An id may be declared again for other minors. ``of_wing`` is for modules that are
    loaded when they are needed. Raises ValueError for an unknown gate.
    """
    for name in (gate, only_with, only_without):
        if name and name not in gate_table.known_gates():
            raise ValueError(f"rule {id} names the unknown gate {name}")
    row = Rule(
        id,
        kinds=(kind,) if isinstance(kind, str) else kind,
        at=(at,) if isinstance(at, str) else at,
        types=(type,) if isinstance(type, ErrorType) else type,
        since=release.at(since) if since else None,
        until=release.at(until) if until else None,
        gate=gate,
        only_with=only_with,
        only_without=only_without,
        covered=covered,
        upstream=upstream,
        doc=doc,
        frame=frame,
    )
    (_OF_WINGS if of_wing else _TABLE).setdefault(id, []).append(row)
    _by_place.cache_clear()
    return row


GROUPS: tuple[str, ...] = (
    "claim", "template", "request", "constraint", "config", "cel", "admin",
    "class", "slice", "device", "counterset", "ctr", "nar", "policy", "binding",
    "rule", "rpsr", "pod", "psc", "meta", "tmeta",
    "status", "alloc", "dstat", "pstat",
)  # fmt: skip
"""The groups of rules, which are the first parts of their ids, in the order in which lists show them."""

_PLACE_OF_GROUP = {group: place for place, group in enumerate(GROUPS)}


def place_in_lists(id_: str) -> tuple[int, str]:
    """Where lists show a rule: its group as in ``GROUPS``, other groups last, and in it the id."""
    return _PLACE_OF_GROUP.get(id_.partition("/")[0], len(GROUPS)), id_


def declared() -> dict[str, list[Rule]]:
    """All rules by id: group by group as in ``GROUPS``, in the order of the ids; other groups come last.

    Complete once ``dractl.lint.catalog`` is loaded; without the rules of wings that are not loaded once
    ``dractl.admission.status_update`` is.
    """
    ids = sorted(_TABLE.keys() | _OF_WINGS.keys(), key=place_in_lists)
    return {name: [*_TABLE.get(name, ()), *_OF_WINGS.get(name, ())] for name in ids}


_LIST_STEP = re.compile(r"\[[^\]]*\]")


def pattern_of(text: str) -> str:
    """A path with its indices and keys replaced, as ``Rule.at`` writes places (``{*}`` counts as ``[*]``)."""
    return _LIST_STEP.sub("[*]", text).replace("{*}", "[*]")


@cache
def _by_place() -> dict[tuple[str, ErrorType], Rule]:
    found: dict[tuple[str, ErrorType], Rule] = {}
    for rows in (*_TABLE.values(), *_OF_WINGS.values()):
        for row in rows:
            for place in row.at:
                for kind, type_ in product(row.kinds, row.types):
                    found.setdefault((f"{kind}:{pattern_of(place)}", type_), row)
    return found


def rule_at(kind: str, text: str, type_: ErrorType) -> Rule | None:
    """The rule that refuses the place ``text`` of ``kind`` with ``type_``; None if no row does."""
    if kind == "ResourceClaimTemplate" and text.startswith("spec.spec."):
        found = _by_place().get(("ResourceClaim:" + pattern_of(text.removeprefix("spec.")), type_))
        if found is not None:
            return found
    return _by_place().get((f"{kind}:{pattern_of(text)}", type_))
