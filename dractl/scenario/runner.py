"""Plays a scenario on a cluster, and keeps the state after each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from dractl.api.gates import GateSet
from dractl.api.json_types import JsonObject, Object
from dractl.cel.common.environment import Environment
from dractl.cluster.objects import DEFAULT_NAMESPACE, full_name, key_of, key_of_identity
from dractl.cluster.quota import Ledger, counts_extended
from dractl.cluster.scaling import scaled
from dractl.finding import Location
from dractl.lint.earlier import Earlier
from dractl.records import NamedTuple
from dractl.scenario.changes import changes_between
from dractl.scenario.prototypes import PrototypeStage
from dractl.scenario.scenario import Step
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.cluster import Cluster
from dractl.simulation.engine.report import Explain, Given, Simulation
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods.outcome import LeftOut, Outcome
from dractl.source.document import Document
from dractl.source.load import Loaded
from dractl.workflows.explaining import explainer, given
from dractl.workflows.simulate import Intake, origin, take_in
from dractl.workflows.validate import EarlierState, Labels, Namespaces

__all__ = ["Played", "State", "play"]

SCHEMA = "dractl.simulate-scenario/1"

_START = "at the start"


class State(NamedTuple):
    """The cluster after a step, or at the start.

    ``changes`` are sentences, ``problems`` are the parts of the step that failed. ``simulation.left_out``
    has only the objects of this step.
    """

    title: str
    place: Location | None
    changes: tuple[str, ...]
    problems: tuple[str, ...]
    simulation: Simulation

    def to_dict(self) -> dict[str, Any]:
        """The entry of the JSON document."""
        document = self.simulation.to_dict()
        for name in ("schema", "kubeVersion", "featureGates", *self.simulation.scheduler_entries()):
            del document[name]
        place = self.place and {"file": self.place.file, "line": self.place.line, "column": self.place.column}
        return {
            "step": self.title,
            "location": place,
            "changes": list(self.changes),
            "problems": list(self.problems),
            **document,
        }


class Played(NamedTuple):
    """A scenario with all its states, that at the start first."""

    about: str
    states: tuple[State, ...]

    @property
    def last(self) -> Simulation:
        """The final state."""
        return self.states[-1].simulation

    @property
    def ok(self) -> bool:
        """Whether every step could be done, nothing was left out, and nothing is pending in the end."""
        return not self.last.pending and not any(
            state.problems or state.simulation.left_out for state in self.states
        )

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of ``dractl simulate --scenario FILE --format json``."""
        return {
            "schema": SCHEMA,
            "kubeVersion": self.last.kube_version,
            "featureGates": dict(self.last.feature_gates),
            **self.last.scheduler_entries(),
            "about": self.about,
            "states": [state.to_dict() for state in self.states],
        }


def play(  # noqa: PLR0913 - what describes a cluster and its story
    loaded: Iterable[Loaded],
    gates: GateSet,
    namespace_labels: Labels | None,
    steps: Sequence[Step],
    *,
    about: str = "",
    node_order: Sequence[str] = (),
    replicas: Mapping[str, int] = MappingProxyType({}),
    allowance: Allowance | None = None,
    allocate_unreferenced: bool = False,
    scheduler: GateSet | None = None,
    dialect: str | None = None,
) -> Played:
    """The states of a cluster that starts with ``loaded``, and to which ``steps`` happen.

    A claim that no pod refers to is not allocated, as in a cluster, unless ``allocate_unreferenced`` is set.
    Raises scaling.ScaleError for replicas of what cannot be scaled. Several scenarios share an ``allowance``
    where they are one run; once it is spent, no further step is done. ``scheduler`` has the gates of the
    scheduler, if they are not those of the server. ``dialect`` is that of prototypes whose shape does not
    tell.
    """
    everything = list(loaded)
    allowance = allowance or Allowance()
    allowance.begin(map(origin, (*everything, *(item for step in steps for item in step.loaded))))
    prototypes = PrototypeStage(node_order, dialect)
    intake = take_in(prototypes.bring(everything), gates, namespace_labels, scheduler)
    stage = _Stage(
        everything,
        intake,
        prototypes,
        namespace_labels,
        node_order,
        replicas,
        allowance,
        allocate_unreferenced=allocate_unreferenced,
    )
    states = [stage.state(_START, None, [])]
    for number, step in enumerate(steps):
        if not allowance.has_steps():
            left = len(steps) - number
            not_run = f"{left} step{'s' * (left != 1)} not run, starting with {step.title}"
            states.append(State(step.title, step.place, (), (not_run,), stage.simulation()))
            break
        problems = stage.do(step)
        states.append(stage.state(step.title, step.place, problems, states[-1].simulation))
    return Played(about, tuple(states))


class _Stage:
    """The cluster, and what is known of the objects that went into it."""

    def __init__(
        self,
        loaded: Sequence[Loaded],
        intake: Intake,
        prototypes: PrototypeStage,
        labels: Labels | None,
        node_order: Sequence[str],
        replicas: Mapping[str, int],
        allowance: Allowance,
        *,
        allocate_unreferenced: bool,
    ) -> None:
        self._allowance = allowance
        self._labels = labels
        self._namespaces = [item for item in loaded if _is_namespace(item)]
        self._prototypes = prototypes
        self._intake = intake
        self._notes: list[str] = []
        self._left_out: list[LeftOut] = []
        refused = {
            key_of_identity(entry.object): entry.reason
            for entry in (*self._intake.left_out, *self._intake.unused)
        }
        settings = Settings(
            features_of(intake.scheduler),
            Environment(intake.scheduler.minor, intake.scheduler, stored=True),
            tuple(node_order),
            evicts=True,
            left_out=refused,
            allowance=allowance,
            allocates_unreferenced=allocate_unreferenced,
        )
        self._cluster = Cluster(
            intake.within_quotas(scaled(intake.objects(), replicas)), settings, is_tended=True
        )

    def do(self, step: Step) -> list[str]:
        """Do a step, let the cluster come to rest, and answer what could not be done."""
        if step.word in ("apply", "publish"):
            problems = self._bring(step)
        else:
            subjects = [_subject(step.word, subject) for subject in step.subjects]
            answers = [
                None if self._prototypes.end(step.word, subject) else self._cluster.do(step.word, subject)
                for subject in subjects
            ]
            problems = [answer for answer in answers if answer is not None]
        self._cluster.rest()
        return problems

    def state(
        self, title: str, place: Location | None, problems: Sequence[str], before: Simulation | None = None
    ) -> State:
        """The state by now; what was left out and warned of since the last one goes with it."""
        simulation = self.simulation()
        self._allowance.show(len(simulation.outcome.objects))
        removals = {gone.pod: gone.reason for gone in self._cluster.removals}
        self._cluster.removals.clear()
        changed = () if before is None else changes_between(before.outcome, simulation.outcome, removals)
        changes = [*self._notes, *changed]
        self._notes.clear()
        return State(title, place, tuple(changes), tuple(problems), simulation)

    def simulation(self) -> Simulation:
        """The cluster by now, with what was left out and warned of since this was last asked."""
        outcome = self._cluster.outcome()
        left_out = (*self._intake.left_out, *outcome.left_out)
        self._left_out += self._intake.left_out
        outcome = outcome._replace(left_out=left_out)
        simulation = self._prototypes.shown(self._intake.simulation(outcome, *self._explaining(outcome)))
        self._intake.left_out.clear()
        self._intake.findings.clear()
        return simulation

    def _explaining(self, outcome: Outcome) -> tuple[Explain, Given]:
        """How to explain what waits now, and the state that explanations start from."""
        labels = Namespaces(self._labels, self._namespaces).labels
        start = given(outcome.objects, self._intake.changed, labels, lambda *of: take_in(*of).objects())
        left_out = (*self._left_out, *self._intake.unused)
        return explainer(self._intake.scheduler, left_out, start), start

    def _bring(self, step: Step) -> list[str]:
        """Create or update the objects of a step; those that the server refuses are left out."""
        self._allowance.judge(len(step.loaded))
        past = EarlierState(Earlier(source.document for source in self._intake.sources.values()))
        loaded = self._prototypes.bring(step.loaded) if step.word == "apply" else step.loaded
        objects = self._intake.admit([*self._namespaces, *loaded], self._labels, past)
        self._namespaces += [item for item in step.loaded if _is_namespace(item)]
        if step.word == "publish":
            others = [item["kind"] for item in objects if item["kind"] != "ResourceSlice"]
            if others:
                return [f"only ResourceSlices can be published, not {', '.join(others)}"]
            answer = self._cluster.do("publish", objects)
            return [] if answer is None else [answer]
        problems = []
        for item in objects:
            api_objects = self._cluster.scheduler.api_objects
            there = api_objects.find(key_of(item))
            is_limited = item["kind"] in ("ResourceClaim", "Pod") and api_objects.of_kind("ResourceQuota")
            if there is None and is_limited:
                excess = Ledger(api_objects, extended=counts_extended(self._intake.gates)).excess(item)
                if excess is not None:
                    problems.append(f"{item['kind']} {full_name(item)} is rejected: {excess}")
                    continue
            if there is not None and _wants_rollout(there, item):
                self._notes.append(f"{item['kind']} {full_name(item)} {_NO_ROLLOUT}")
            self._cluster.do("create", item if there is None else updated(there, item))
        return problems


_ROLLED_OUT = frozenset({"Deployment", "StatefulSet", "DaemonSet"})
_NO_ROLLOUT = (
    "changes its pod template; rollouts are not simulated, so existing pods keep theirs and only new "
    "pods may get it"
)


def _wants_rollout(there: Object, item: Object) -> bool:
    """Whether the workload's controller would replace the pods that are there."""
    return item["kind"] in _ROLLED_OUT and there["spec"].get("template") != item["spec"].get("template")


def updated(there: Object, item: Object) -> Object:
    """An object as a client applies it to the one that is there: what it does not say of the metadata stays.

    A pod stays on its node. The status stays, too, whatever the new text says: with a status subresource the
    server takes it from the old object. Only that of a Node counts, since it is what its kubelet reports.
    """
    metadata = {**there["metadata"], **item["metadata"]}
    changed = {**item, "metadata": metadata}
    if item["kind"] != "Node" or "status" not in item:
        changed.pop("status", None)
        if "status" in there:
            changed["status"] = there["status"]
    node = (there.get("spec") or {}).get("nodeName")
    if item["kind"] == "Pod" and node and not item["spec"].get("nodeName"):
        changed["spec"] = {**item["spec"], "nodeName": node}
    return changed


def _is_namespace(item: Loaded) -> bool:
    value = item.value if isinstance(item, Document) else None
    return isinstance(value, dict) and value.get("kind") == "Namespace"


_ABOUT_PODS = frozenset({"complete", "fail", "timeout"})
_ABOUT_NODES = frozenset({"cordon", "uncordon", "drain"})


def _subject(word: str, subject: Any) -> JsonObject:
    """The subjects of a step, as the cluster names them."""
    if word in _ABOUT_PODS:
        namespace, _, name = subject.rpartition("/")
        return {"kind": "Pod", "namespace": namespace or DEFAULT_NAMESPACE, "name": name}
    if word in _ABOUT_NODES:
        return {"node": subject}
    if word == "conditions":
        namespace, _, name = subject["claim"].rpartition("/")
        return {**subject, "namespace": namespace or DEFAULT_NAMESPACE, "claim": name}
    found: JsonObject = subject
    return found
