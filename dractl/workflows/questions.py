"""From a name to why that pod or claim waits, or why it got its node and devices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonDict
from dractl.api.wording import did_you_mean
from dractl.cel.common.work import WORK
from dractl.cluster.objects import Key, Objects, allocation_of, key_of
from dractl.explanation.diagnosis import explain
from dractl.explanation.document import SCHEMA, document
from dractl.explanation.model import Explanation
from dractl.explanation.one_device import DeviceStep, device_steps
from dractl.explanation.placed import PlacedPod, lost_by_score, placed_lines, unplaced
from dractl.explanation.remedies.attach import with_remedies
from dractl.explanation.wording import lines
from dractl.explanation.world import World
from dractl.records import NamedTuple
from dractl.simulation.engine.report import Given, Simulation
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.outcome import KNOWN_FAULT, Outcome, Pending, PodOutcome
from dractl.workflows.lone_claims import UNUSED, LoneClaim
from dractl.workflows.subjects import NotFoundError, Subject, subject
from dractl.workflows.why import explanations, for_equal_pod, pod_key, settings_of

__all__ = ["NotFoundError", "Question", "Why", "answer", "document_of"]


class Question(NamedTuple):
    """What is asked: a name (None: everything that is pending), and about which node and device only.

    Unless it ``asks_for_help`` no changes are tried.
    """

    name: str | None
    node: str | None = None
    device: str | None = None
    asks_for_help: bool = True


class Why(NamedTuple):
    """Why one pod or claim waits, or got what it got.

    ``explanation`` is None where nothing waits; ``lines`` then tell why it is where it is. ``devices`` is
    what becomes of the device that was asked for. ``world`` is the cluster in which the ways out of the
    explanation were tried, and ``like`` an equal pod that was tried in its place. ``event`` is that of the
    scheduler, if the simulation has it. ``kind`` is that of a subject that is not a pod.
    """

    subject: str
    explanation: Explanation | None
    lines: tuple[str, ...] = ()
    placed: PlacedPod | None = None
    devices: tuple[DeviceStep, ...] = ()
    world: World | None = None
    like: str | None = None
    event: str | None = None
    kind: str = "ResourceClaim"

    def to_dict(self) -> JsonDict:
        """The JSON document."""
        if self.explanation is not None:
            found = document(self.explanation)
            if self.lines or self.explanation.details:
                found["lines"] = [*self.lines, *self.explanation.details]
        else:
            found = {
                "schema": SCHEMA,
                "pod": self.subject if self.placed is not None else None,
                **({} if self.placed is not None else {_member(self.kind): self.subject}),
                "category": None,
                "when": None,
                "summary": self.lines[0],
                "fitsEmpty": [],
                "groups": [],
                "conflict": [],
                "waysOut": [],
                "cut": False,
                "placed": {"node": None if self.placed is None else self.placed.pod.node},
                "lines": list(self.lines),
            }
        if self.event is not None:
            found["event"] = self.event
        if self.devices:
            found["devices"] = [{**step._asdict(), "device": step.device._asdict()} for step in self.devices]
        return found


def _member(kind: str) -> str:
    """What the document calls a subject that is not a pod."""
    return "claim" if kind == "ResourceClaim" else "owner"


def document_of(answers: list[Why], *, is_list: bool) -> JsonDict:
    """The JSON document of one answer, or of all of them."""
    if not is_list:
        return answers[0].to_dict()
    return {"schema": f"{SCHEMA.partition('/')[0]}-all/1", "pending": [entry.to_dict() for entry in answers]}


@WORK.run()
def answer(simulation: Simulation, gates: GateSet, question: Question) -> list[Why]:
    """Why what is named waits, or is where it is. Raises NotFoundError."""
    outcome = simulation.outcome
    settings = settings_of(gates, simulation.left_out)
    if question.node is not None and question.node not in outcome.nodes:
        raise NotFoundError(f"unknown node {question.node}{_meant(question.node, outcome.nodes)}")
    if question.name is None and not simulation.can_explain:
        return [_waiting(row, None) for row in outcome.pending]
    if question.name is None:
        return list(_all(outcome, settings, simulation.given, is_helped=question.asks_for_help))
    apart = _apart(outcome)
    asked = subject(question.name, outcome, simulation.left_out, apart)
    key, full = asked.key, asked.full_name
    if key in apart:
        return [_of_prototype(full, key, outcome, question)]
    if asked.has_pods:
        return _of_pods(asked, simulation, settings, question)
    if key.kind == "ResourceClaim":
        return [_claim(full, key, simulation, settings, question)]
    row = next((row for row in outcome.pending if row.pod == full), None)
    if row is not None and not simulation.can_explain:
        return [_waiting(row, None)]
    world = World(outcome.objects, settings, key)
    if row is None:
        return [_placed(full, outcome, world, question)]
    devices = () if question.device is None else _device_steps(world, question)
    if question.node is not None:
        return [Why(full, _on_node(world, row, question.node), devices=devices)]
    found = explain(world, row)
    if question.asks_for_help and not devices:
        found = with_remedies(found, world, row, simulation.given)
    return [Why(full, found, _faults(simulation, full), devices=devices, world=world, event=row.event)]


def _faults(simulation: Simulation, pod: str) -> tuple[str, ...]:
    """The known faults of the release that decide about a pod, with the release that mends each."""
    return tuple(
        note.message for note in simulation.outcome.notes if note.code == KNOWN_FAULT and pod in note.pods
    )


def _of_pods(asked: Subject, simulation: Simulation, settings: Settings, question: Question) -> list[Why]:
    """Why the pods of a workload or group wait, equal ones once."""
    outcome = simulation.outcome
    for option, value in (("--node", question.node), ("--device", question.device)):
        if value is not None:
            raise NotFoundError(f"{option} requires the name of a pod, not of a {asked.key.kind}")
    members = frozenset(asked.pods)
    rows = tuple(row for row in outcome.pending if row.pod in members)
    if rows and not simulation.can_explain:
        return [_waiting(row, None) for row in rows]
    if rows:
        waiting = outcome._replace(pending=rows)
        return list(_all(waiting, settings, simulation.given, is_helped=question.asks_for_help))
    number = len(asked.pods)
    told = (
        "has no pods"
        if not number
        else f"none of its {number} pods is Pending"
        if number > 1
        else f"its pod {asked.pods[0]} is not Pending"
    )
    return [Why(asked.full_name, None, (told,), kind=asked.key.kind)]


def _apart(outcome: Outcome) -> list[Key]:
    """The pods and claims of prototypes, which are not among the objects of the outcome."""
    known = set(map(key_of, outcome.objects))
    claims = dict.fromkeys(
        (*(row.claim for row in outcome.placements), *(row.claim for row in outcome.pending if row.claim))
    )
    named = [*(("Pod", pod.pod) for pod in outcome.pods), *(("ResourceClaim", claim) for claim in claims)]
    keys = (Key(kind, *name.split("/", 1)) for kind, name in named)
    return [key for key in keys if key not in known]


def _of_prototype(full: str, key: Key, outcome: Outcome, question: Question) -> Why:
    """Why a pod or claim of a prototype waits, or which devices it got; no more is known of it."""
    if question.device is not None:
        raise NotFoundError(f"{full} is of a prototype API; --device explains pods of released APIs only")
    is_pod = key.kind == "Pod"
    row = next((row for row in outcome.pending if (row.pod if is_pod else row.claim) == full), None)
    if row is not None:
        refusal = row.nodes.get(question.node or "")
        return _waiting(row._replace(category=refusal[0], message=refusal[1]) if refusal else row, None)
    rows = [row for row in outcome.placements if (row.pod if is_pod else row.claim) == full]
    devices = dict.fromkeys(f"{row.driver}/{row.pool}/{row.device} for request {row.request}" for row in rows)
    if not is_pod:
        return Why(full, None, ("allocated", *devices))
    pod = next(entry for entry in outcome.pods if entry.pod == full)
    elsewhere = (
        f", the first that fits, and not on {question.node}" if question.node not in (None, pod.node) else ""
    )
    return Why(full, None, (f"on node {pod.node}{elsewhere}", *devices), PlacedPod(pod, tuple(rows)))


def _all(outcome: Outcome, settings: Settings, given: Given | None, *, is_helped: bool) -> Iterator[Why]:
    """Why each pod and claim waits; what would help is looked for once for equal pods."""
    objects = Objects(outcome.objects)
    known: dict[str | None, Explanation] = {}
    found = explanations(outcome, settings, objects, is_limited=False)
    for row, (explanation, like) in zip(outcome.pending, found, strict=True):
        if explanation is None or not is_helped:
            yield _waiting(row, explanation)
        elif like is not None:
            yield Why(row.pod or "", for_equal_pod(known[like], row, objects), like=like, event=row.event)
        else:
            world = World(outcome.objects, settings, pod_key(row))
            known[row.pod] = with_remedies(explanation, world, row, given)
            yield Why(row.pod or "", known[row.pod], world=world, event=row.event)


def _waiting(row: Pending, explanation: Explanation | None) -> Why:
    told = explanation or Explanation(row.pod, row.claim, row.category, row.message, None, (), ())
    return Why(row.pod or row.claim or "", told, event=row.event)


def _on_node(world: World, row: Pending | None, node: str) -> Explanation:
    """The explanation for one node only."""
    refusal = None if row is None else row.nodes.get(node)
    if row is None or refusal is None:
        return explain(world, row, node=node)
    return explain(world, row._replace(category=refusal.category, message=refusal.message), node=node)


def _device_steps(world: World, question: Question) -> tuple[DeviceStep, ...]:
    device = question.device or ""
    found = device_steps(world, device, question.node)
    if not found:
        known = dict.fromkeys(step.device.device for step in device_steps(world, "", question.node))
        raise NotFoundError(f"no request of the pod can be met by a device {device}{_meant(device, known)}")
    return tuple(found)


def _claim(full: str, key: Key, simulation: Simulation, settings: Settings, question: Question) -> Why:
    """A claim: why it waits, on which node its devices are, or what it would get if a pod referred to it."""
    outcome = simulation.outcome
    row = next((row for row in outcome.pending if row.claim == full), None)
    if row is not None:
        return _waiting(row, None)
    item = next(item for item in outcome.objects if key_of(item) == key)
    user = next((pod.pod for pod in outcome.pods if _uses(pod, key)), None)
    waiting = next((row for row in outcome.pending if row.pod is not None and row.pod == user), None)
    allocation = allocation_of(item)
    if waiting is not None and allocation is None:
        return _of_user(waiting, simulation, settings, question)
    if allocation is None and user is None and simulation.can_explain:
        return _unused(full, LoneClaim(key, outcome, settings), simulation, question)
    if allocation is None:
        return Why(full, None, ("not allocated: no pod that can be scheduled uses it",))
    devices = [
        f"{result['driver']}/{result['pool']}/{result['device']} for request {result['request']}"
        for result in (allocation.get("devices") or {}).get("results") or ()
    ]
    by = "" if user is None else f" for pod {user} (dractl why pod/{user} explains these devices)"
    return Why(full, None, (f"allocated{by}", *devices))


def _uses(pod: PodOutcome, claim: Key) -> bool:
    return pod.pod.partition("/")[0] == claim.namespace and claim.name in pod.claims.values()


def _of_user(row: Pending, simulation: Simulation, settings: Settings, question: Question) -> Why:
    """Why the pod waits for which a claim would be allocated."""
    alone = simulation.outcome._replace(pending=(row,))
    if not simulation.can_explain:
        return _waiting(row, None)
    return next(_all(alone, settings, simulation.given, is_helped=question.asks_for_help))


def _unused(full: str, lone: LoneClaim, simulation: Simulation, question: Question) -> Why:
    """Why a claim that no pod refers to is not allocated, and what would become of it with a pod."""
    devices = lone.allocated()
    if devices is not None:
        would = "a pod that refers to it would get:" if devices else "with a pod it would be allocated"
        return Why(full, None, (f"not allocated: {UNUSED}", would, *devices))
    found = lone.explanation(simulation.given, asks_for_help=question.asks_for_help)
    told = f"{UNUSED}; with a pod it would still wait:"
    return Why(full, found, (told,), world=lone.world)


def _placed(full: str, outcome: Outcome, world: World, question: Question) -> Why:
    pod = next(entry for entry in outcome.pods if entry.pod == full)
    placed = PlacedPod(pod, tuple(row for row in outcome.placements if row.pod == full))
    before = unplaced(world)
    if question.node not in (None, pod.node):
        node = question.node or ""
        if node in pod.scores:
            return Why(full, None, (lost_by_score(pod, node),), placed)
        told = lines(_on_node(before, None, node))
        return Why(
            full, None, (f"on node {pod.node}, and not on {node}, where it does not fit:", *told), placed
        )
    devices = () if question.device is None else _device_steps(before, question)
    return Why(full, None, tuple(placed_lines(placed, outcome, before)), placed, devices)


def _meant(name: str, known: Iterable[str]) -> str:
    near = did_you_mean(name, known)
    return f"; {near}" if near else ""
