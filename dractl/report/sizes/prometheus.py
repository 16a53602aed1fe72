"""A size as metrics in the text format of Prometheus, for a textfile collector or a push gateway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dractl.records import NamedTuple
from dractl.report.style import text_of
from dractl.sizing.model import Size

__all__ = ["render"]

_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})

Sample = tuple[Mapping[str, str], float | int]


class _Metric(NamedTuple):
    name: str
    about: str
    samples: Iterable[Sample]


def render(size: Size) -> str:
    """All numbers of a size; metrics without a sample are left out."""
    return text_of(line for metric in _metrics(size) for line in _lines(metric))


def _metrics(size: Size) -> Iterator[_Metric]:
    pod = {"pod": size.pod or ""}
    if size.fits is not None:
        yield _Metric("dractl_size_fits", "Copies of the pod that still fit.", [(pod, size.fits)])
        yield _Metric(
            "dractl_size_complete",
            "1 if copies were counted until one stayed Pending.",
            [(pod, int(size.is_complete))],
        )
    yield _Metric(
        "dractl_size_node_copies",
        "Copies that a node takes.",
        [
            ({"pod": name, "node": node}, node_size.copies.get(name, 0))
            for node, node_size in size.per_node.items()
            for name in (dict.fromkeys(unit for unit in _pods(size)))
        ],
    )
    yield _Metric(
        "dractl_size_limited_nodes",
        "Nodes that one more copy does not fit on, by what keeps it off.",
        [
            (
                {
                    "pod": entry.limit.pod,
                    "kind": entry.limit.kind,
                    "name": entry.limit.name,
                    "request": entry.limit.request,
                },
                len(entry.nodes),
            )
            for entry in size.limited_by
            if entry.limit.amounts is not None
        ],
    )
    yield _Metric(
        "dractl_size_class_devices",
        "Devices of a class that a copy counts against a ResourceQuota.",
        [({"pod": unit.pod, "class": unit.class_name}, unit.devices) for unit in size.units],
    )
    yield _Metric(
        "dractl_size_stranded",
        "Counter sets of which too little is left for their largest profile.",
        [
            (
                {
                    "driver": entry.driver,
                    "pool": entry.pool,
                    "counter_set": entry.counter_set,
                    "largest": entry.largest,
                    "fits": entry.fits or "",
                },
                1,
            )
            for entry in size.stranded
        ],
    )
    yield _Metric("dractl_size_pending_pods", "Pods that stay Pending.", [({}, len(size.queue))])
    yield _Metric(
        "dractl_size_add_nodes",
        "Nodes to add so that the pending pods fit.",
        [({"like": choice.like}, choice.nodes) for choice in size.add],
    )
    yield _Metric(
        "dractl_size_add_still_pending",
        "Pods that stay Pending with the added nodes.",
        [({"like": choice.like}, len(choice.still_pending)) for choice in size.add],
    )
    yield _Metric(
        "dractl_size_add_price",
        "Price of the added nodes.",
        [({"like": choice.like}, float(choice.cost)) for choice in size.add if choice.cost is not None],
    )


def _pods(size: Size) -> Iterator[str]:
    """The pods that are copied, without their weights."""
    for name in (size.pod or "").split(", "):
        yield name.partition("=")[0]


def _lines(metric: _Metric) -> Iterator[str]:
    samples = list(metric.samples)
    if not samples:
        return
    yield f"# HELP {metric.name} {metric.about}"
    yield f"# TYPE {metric.name} gauge"
    for labels, value in samples:
        inner = ",".join(f'{name}="{text.translate(_ESCAPES)}"' for name, text in labels.items())
        yield f"{metric.name}{{{inner}}} {value}" if inner else f"{metric.name} {value}"
