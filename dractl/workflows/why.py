"""From the outcome of a simulation to why its pods wait, each kind of pod explained once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, partial

from dractl.api import budgets
from dractl.api.gates import GateSet
from dractl.cel.common.environment import Environment
from dractl.cel.common.work import WORK
from dractl.cluster.objects import Key, Objects, allocation_of, key_of_identity
from dractl.explanation.diagnosis import explain
from dractl.explanation.document import entries, remedy_entries
from dractl.explanation.model import Explanation, Group, Unmet
from dractl.explanation.wording import lines, summary
from dractl.explanation.world import World
from dractl.simulation.allocator.model.allowance import Allowance
from dractl.simulation.allocator.model.features import features_of
from dractl.simulation.engine.report import Explained, Given, Help
from dractl.simulation.engine.settings import Settings
from dractl.simulation.pods import placements
from dractl.simulation.pods.outcome import LeftOut, Outcome, Pending
from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.special_claim import special_base

__all__ = ["explain_pending", "explanations", "for_equal_pod", "pod_key", "settings_of"]


def settings_of(gates: GateSet, left_out: Sequence[LeftOut] = ()) -> Settings:
    """The settings of the simulations that explain a pod, with a budget of their own."""
    allowance = Allowance()
    allowance.steps = allowance.granted = budgets.EXPLANATION_STEPS.value
    return Settings(
        features_of(gates),
        Environment(gates.minor, gates, stored=True),
        allowance=allowance,
        left_out={key_of_identity(entry.object): entry.reason for entry in left_out},
    )


@WORK.run()
def explain_pending(
    outcome: Outcome, gates: GateSet, left_out: Sequence[LeftOut] = (), given: Given | None = None
) -> list[Explained | None]:
    """Why each entry of ``outcome.pending`` waits, ready to be shown; None beyond the limits.

    What would help is only looked for where it is shown, and for a limited number of kinds of pods.
    """
    settings = settings_of(gates, left_out)
    objects = Objects(outcome.objects)
    found: list[Explained | None] = []
    helps: dict[str | None, Callable[[], Explanation]] = {}
    is_over = False
    for row, (explanation, like) in zip(
        outcome.pending, explanations(outcome, settings, objects), strict=True
    ):
        if explanation is None:
            found.append(None)
            continue
        told = () if like is not None else tuple(lines(explanation))
        if like is None and len(helps) < budgets.REMEDIED.value:
            helps[row.pod] = _remedied(explanation, outcome, settings, row, given)
        remedied = helps.get(like or row.pod)
        source: Callable[[], object] = partial(_same, explanation) if remedied is None else remedied
        if remedied is None:
            helped: Callable[[], Help] = partial(_untried, is_told=not is_over)
            is_over = True
        else:
            helped = _help(remedied, row, objects, is_told=like is None)
        short, document = summary(explanation), entries(explanation)
        found.append(Explained(short, told, document, like, helped, source, is_untried=remedied is None))
    return found


def _same(explanation: Explanation) -> Explanation:
    return explanation


def _remedied(
    explanation: Explanation, outcome: Outcome, settings: Settings, row: Pending, given: Given | None
) -> Callable[[], Explanation]:
    """Looks once for what would help, when that is first asked for."""

    @cache
    def look() -> Explanation:
        from dractl.explanation.remedies.attach import with_remedies  # --quiet shows none

        world = World(outcome.objects, settings, pod_key(row))
        with WORK.run():
            return with_remedies(explanation, world, row, given)

    return look


def _help(
    look: Callable[[], Explanation], row: Pending, objects: Objects, *, is_told: bool
) -> Callable[[], Help]:
    """What would help a pod, found for it or for an equal one."""

    def helped() -> Help:
        from dractl.explanation.remedies.wording import remedy_lines

        found = look()
        if is_told:
            return Help(tuple(remedy_lines(found)), remedy_entries(found))
        return Help((), remedy_entries(for_equal_pod(found, row, objects)))

    return helped


def _untried(*, is_told: bool) -> Help:
    """What is known beyond the limit; the message is printed once."""
    return Help((budgets.REMEDIED.message(),) if is_told else (), {"cut": True})


def pod_key(row: Pending) -> Key:
    """The key of the pod that waits."""
    namespace, _, name = (row.pod or "").partition("/")
    return Key("Pod", namespace, name)


def explanations(
    outcome: Outcome, settings: Settings, objects: Objects, *, is_limited: bool = True
) -> Iterator[tuple[Explanation | None, str | None]]:
    """The explanation of each entry of ``outcome.pending``, and the equal pod that it was made for.

    ``objects`` are those of the outcome. Beyond the limits on steps, and on explanations if it
    ``is_limited``, it is None.
    """
    known: dict[Hashable, Explanation] = {}
    looked_at = 0
    for row in outcome.pending:
        namespace, _, name = (row.pod or "").partition("/")
        item = objects.get("Pod", namespace, name)
        if item is None:
            # A claim that no pod refers to, or a pod of a prototype: no scheduler of a release looks at it.
            yield None, None
            continue
        pod = Pod(item)
        claims = placements.claim_names(pod)
        kind = _kind(row, pod, claims, objects)
        earlier = known.get(kind)
        if earlier is not None:
            yield for_equal_pod(earlier, row, objects), earlier.pod
            continue
        looked_at += max(1, len(outcome.nodes))
        is_over = is_limited and (
            len(known) >= budgets.EXPLANATIONS.value
            or (len(known) > 0 and looked_at > budgets.EXPLAINED_NODES.value)
        )
        if is_over or (settings.allowance is not None and settings.allowance.steps <= 0):
            yield None, None
            continue
        found = explain(World(outcome.objects, settings, pod_key(row)), row)
        known[kind] = found
        yield found, None


def _kind(row: Pending, pod: Pod, claims: Mapping[str, str | None], objects: Objects) -> Hashable:
    """What two pods have in common that wait for the same reasons; the name of a pod that has its own."""
    asked = []
    for claim in claims.values():
        item = objects.get("ResourceClaim", pod.namespace, claim or "")
        if item is not None and allocation_of(item) is not None:
            return row.pod
        asked.append(None if item is None else repr(item.get("spec")))
    return row.category, pod.namespace, repr(pod.spec), tuple(asked)


def _names(earlier: str | None, pod: str | None, objects: Objects) -> dict[str, str]:
    """The names of a pod and its claims in place of those of an equal pod."""
    namespace, _, name = (pod or "").partition("/")
    before, own = (_claims_of(entry, objects) for entry in (earlier, pod))
    names = {f"{namespace}/{before.get(entry)}": f"{namespace}/{claim}" for entry, claim in own.items()}
    earlier_name = (earlier or "").partition("/")[2]
    names[f"{namespace}/{_special(earlier_name)}"] = f"{namespace}/{_special(name)}"
    return names


def _claims_of(pod: str | None, objects: Objects) -> Mapping[str, str | None]:
    namespace, _, name = (pod or "").partition("/")
    item = objects.get("Pod", namespace, name)
    return {} if item is None else placements.claim_names(Pod(item))


def for_equal_pod(explanation: Explanation, row: Pending, objects: Objects) -> Explanation:
    """The explanation of an equal pod, with the names of this one and its claims."""
    names = _names(explanation.pod, row.pod, objects)

    def renamed(unmet: Unmet) -> Unmet:
        return unmet._replace(claim=names.get(unmet.claim, unmet.claim))

    def of_pod(group: Group) -> Group:
        return group._replace(
            claim=names.get(group.claim or "", group.claim),
            alternatives=tuple(map(renamed, group.alternatives)),
            others=tuple(map(renamed, group.others)),
        )

    def own(kind: str, name: str) -> str:
        if kind == "Pod" and name == explanation.pod:
            return row.pod or name
        return names.get(name, name) if kind == "ResourceClaim" else name

    return explanation._replace(
        pod=row.pod,
        message=row.message,
        groups=tuple(map(of_pod, explanation.groups)),
        conflict=tuple(
            part._replace(object=own(part.object_kind, part.object)) for part in explanation.conflict
        ),
        ways_out=tuple(
            way._replace(
                object=own(way.object_kind, way.object),
                also=tuple(other._replace(object=own(other.object_kind, other.object)) for other in way.also),
            )
            for way in explanation.ways_out
        ),
    )


def _special(pod: str) -> str:
    """The claim for the extended resources of a pod."""
    return special_base(pod).removesuffix("-")
