"""What callers of the Python API pass beside documents: whether it has the right form at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dractl.api.release import UnknownMinorError

__all__ = [
    "check_gates",
    "check_labels",
    "check_minor",
    "check_node_order",
    "check_replicas",
    "check_version",
]


def check_minor(value: object) -> None:
    """Raise UnknownMinorError if a minor, or a range of minors, is not given as text."""
    if not isinstance(value, str):
        raise UnknownMinorError(f"a Kubernetes minor is given as text, such as '1.37', not as {value!r}")


def check_gates(value: object) -> None:
    """Raise TypeError if the argument ``feature_gates`` is no mapping of names; values are judged later."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise TypeError(f"feature_gates: a mapping such as {{'DRAX': True}} is expected, not {_kind(value)}")
    for name in value:
        if not isinstance(name, str):
            raise TypeError(f"feature_gates: the name of a gate is a text, and {name!r} is {_kind(name)}")


def check_labels(value: object) -> None:
    """Raise TypeError if the argument ``namespace_labels`` does not hold the labels of namespaces."""
    if value is None:
        return
    form = "{'NAME': {'KEY': 'VALUE'}}"
    if not isinstance(value, Mapping):
        raise TypeError(f"namespace_labels: a mapping such as {form} is expected, not {_kind(value)}")
    for namespace, labels in value.items():
        if not isinstance(namespace, str):
            raise TypeError(f"namespace_labels: the name of a namespace is a text, and {namespace!r} is none")
        if not isinstance(labels, Mapping):
            raise TypeError(
                f"namespace_labels: labels are given as in {form}; those of {namespace!r} are {_kind(labels)}"
            )
        for key, label in labels.items():
            if not (isinstance(key, str) and isinstance(label, str)):
                raise TypeError(
                    f"namespace_labels: labels of {namespace!r} are texts; {key!r}: {label!r} is no such pair"
                )


def check_node_order(value: object) -> None:
    """Raise TypeError if the argument ``node_order`` is no sequence of names; a text alone is none."""
    if value is None:
        return
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"node_order: a list of names such as ['node-a'] is expected, not {_kind(value)}")
    for name in value:
        if not isinstance(name, str):
            raise TypeError(f"node_order: the name of a node is a text, and {name!r} is {_kind(name)}")


def check_replicas(value: object) -> None:
    """Raise TypeError if ``replicas`` maps no names to integers, ValueError for negative ones."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise TypeError(f"replicas: a mapping such as {{'train': 2}} is expected, not {_kind(value)}")
    for name, number in value.items():
        if not isinstance(name, str):
            raise TypeError(f"replicas: the name of a workload is a text, and {name!r} is {_kind(name)}")
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"replicas: {name!r} gets an int, and {number!r} is {_kind(number)}")
        if number < 0:
            raise ValueError(f"replicas: {name!r} cannot have {number} pods")


def check_version(value: object) -> None:
    """Raise TypeError if the argument ``to``, an API version, is no text."""
    if not isinstance(value, str):
        raise TypeError(f"to: an API version such as 'resource.k8s.io/v1' is expected, not {_kind(value)}")


def _kind(value: object) -> str:
    return "None" if value is None else f"a Python {type(value).__name__}"
