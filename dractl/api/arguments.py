"""What callers of the Python API pass next to documents: whether it has the right form at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from dractl.api.release import UnknownMinorError

__all__ = [
    "FieldValidation",
    "check_copies",
    "check_expressions",
    "check_field_validation",
    "check_gates",
    "check_labels",
    "check_minor",
    "check_name",
    "check_names",
    "check_node_order",
    "check_paths",
    "check_prices",
    "check_replicas",
    "check_rules",
    "check_schemas",
    "check_server",
    "check_version",
]

FieldValidation = Literal["strict", "warn", "ignore"]
"""What a server does with unknown and duplicate fields: refuse, drop with a warning, or drop them."""


def check_minor(value: object) -> None:
    """Raise UnknownMinorError if a minor, or a range of minors, is not given as text."""
    if not isinstance(value, str):
        raise UnknownMinorError(f"expected a Kubernetes minor as a string, such as '1.37', got {value!r}")


def check_server(minors: object, feature_gates: object, namespace_labels: object) -> None:
    """Raise what the checks of these three arguments raise; most functions have them."""
    check_minor(minors)
    check_gates(feature_gates)
    check_labels(namespace_labels)


def check_field_validation(value: object) -> None:
    """Raise TypeError or ValueError if the argument ``field_validation`` is not one of its words."""
    allowed = ", ".join(map(repr, get_args(FieldValidation)))
    if not isinstance(value, str):
        raise TypeError(f"field_validation: expected one of {allowed}, got {_kind(value)}")
    if value not in get_args(FieldValidation):
        raise ValueError(f"field_validation: expected one of {allowed}, got {value!r}")


def check_gates(value: object, name: str = "feature_gates") -> None:
    """Raise TypeError if the argument ``name`` does not map gates to values; values are judged later."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}: expected a mapping such as {{'DRAX': True}}, got {_kind(value)}")
    _check_strings(value, name, "gate name")


def check_expressions(value: object) -> list[str]:
    """The expressions that the argument ``expression`` holds; raises TypeError if it holds none."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise TypeError(f"expression: expected a string or several, got {_kind(value)}")
    found = []
    for text in value:
        if not isinstance(text, str):
            raise TypeError(f"expression: expected a string, got {text!r}")
        found.append(text)
    return found


def check_name(value: object, argument: str) -> None:
    """Raise TypeError if an ``argument`` that names something is neither a string nor None."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{argument}: expected a name as a string, got {_kind(value)}")


def check_names(value: object, argument: str) -> None:
    """Raise TypeError if an ``argument`` is neither a name nor a sequence of names."""
    if isinstance(value, str):
        return
    if isinstance(value, bytes) or not isinstance(value, Sequence):
        raise TypeError(f"{argument}: expected a name or a list of names, got {_kind(value)}")
    _check_strings(value, argument)


def check_copies(value: object) -> None:
    """Raise TypeError if the argument ``pod`` of ``size`` is neither a name nor a mapping by names."""
    if value is None or isinstance(value, str):
        return
    if not isinstance(value, Mapping):
        raise TypeError(f"pod: expected a name or a mapping such as {{'train': 2}}, got {_kind(value)}")
    _check_strings(value, "pod")


def check_prices(value: object) -> None:
    """Raise TypeError if the argument ``prices`` maps no names of nodes to values; these are judged later."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise TypeError(f"prices: expected a mapping such as {{'node-a': 2}}, got {_kind(value)}")
    _check_strings(value, "prices")


def _check_strings(names: Iterable[object], argument: str, what: str = "name") -> None:
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{argument}: a {what} must be a string, but {name!r} is {_kind(name)}")


def check_paths(value: object) -> list[str]:
    """The paths in the argument ``paths``; raises TypeError if it is not a path or several.

    Raises ValueError for YAML text, which a string is to most other functions.
    """
    if isinstance(value, str | os.PathLike):
        return [_path(value)]
    if isinstance(value, bytes) or not isinstance(value, Iterable):
        raise TypeError(f"paths: expected a path or several, got {_kind(value)}")
    return list(map(_path, value))


def _path(value: object) -> str:
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        raise TypeError(f"paths: expected a path, got {_kind(value)}")
    if "\n" in path:
        raise ValueError("paths: expected a path, got several lines; write them to a file")
    return path


def check_labels(value: object) -> None:
    """Raise TypeError if the argument ``namespace_labels`` does not hold the labels of namespaces."""
    if value is None:
        return
    form = "{'NAME': {'KEY': 'VALUE'}}"
    if not isinstance(value, Mapping):
        raise TypeError(f"namespace_labels: expected a mapping such as {form}, got {_kind(value)}")
    for namespace, labels in value.items():
        if not isinstance(namespace, str):
            raise TypeError(f"namespace_labels: a namespace name must be a string, not {namespace!r}")
        if not isinstance(labels, Mapping):
            raise TypeError(
                f"namespace_labels: expected labels as in {form}, got {_kind(labels)} for {namespace!r}"
            )
        for key, label in labels.items():
            if not (isinstance(key, str) and isinstance(label, str)):
                raise TypeError(
                    f"namespace_labels: labels of {namespace!r} must be strings, got {key!r}: {label!r}"
                )


def check_node_order(value: object) -> None:
    """Raise TypeError if the argument ``node_order`` is not a sequence of names; a text alone is none."""
    if value is None:
        return
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"node_order: expected a list of names such as ['node-a'], got {_kind(value)}")
    _check_strings(value, "node_order", "node name")


def check_replicas(value: object) -> None:
    """Raise TypeError if ``replicas`` maps no names to integers, ValueError for negative ones."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise TypeError(f"replicas: expected a mapping such as {{'train': 2}}, got {_kind(value)}")
    for name, number in value.items():
        if not isinstance(name, str):
            raise TypeError(f"replicas: a workload name must be a string, but {name!r} is {_kind(name)}")
        if not isinstance(number, int) or isinstance(number, bool):
            raise TypeError(f"replicas: {name!r} must be an int, but {number!r} is {_kind(number)}")
        if number < 0:
            raise ValueError(f"replicas: {name!r} cannot have {number} pods")


def check_rules(value: object, name: str) -> None:
    """Raise TypeError if the argument ``name`` is a single string, or not a list of rule ids."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name}: expected a list of rule ids such as ['request/*'], got {_kind(value)}")
    _check_strings(value, name, "rule id")


def check_schemas(value: object) -> None:
    """Raise TypeError or ValueError if ``config_schema`` does not map DRIVER/KIND to paths or schemas."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise TypeError(
            f"config_schema: expected a mapping such as {{'DRIVER/KIND': Path('FILE')}}, got {_kind(value)}"
        )
    for name, schema in value.items():
        driver, slash, kind = name.partition("/") if isinstance(name, str) else ("", "", "")
        if not (driver and slash and kind):
            raise ValueError(f"config_schema: expected DRIVER/KIND, got {name!r}")
        if not isinstance(schema, os.PathLike | Mapping):
            raise TypeError(f"config_schema: {name!r} must be a path or a schema, got {_kind(schema)}")


def check_version(value: object) -> None:
    """Raise TypeError if the argument ``to``, an API version, is not a string."""
    if not isinstance(value, str):
        raise TypeError(f"to: expected an API version such as 'resource.k8s.io/v1', got {_kind(value)}")


def _kind(value: object) -> str:
    return "None" if value is None else f"a Python {type(value).__name__}"
