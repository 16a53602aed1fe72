"""From documents and an expression to what API server and scheduler make of it, device by device."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from dractl.admission.shared.selectors import CEL_COST, CEL_LENGTH
from dractl.api import limits
from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict, JsonObject
from dractl.cel.common.format_value import shown
from dractl.cel.common.work import WORK
from dractl.cel.compile import (
    MAX_COST,
    CelError,
    DeviceValue,
    Environment,
    Selector,
    compile_selector,
    device_value,
)
from dractl.cel.interpreter.explain import Explainer, Part
from dractl.cel.interpreter.missing_names import KnownNames
from dractl.cel.second_opinion import SecondOpinion
from dractl.cluster.devices import DeviceID
from dractl.lint.base.input_pools import pools_of
from dractl.lint.base.input_set import InputSet
from dractl.records import NamedTuple
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.source.text import SourceError
from dractl.versions.prototypes import any_prototype
from dractl.workflows.extensions import CEL, CEL_INSTANCES, PROTOTYPES, known_dialect
from dractl.workflows.refusals import kind_of, reason, refusal, unreadable
from dractl.workflows.validate import Admitted, admit_all

__all__ = [
    "ENVIRONMENTS",
    "SCHEMA",
    "Answer",
    "EnvironmentName",
    "Examination",
    "Examined",
    "Known",
    "KnownDevice",
    "Verdict",
    "devices_in",
    "document",
    "examine",
    "select_of_prototypes",
]

SCHEMA = "dractl.cel/1"
EnvironmentName = Literal["new", "stored", "prototype"]

ENVIRONMENTS: Mapping[str, tuple[EnvironmentName, ...]] = {
    "new": ("new",),
    "stored": ("stored",),
    "both": ("new", "stored"),
}
"""The values of ``--env``, with the environments that they mean."""


class KnownDevice(NamedTuple):
    """A device of a slice: its name, its data in v1 shape, and the variable that selectors see.

    The variable is an error where no selector can be evaluated for the device.
    """

    id: DeviceID
    data: JsonObject
    value: DeviceValue | CelError


class Known(NamedTuple):
    """The devices of an input, and what of it could not be used."""

    devices: tuple[KnownDevice, ...]
    left_out: tuple[str, ...]


class Verdict(NamedTuple):
    """What one environment makes of an expression: a selector, or why it is refused.

    A selector that only costs too much is both there and refused. ``dialect`` is that of a prototype, which
    has no selector here.
    """

    environment: EnvironmentName
    selector: Selector | None
    error: CelError | None
    dialect: str = ""


class Answer(NamedTuple):
    """The result of a selector for one device.

    ``cost`` and ``parts`` are set if an explanation was requested, ``opinion`` if another engine was asked as
    well: its result or its error.
    """

    device: KnownDevice
    result: bool | CelError
    cost: int | None = None
    parts: tuple[Part, ...] = ()
    opinion: bool | str | None = None

    @property
    def is_disputed(self) -> bool:
        """Whether the other engine disagrees; if both fail, they agree."""
        if self.opinion is None:
            return False
        ours = None if isinstance(self.result, CelError) else self.result
        return ours is not (None if isinstance(self.opinion, str) else self.opinion)


class Examined(NamedTuple):
    """An expression with the verdict of each environment, and the answers of the last one that runs it."""

    expression: str
    verdicts: tuple[Verdict, ...]
    answers: tuple[Answer, ...]

    @property
    def ok(self) -> bool:
        """Whether every environment that was asked takes the expression."""
        return all(verdict.error is None for verdict in self.verdicts)

    @property
    def matched(self) -> tuple[DeviceID, ...]:
        """The devices that the expression selects."""
        return tuple(answer.device.id for answer in self.answers if answer.result is True)

    def to_dict(self) -> dict[str, Any]:
        """The entry of the JSON document."""
        return {
            "expression": self.expression,
            "environments": {verdict.environment: _verdict(verdict) for verdict in self.verdicts},
            "devices": [_answer(answer) for answer in self.answers],
        }


class Examination(NamedTuple):
    """What was examined under ``gates``; ``is_named`` repeats each expression before its verdicts.

    ``left_out`` lists what of the input could not be used.
    """

    gates: GateSet
    expressions: Sequence[Examined]
    is_named: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every environment takes every expression."""
        return all(entry.ok for entry in self.expressions)

    def to_dict(self) -> JsonDict:
        """The JSON document of ``dractl cel --format json``."""
        return document(self.gates, self.expressions)


def devices_in(loaded: Iterable[Loaded], gates: GateSet) -> Known:
    """The devices of the slices among ``loaded`` that a server with ``gates`` accepts, pool by pool.

    Of a pool only the newest generation counts, as for the scheduler.
    """
    everything = list(loaded)
    left_out = [unreadable(item) for item in everything if isinstance(item, SourceError)]
    accepted = []
    instances: list[KnownDevice] = []
    for entry in admit_all(everything, gates, None):
        if kind_of(entry) not in ("ResourceSlice", None):
            continue
        if entry.admission is None or not entry.admission.accepted:
            found = refusal(entry)
            left_out += [reason(found, _introduction(entry))] if found is not None else []
        elif "namedResources" in entry.document.value:
            instances += _instances(entry.document.value)
        else:
            accepted.append((entry.document, entry.admission))
    delays_attributes = Environment(gates.minor, gates, stored=True).delays_attributes
    devices = tuple(
        KnownDevice(
            DeviceID(pool.driver, pool.name, device["name"]),
            device,
            device_value(pool.driver, device, delays_attributes=delays_attributes),
        )
        for pool in pools_of(InputSet(accepted))
        for entry in pool.newest
        for device in entry.devices
    )
    return Known((*instances, *devices), tuple(left_out))


def _instances(item: JsonDict) -> Iterator[KnownDevice]:
    """The named resources of a slice of 1.30, whose attributes are not those of devices."""
    listed = CEL_INSTANCES.get(str(item.get("apiVersion")))
    for identity, value in () if listed is None else listed(item):
        yield KnownDevice(identity, {"name": identity.device, "attributes": {}}, value)


def select_of_prototypes(loaded: Iterable[Loaded], dialect: str | None, expression: str) -> Examined | None:
    """The expression in the environment of a prototype; None without its pools and a dialect.

    Raises ValueError for an unknown dialect.
    """
    documents = [item for item in loaded if isinstance(item, Document)]
    is_theirs = dialect is not None or any_prototype(document.value for document in documents)
    select = CEL.get(PROTOTYPES) if is_theirs else None
    found = None if select is None else select(documents, known_dialect(dialect), expression)
    if found is None:
        return None
    answers = tuple(
        Answer(KnownDevice(device.id, {"name": device.id.device}, _NO_VALUE), device.result)
        for device in found.devices
    )
    return Examined(expression, (Verdict("prototype", None, found.error, found.dialect),), answers)


_NO_VALUE = CelError("runtime", "a device of a prototype")


def _introduction(entry: Admitted) -> str:
    return "" if kind_of(entry) is None else "the slice is rejected and left out: "


@WORK.run()
def examine(
    expression: str,
    gates: GateSet,
    environments: Sequence[EnvironmentName],
    devices: Sequence[KnownDevice],
    *,
    explain: bool = False,
    second_opinion: SecondOpinion | None = None,
) -> Examined:
    """Compile ``expression`` in ``environments``, and evaluate it in the last one for each of ``devices``.

    ``new`` compiles as the API server does for new objects, with its limits on length and cost; ``stored``
    compiles as the scheduler does, and as the API server does for stored objects. With ``explain`` each
    answer has its cost and the values of its parts, with a ``second_opinion`` the result of cel-python.
    """
    verdicts = tuple(_compiled(expression, gates, name) for name in environments)
    selector = verdicts[-1].selector
    answers = [] if selector is None else list(_answers(selector, devices, explain=explain))
    if second_opinion is not None:
        asked = [(answer.device.id.driver, answer.device.data) for answer in answers]
        opinions = second_opinion.ask(expression, asked)
        answers = [found._replace(opinion=said) for found, said in zip(answers, opinions, strict=True)]
    return Examined(expression, verdicts, tuple(answers))


def _compiled(expression: str, gates: GateSet, name: EnvironmentName) -> Verdict:
    minor, is_new = gates.minor, name == "new"
    longest = limits.of("cel.expressionLength", minor) if is_new and CEL_LENGTH.applies(minor) else None
    if longest is not None and len(expression.encode()) > longest:
        return Verdict(name, None, CelError("syntax", f"the expression must have at most {longest} bytes"))
    found = compile_selector(expression, Environment(minor, gates, stored=not is_new))
    if isinstance(found, CelError):
        return Verdict(name, None, found)
    return Verdict(name, found, found.cost_error() if is_new and CEL_COST.applies(minor) else None)


def _answers(selector: Selector, devices: Sequence[KnownDevice], *, explain: bool) -> Iterable[Answer]:
    explainer = selector.explainer() if explain and (selector.max_cost or 0) <= MAX_COST else None
    names: list[KnownNames] = []

    def advised(error: CelError) -> CelError:
        if not names:
            names.append(KnownNames((device.id.driver, device.data) for device in devices))
        return names[0].advised(error, selector.tree)

    for device in devices:
        if isinstance(device.value, CelError):
            yield Answer(device, device.value)
            continue
        result = selector.evaluate(device.value)
        is_open = isinstance(result, CelError) and result.kind == "budget"
        if isinstance(result, CelError) and not is_open:
            result = advised(selector.failure(device.value) or result)
        if not explain or is_open:
            yield Answer(device, result)
            continue
        parts = () if explainer is None else _parts(explainer, device.value, advised)
        yield Answer(device, result, selector.cost_of(device.value), parts)


def _parts(
    explainer: Explainer, device: DeviceValue, advised: Callable[[CelError], CelError]
) -> tuple[Part, ...]:
    """The values of the parts for a device, with the same advice in a failure as in the result."""
    return tuple(
        part._replace(
            values=tuple(advised(value) if isinstance(value, CelError) else value for value in part.values)
        )
        for part in explainer.parts(device.fields)
    )


def document(gates: GateSet, examined: Sequence[Examined]) -> dict[str, Any]:
    """The JSON document of ``dractl cel --format json``."""
    return {
        "schema": SCHEMA,
        "kubeVersion": gates.minor.version,
        "featureGates": dict(sorted(gates.overrides.items())),
        "costLimit": MAX_COST,
        "expressions": [entry.to_dict() for entry in examined],
    }


def _verdict(verdict: Verdict) -> JsonDict:
    selector = verdict.selector
    return {
        "accepted": verdict.error is None,
        "error": None if verdict.error is None else _error(verdict.error),
        "type": None if selector is None else selector.output_type,
        "maxCost": None if selector is None else selector.max_cost,
    }


def _error(error: CelError) -> JsonDict:
    # Documents count what fails when the program is made among what does not compile.
    kind = "type" if error.kind == "program" else error.kind
    return {"kind": kind, "message": error.message, "offset": error.offset}


def _answer(answer: Answer) -> JsonDict:
    result = answer.result
    written: JsonDict = {
        **answer.device.id._asdict(),
        "result": None if isinstance(result, CelError) else result,
        "error": _error(result) if isinstance(result, CelError) else None,
    }
    if answer.cost is not None:
        written["cost"] = answer.cost
        written["parts"] = [_part(part) for part in answer.parts]
    if answer.opinion is not None:
        written["celpy"] = answer.opinion
    return written


def _part(part: Part) -> JsonDict:
    return {
        "depth": part.depth,
        "start": part.start,
        "end": part.end,
        "text": part.text,
        "times": part.times,
        "values": [
            {"error": value.message} if isinstance(value, CelError) else {"value": shown(value)}
            for value in part.values
        ],
    }
