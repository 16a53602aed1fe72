"""Selectors that compile but will not do what they seem to say, for the devices of the slices given."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.api.path import Steps
from dractl.cel.common import types
from dractl.cel.common.tree import Call, Literal, Node, Select
from dractl.cel.common.types import Type
from dractl.cel.compile import MAX_COST, CelError, Environment, Selector, compile_selector
from dractl.cel.interpreter.constant_calls import failing_constants
from dractl.cel.interpreter.missing_names import KnownNames, failing_reference
from dractl.cel.interpreter.references import Reference, domains_asked_in, reference_of, references_in
from dractl.cel.parser.spans import Spans, written_below
from dractl.lint.base.input_pools import InputPool
from dractl.lint.base.input_set import InputObject, InputSet, Lint
from dractl.lint.base.typos import is_typo, surely_meant
from dractl.lint.cel.counts import too_few_devices
from dractl.lint.cel.driver_names import drivers_named, misspelled_drivers
from dractl.lint.cel.known_devices import Group, KnownDevices, SelectorResult
from dractl.lint.cel.rules import ATTRIBUTE_UNKNOWN, FAILS, NEVER_EQUAL, NOT_EVALUATED, NOTHING, VERSION_TEXT
from dractl.lint.fixes.guard_fixes import guard_fix
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceClassSpec, DeviceSubRequest, ExactDeviceRequest

__all__ = ["selectors_make_sense"]

_EQUALITIES = frozenset({"_==_", "_!=_"})
_ORDERS = frozenset({"_<_", "_<=_", "_>_", "_>=_"})
_VERSION = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,5}){1,3}")
_FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBERS = frozenset({"int", "uint", "double"})
_TYPES: dict[str, frozenset[str]] = {
    "int": _NUMBERS,
    "bool": frozenset({"bool"}),
    "string": frozenset({"string"}),
    "version": frozenset({"kubernetes.Semver"}),
}
"""What a value of each type of attribute can be equal to."""

_NOUNS = {"attributes": "attribute", "capacity": "capacity"}
_CALLED = {"int": "a number", "bool": "a bool", "string": "a string", "version": "a version"}


class _Selectors(NamedTuple):
    """The selectors of a class or of one request, with the place of their list."""

    given: InputObject
    place: Steps
    selectors: tuple[Selector, ...]

    def at(self, number: int) -> Steps:
        """The place of the expression of a selector."""
        return (*self.place, number, "cel", "expression")


def selectors_make_sense(inputs: InputSet, pools: Sequence[InputPool], gates: GateSet) -> Iterator[Lint]:
    """What is wrong with the selectors of classes and requests, in view of the devices that are known."""
    environment = Environment(gates.minor, gates, stored=True)
    # Slices alone may be an example of what there is elsewhere; with nodes they are a cluster.
    is_cluster = bool(inputs.of("Node"))
    known_devices: KnownDevices | None = None
    guards: dict[str, tuple[Selector, ...]] = {}
    for given in inputs.of("DeviceClass"):
        found = _compiled(given, ("spec", "selectors"), given.spec, environment)
        if found is None:
            continue
        if len(inputs.named("DeviceClass", given.name)) == 1:
            guards[given.name] = found.selectors
        if found.selectors:
            known_devices = known_devices or KnownDevices(
                pools, delays_attributes=environment.delays_attributes
            )
            yield from _about_class(found, known_devices, is_cluster=is_cluster)
    for given in inputs.claims():
        for place, body in given.request_bodies():
            before = guards.get(body.get("deviceClassName", ""))
            if before is None or not (body.get("selectors") or body.get("count", 1) > 1):
                continue
            found = _compiled(given, (*place, "selectors"), body, environment)
            if found is not None:
                known_devices = known_devices or KnownDevices(
                    pools, delays_attributes=environment.delays_attributes
                )
                trial = known_devices.tried(before, found.selectors)
                yield from _about_request(
                    found, trial, body["deviceClassName"], known_devices.drivers, is_cluster=is_cluster
                )
                if is_cluster:
                    yield from too_few_devices(inputs, given, place, body, trial, known_devices)


def _compiled(
    given: InputObject,
    place: Steps,
    body: DeviceClassSpec | ExactDeviceRequest | DeviceSubRequest,
    environment: Environment,
) -> _Selectors | None:
    """The selectors in ``body``; None where one does not compile, so that nothing can be said of the rest."""
    entries = body.get("selectors") or ()
    if not given.admission.accepted or not isinstance(entries, list | tuple):
        return None
    found = []
    for entry in entries:
        selector = compile_selector((entry.get("cel") or {}).get("expression", ""), environment)
        if isinstance(selector, CelError) or (selector.max_cost or 0) > MAX_COST:
            return None
        found.append(selector)
    return _Selectors(given, place, tuple(found))


def _about_class(found: _Selectors, known_devices: KnownDevices, *, is_cluster: bool) -> Iterator[Lint]:
    trial = known_devices.tried((), found.selectors)
    lints = list(_about_each(found, trial, known_devices.drivers, is_cluster=is_cluster))
    yield from lints
    drivers = {driver for selector in found.selectors for driver, _ in drivers_named(selector.tree)}
    own = [group for group in known_devices.groups if group.driver in drivers]
    if not lints and _is_nothing(trial, own):
        number = sum(len(group.devices) for group in own)
        which = f"{number} device{'' if number == 1 else 's'} of {' and '.join(sorted(drivers))}"
        message = f"the class selects none of {which} in the input"
        yield from _nothing(found, own, message, is_cluster=is_cluster)


def _about_request(
    found: _Selectors,
    trial: SelectorResult,
    class_name: str,
    known_drivers: Collection[str],
    *,
    is_cluster: bool,
) -> Iterator[Lint]:
    lints = list(_about_each(found, trial, known_drivers, is_cluster=is_cluster))
    yield from lints
    if not lints and "firstAvailable" not in found.place and _is_nothing(trial, trial.reached):
        message = f"the request selects none of the devices in the input that its class {class_name} selects"
        yield from _nothing(found, trial.reached, message, is_cluster=is_cluster)


def _is_nothing(trial: SelectorResult, groups: Sequence[Group]) -> bool:
    """Whether none of the devices of ``groups``, which are all, is selected."""
    if trial.is_matched is not False or trial.failures or not groups:
        return False
    return all(group.is_complete for group in groups)


def _nothing(found: _Selectors, groups: Sequence[Group], message: str, *, is_cluster: bool) -> Iterator[Lint]:
    """``message``, if that nothing is selected can hardly be meant."""
    values = _compared_values(found, groups)
    meant = None if values is None else surely_meant(values.wanted, values.there)
    if values is not None and meant is not None:
        place, hint = found.at(values.number), f"did you mean {meant!r}?"
        yield Lint(NOTHING, found.given, place, message, hint, offset=values.offset)
    elif is_cluster:
        hint = "" if values is None else values.listed()
        yield Lint(NOTHING, found.given, found.place, message, hint)


def _about_each(
    found: _Selectors, trial: SelectorResult, known_drivers: Collection[str], *, is_cluster: bool
) -> Iterator[Lint]:
    if trial.is_first_cut:
        yield Lint(NOT_EVALUATED, found.given, found.place, budgets.LINT_EVALUATIONS.message())
    named = {
        (reference.section, reference.qualified)
        for selector in found.selectors
        for reference in references_in(selector.tree)
    }
    for number, selector in enumerate(found.selectors):
        place = found.at(number)
        yield from misspelled_drivers(found.given, place, selector, known_drivers)
        if number in trial.failures:
            device, error = trial.failures[number]
            if any(call.message == error.message for call in failing_constants(selector.tree)):
                # Reported without regard to the devices.
                continue
            failed = _Failure(found.given, place, selector, device, error)
            yield from _failure(failed, trial.reached, is_cluster=is_cluster)
            continue
        groups = trial.reached
        if not groups or not all(group.is_complete for group in groups):
            continue
        yield from _misspelled(found.given, place, selector, groups, named)
        yield from _misspelled_domains(found.given, place, selector, groups)
        for node in _calls_in(selector.tree):
            yield from _never_equal(found.given, place, node, groups)
            yield from _version_text(found.given, place, node, groups)


class _Failure(NamedTuple):
    """A selector, its place, and a device for which it fails."""

    given: InputObject
    place: Steps
    selector: Selector
    device: str
    error: CelError

    def lint(self, message: str, hint: str) -> Lint:
        """The message for it."""
        return Lint(FAILS, self.given, self.place, message, hint, offset=self.error.offset)

    def guarded(self, message: str, reference: Reference) -> Lint:
        """The message, with the guard that helps where some devices have what others lack."""
        guard = _guard(self.selector, reference)
        lint = self.lint(message, f"guard it: `{guard} && ...`")
        steps = self.given.in_version(self.place)
        text, tree = self.selector.expression, self.selector.tree
        return lint._replace(fix=guard_fix(self.given.document, steps, text, tree, reference.node, guard))


def _failure(failed: _Failure, groups: list[Group], *, is_cluster: bool) -> Iterator[Lint]:
    """The message for a selector that fails for a device of ``groups``."""
    if failed.error.kind == "budget":
        message = f"unknown whether it selects device {failed.device}: {failed.error.message}"
        hint = "simplify the expression: use a shorter pattern or fewer loops"
        yield Lint(NOT_EVALUATED, failed.given, failed.place, message, hint)
        return
    stays = "a pod whose search reaches it stays Pending"
    reference = failing_reference(failed.error, failed.selector.tree)
    if reference is None:
        yield failed.lint(f"fails for device {failed.device}: {failed.error.message}", stays)
        return
    what = f"{_NOUNS[reference.section]} {reference.qualified}"
    message = f"device {failed.device} has no {what}, so this fails, and {stays}"
    if any(group.has(reference) for group in groups):
        yield failed.guarded(message, reference)
        return
    wanted, known = _looked_for(reference, groups)
    if is_cluster or any(is_typo(wanted, name) for name in known):
        firsts = ((group.driver, sample.device) for group in groups for sample in group.devices[:1])
        names = KnownNames(firsts)
        yield failed.lint(message, names.advice(reference))


def _looked_for(reference: Reference, groups: list[Group]) -> tuple[str, set[str]]:
    """The part of a reference that no device has, name or domain, and the existing ones of its kind."""
    known = {name for group in groups for name in group.names(reference.section, reference.domain)}
    if known:
        return reference.name, known
    return reference.domain, _domains(reference.section, groups)


def _domains(section: str, groups: list[Group]) -> set[str]:
    return {domain for group in groups for domain in group.domains(section)}


def _guard(selector: Selector, reference: Reference) -> str:
    """The question whether a device has what is referred to, in the words of the expression."""
    node = reference.node
    spans = Spans(selector.expression)
    if isinstance(node, Select) and _FIELD.fullmatch(reference.name):
        return f"has({spans.text(node)})"
    return f'"{reference.name}" in {spans.text(written_below(node)[0])}'


def _misspelled(
    given: InputObject, place: Steps, selector: Selector, groups: list[Group], named: set[tuple[str, str]]
) -> Iterator[Lint]:
    reported: set[str] = set()
    for reference in references_in(selector.tree):
        wanted, known = _looked_for(reference, groups)
        if reference.qualified in reported:
            continue
        meant = surely_meant(wanted, known)
        if meant is None or (reference.section, reference.qualified.replace(wanted, meant)) in named:
            continue
        reported.add(reference.qualified)
        message = f"no device in the input has the {_NOUNS[reference.section]} {reference.qualified}"
        hint = f"did you mean {meant}?"
        yield Lint(ATTRIBUTE_UNKNOWN, given, place, message, hint, offset=reference.node.offset)


def _misspelled_domains(
    given: InputObject, place: Steps, selector: Selector, groups: list[Group]
) -> Iterator[Lint]:
    for domain in domains_asked_in(selector.tree):
        known = _domains(domain.section, groups)
        meant = surely_meant(domain.name, known)
        if meant is not None:
            what = "attributes" if domain.section == "attributes" else "capacity"
            message = f"no device in the input has {what} of the domain {domain.name}"
            hint = f"did you mean {meant}?"
            yield Lint(ATTRIBUTE_UNKNOWN, given, place, message, hint, offset=domain.node.offset)


def _calls_in(node: Node) -> Iterator[Call]:
    if isinstance(node, Call):
        yield node
    for part in written_below(node):
        yield from _calls_in(part)


def _sides(node: Call, *, with_default: bool = False) -> Iterator[tuple[Reference, Node]]:
    """An attribute that one side of a comparison reads (maybe with a default), with the other side."""
    left, right = node.args
    for one, other in ((left, right), (right, left)):
        reference = reference_of(one)
        if reference is None and with_default and isinstance(one, Call) and one.function == "orValue":
            reference = next(iter(references_in(one)), None)
        if reference is not None and reference.section == "attributes":
            yield reference, other


def _comparisons(node: Call) -> Iterator[tuple[Reference, Node, str]]:
    """What a call compares: an attribute, the other side, and the outcome if their types differ."""
    if node.function in _EQUALITIES and node.target is None:
        for reference, other in _sides(node):
            yield reference, other, "never" if node.function == "_==_" else "always"
    elif node.function == "includes" and node.target is not None:
        listed = reference_of(node.target)
        if listed is not None and listed.section == "attributes":
            yield listed, node.args[0], "never"


def _never_equal(given: InputObject, place: Steps, node: Call, groups: list[Group]) -> Iterator[Lint]:
    for reference, other, outcome in _comparisons(node):
        wanted = other.type
        if wanted is None or not _is_known(wanted):
            continue
        kinds = {kind for group in groups for kind, _ in group.values(reference)}
        if node.function == "includes":
            kinds = {kind.removesuffix("s") for kind in kinds}
        if not kinds or not all(kind in _TYPES and wanted.name not in _TYPES[kind] for kind in kinds):
            continue
        called = " or ".join(sorted(_CALLED[kind] for kind in kinds))
        message = (
            f"{reference.qualified} is {called} on all devices in the input; comparing it with a value of "
            f"type {wanted} is {outcome} true"
        )
        yield Lint(NEVER_EQUAL, given, place, message, offset=node.offset)
        return


def _is_known(found: Type) -> bool:
    scalars = (types.BOOL, types.INT, types.UINT, types.DOUBLE, types.STRING, types.SEMVER, types.QUANTITY)
    return found in scalars


def _version_text(given: InputObject, place: Steps, node: Call, groups: list[Group]) -> Iterator[Lint]:
    if node.function not in _ORDERS:
        return
    for reference, other in _sides(node):
        if not isinstance(other, Literal) or not _is_version(other.value):
            continue
        values = [value for group in groups for value in group.values(reference)]
        if values and all(kind == "string" and _is_version(value) for kind, value in values):
            named = f"{reference.qualified} and {other.value!r}"
            message = f"{named} are compared as strings, in which 1.10 sorts before 1.9"
            hint = "compare them as versions: semver(...).isLessThan(semver(...)), or compareTo()"
            yield Lint(VERSION_TEXT, given, place, message, hint, offset=node.offset)


def _is_version(value: object) -> bool:
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None


class _Compared(NamedTuple):
    """An attribute that a selector compares with the constant ``wanted``, and the values that it has.

    ``number`` is that of the selector, ``offset`` the place of the constant in it.
    """

    number: int
    offset: int
    name: str
    wanted: str
    there: list[str]

    def listed(self, limit: int = 5) -> str:
        """The values, as a hint."""
        if not self.there:
            return f"none of them has {self.name}"
        more = ", ..." if len(self.there) > limit else ""
        return f"their {self.name} is {', '.join(self.there[:limit])}{more}"


def _compared_values(found: _Selectors, groups: Sequence[Group]) -> _Compared | None:
    """The first attribute that is compared with a constant that it never is."""
    for number, selector in enumerate(found.selectors):
        for node in _calls_in(selector.tree):
            if node.function != "_==_":
                continue
            for reference, other in _sides(node, with_default=True):
                if not isinstance(other, Literal):
                    continue
                values = {_as_text(value) for group in groups for _, value in group.values(reference)}
                wanted = _as_text(other.value)
                if wanted not in values:
                    return _Compared(number, other.offset, reference.qualified, wanted, sorted(values))
    return None


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
