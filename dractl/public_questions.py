"""The public functions that answer one question: about a selector, or about a pod or claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, overload

from dractl.api import arguments, gates, release
from dractl.api.wording import first_few
from dractl.source.load import load_or_raise

if TYPE_CHECKING:
    from dractl.public import Documents
    from dractl.workflows.cel import Examination
    from dractl.workflows.questions import Why

__all__ = ["cel", "why"]


def cel(
    expression: str | Iterable[str],
    docs: Documents = (),
    *,
    env: Literal["new", "stored", "both"] = "both",
    explain: bool = False,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    dialect: str | None = None,
) -> Examination:
    """Compile a selector, or several, and evaluate them for each device of the slices in ``docs``.

    ``new`` compiles as the API server does for new objects, with its limits on length and cost; ``stored`` as
    the scheduler does. The result has ``expressions``, each with a verdict for each environment, ``answers``
    for each device, and the devices that it ``matched``. With ``explain`` an answer has its cost and the
    values of the parts of the expression. ``dialect`` is as in :func:`dractl.validate`.

    Raises what :func:`dractl.validate` raises; also ValueError for an unknown ``env``.
    """
    from dractl.workflows import cel as run

    arguments.check_server(kube_version, feature_gates, None)
    texts = arguments.check_expressions(expression)
    environments = run.ENVIRONMENTS.get(str(env))
    if environments is None:
        raise ValueError(f"env: expected one of {', '.join(map(repr, run.ENVIRONMENTS))}, got {env!r}")
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    loaded = load_or_raise(docs)
    known = run.devices_in(loaded, gate_set)
    examined = [
        run.select_of_prototypes(loaded if dialect is not None or not known.devices else (), dialect, text)
        or run.examine(text, gate_set, environments, known.devices, explain=explain)
        for text in texts
    ]
    return run.Examination(gate_set, examined, len(examined) > 1, known.left_out)


@overload
def why(
    docs: Documents,
    name: str,
    *,
    node: str | None = ...,
    device: str | None = ...,
    kube_version: str = ...,
    feature_gates: Mapping[str, bool] | None = ...,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = ...,
    dialect: str | None = ...,
) -> Why: ...


@overload
def why(
    docs: Documents,
    name: None = ...,
    *,
    node: None = ...,
    device: None = ...,
    kube_version: str = ...,
    feature_gates: Mapping[str, bool] | None = ...,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = ...,
    dialect: str | None = ...,
) -> list[Why]: ...


def why(
    docs: Documents,
    name: str | None = None,
    *,
    node: str | None = None,
    device: str | None = None,
    kube_version: str = str(release.NEWEST),
    feature_gates: Mapping[str, bool] | None = None,
    namespace_labels: Mapping[str, Mapping[str, str]] | None = None,
    dialect: str | None = None,
) -> Why | list[Why]:
    """Explain why a pod or claim is Pending, or why it got its node and devices.

    ``docs`` describe a cluster, as for :func:`dractl.simulate`. ``name`` is ``[KIND/][NAMESPACE/]NAME``;
    without it the result is a list with everything that is Pending. A workload or group stands for its pods,
    which must wait for one reason. ``dialect`` is that of prototypes' objects. ``node`` and ``device`` ask
    about one of these only. An ``explanation`` of None means that nothing waits; ``lines`` then list what was
    allocated.

    Raises what :func:`dractl.validate` raises; questions.NotFoundError (a ValueError) for a name, a node or a
    device that ``docs`` do not have, and for an ambiguous name; ValueError for a workload whose pods wait for
    different reasons.
    """
    from dractl.workflows.mixed_input import simulate
    from dractl.workflows.questions import Question, answer

    arguments.check_server(kube_version, feature_gates, namespace_labels)
    for argument, value in (("name", name), ("node", node), ("device", device)):
        arguments.check_name(value, argument)
    if name is None and (node is not None or device is not None):
        raise ValueError("node and device require the name of a pod")
    gate_set = gates.resolve(release.parse(kube_version), feature_gates)
    simulation = simulate(load_or_raise(docs), gate_set, namespace_labels, dialect=dialect)
    answers = answer(simulation, gate_set, Question(name, node, device))
    if name is None:
        return answers
    first, *others = (entry for entry in answers if entry.like is None)
    if others:
        pods = first_few(entry.subject for entry in (first, *others))
        raise ValueError(f"the pods of {name} wait for different reasons; name one of {pods}")
    return first
