"""Label and node selectors: do they match, or what is wrong with them.

Mirrors ``k8s.io/apimachinery/pkg/labels``, ``pkg/fields`` and
``k8s.io/component-helpers/scheduling/corev1/nodeaffinity``. Selectors are read once into values and then
asked for many nodes; what is wrong with one is a sentence, never an exception.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dractl.api import names
from dractl.records import NamedTuple

Labels = Mapping[str, str]

_INTEGER = re.compile(r"[+-]?[0-9]+")
_MAX_DIGITS = 300
_INT64 = range(-(2**63), 2**63)

_NAME_FIELD = "metadata.name"
_SET_OPERATORS = ("In", "NotIn")
_PRESENCE_OPERATORS = ("Exists", "DoesNotExist")
_ORDER_OPERATORS = ("Gt", "Lt")


class Requirement(NamedTuple):
    """One expression of a selector, known to be well formed."""

    key: str
    operator: str
    values: tuple[str, ...]

    def holds_for(self, labels: Labels) -> bool:
        """Whether the labels meet it, as ``labels.Requirement.Matches``."""
        present = self.key in labels
        match self.operator:
            case "In":
                return present and labels[self.key] in self.values
            case "NotIn":
                return not present or labels[self.key] not in self.values
            case "Exists":
                return present
            case "DoesNotExist":
                return not present
            case _:
                return present and self._compares(labels[self.key])

    def _compares(self, text: str) -> bool:
        value, bound = _integer(text), _integer(self.values[0])
        if value is None or bound is None:
            return False
        return value > bound if self.operator == "Gt" else value < bound


class Term(NamedTuple):
    """One term of a node selector: label and field expressions that must all hold, or what is wrong."""

    expressions: tuple[Requirement, ...]
    fields: tuple[Requirement, ...]
    problems: tuple[str, ...]

    def matches(self, name: str, labels: Labels) -> bool:
        """Whether a node of that name and those labels meets the term; never if the term is malformed."""
        if self.problems:
            return False
        if not all(requirement.holds_for(labels) for requirement in self.expressions):
            return False
        # A node without a name has no fields, and then upstream does not look at field expressions.
        return not name or all(_field_holds(requirement, name) for requirement in self.fields)


class NodeSelector(NamedTuple):
    """A node selector: one of its terms must match; an empty term matches nothing."""

    terms: tuple[Term, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with any term; ``NewNodeSelector`` refuses the selector then."""
        return tuple(problem for term in self.terms for problem in term.problems)

    def matches(self, name: str, labels: Labels) -> bool:
        """Whether a well-formed term matches, as ``LazyErrorNodeSelector.Match`` with its error dropped."""
        return any(term.matches(name, labels) for term in self.terms)


if TYPE_CHECKING:
    from dractl.api.objects import core, meta

    _Entry = core.NodeSelectorRequirement | meta.LabelSelectorRequirement


def node_selector(selector: core.NodeSelector) -> NodeSelector:
    """Read a ``v1.NodeSelector``."""
    terms = selector.get("nodeSelectorTerms") or ()
    return NodeSelector(
        tuple(
            node_term(term, f"nodeSelectorTerms[{number}]")
            for number, term in enumerate(terms)
            if term.get("matchExpressions") or term.get("matchFields")
        )
    )


def node_term(term: core.NodeSelectorTerm, place: str) -> Term:
    """Read a ``v1.NodeSelectorTerm``; ``place`` starts what is said about its problems."""
    problems: list[str] = []
    expressions = _requirements(term.get("matchExpressions"), f"{place}.matchExpressions", problems)
    fields = _field_requirements(term.get("matchFields"), f"{place}.matchFields", problems)
    return Term(expressions, fields, tuple(problems))


def matches_labels(selector: meta.LabelSelector | None, labels: Labels) -> bool:
    """Whether a ``metav1.LabelSelector`` matches, as ``LabelSelectorAsSelector``.

    No selector matches nothing, an empty one everything, a malformed one nothing.
    """
    if selector is None:
        return False
    problems: list[str] = []
    requirements = _requirements(selector.get("matchExpressions"), "matchExpressions", problems)
    if problems or any(requirement.operator in _ORDER_OPERATORS for requirement in requirements):
        return False
    return matches_set(selector.get("matchLabels") or {}, labels) and all(
        requirement.holds_for(labels) for requirement in requirements
    )


def matches_set(wanted: Labels, labels: Labels) -> bool:
    """Whether all wanted labels are there with their values, as ``labels.SelectorFromSet``."""
    return all(labels.get(key) == value for key, value in wanted.items())


def _field_holds(requirement: Requirement, name: str) -> bool:
    value = name if requirement.key == _NAME_FIELD else ""
    return (value == requirement.values[0]) == (requirement.operator == "In")


def _requirements(
    entries: Sequence[_Entry] | None, place: str, problems: list[str]
) -> tuple[Requirement, ...]:
    """The well-formed ones, as ``labels.NewRequirement``; what is wrong with others goes to ``problems``."""
    found = []
    for number, entry in enumerate(entries or ()):
        requirement = Requirement(
            entry.get("key", ""), entry.get("operator", ""), tuple(entry.get("values") or ())
        )
        wrong = list(_wrong_with(requirement))
        if wrong:
            problems.extend(f"{place}[{number}]: {text}" for text in wrong)
        else:
            found.append(requirement)
    return tuple(found)


def _wrong_with(requirement: Requirement) -> Iterable[str]:
    key, operator, values = requirement
    if operator not in (*_SET_OPERATORS, *_PRESENCE_OPERATORS, *_ORDER_OPERATORS):
        yield f"unknown operator {operator!r}; use In, NotIn, Exists, DoesNotExist, Gt or Lt"
        return
    for text in names.label_key(key):
        yield f"the key {key!r} {text}"
    if operator in _SET_OPERATORS and not values:
        yield f"{operator} requires at least one value"
    if operator in _PRESENCE_OPERATORS and values:
        yield f"{operator} must not have values"
    if operator in _ORDER_OPERATORS and (len(values) != 1 or _integer(values[0]) is None):
        yield f"{operator} requires exactly one value, an integer"
    for value in values:
        for text in names.label_value(value):
            yield f"the value {value!r} {text}"


def _field_requirements(
    entries: Sequence[_Entry] | None, place: str, problems: list[str]
) -> tuple[Requirement, ...]:
    """As ``nodeSelectorRequirementsAsFieldSelector``."""
    found = []
    for number, entry in enumerate(entries or ()):
        requirement = Requirement(
            entry.get("key", ""), entry.get("operator", ""), tuple(entry.get("values") or ())
        )
        if requirement.operator not in _SET_OPERATORS:
            problems.append(
                f"{place}[{number}]: operator {requirement.operator!r} is not supported for fields; use In "
                "or NotIn"
            )
        elif len(requirement.values) != 1:
            problems.append(f"{place}[{number}]: a field requires exactly one value")
        else:
            found.append(requirement)
    return tuple(found)


def _integer(text: str) -> int | None:
    """An int64 as ``strconv.ParseInt`` reads it, or None."""
    if not _INTEGER.fullmatch(text) or len(text) > _MAX_DIGITS:
        return None
    value = int(text)
    return value if value in _INT64 else None
