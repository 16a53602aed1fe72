"""What the pages of several commands have: who holds what, remarks, verdicts, rows up to a limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from dractl.api import budgets, release
from dractl.api.gates import GateSet, resolve
from dractl.cluster.devices import DeviceID
from dractl.report.html.model import Cell, Fact, Keys, Note, Notes, Picture, Row, Section, Table
from dractl.report.html.uses import Use
from dractl.report.text import counted

__all__ = [
    "device_cell",
    "facts_of",
    "filled",
    "gates_of",
    "holders",
    "notes",
    "overrides",
    "release_and_gates",
    "within",
]

Item = TypeVar("Item")


def gates_of(version: str, overrides: dict[str, bool]) -> GateSet:
    """The gates of a result, from the version and the overrides that it has."""
    return resolve(release.parse(version), overrides)


def overrides(gates: Iterable[tuple[str, bool]]) -> str:
    """The overrides of feature gates as they are written for ``--feature-gates``."""
    return ", ".join(f"{name}={str(value).lower()}" for name, value in gates)


def release_and_gates(kube_version: str, gates: Mapping[str, bool]) -> str:
    """The release, and the feature gates that are not the defaults."""
    shown = (f"Kubernetes {release.titled(kube_version)}", overrides(sorted(gates.items())))
    return ", ".join(filter(None, shown))


def within(items: Sequence[Item], noun: str) -> tuple[Sequence[Item], str]:
    """As many items as a page shows, and what to print about the others."""
    most = budgets.PAGE_ROWS.value
    more = len(items) - most
    if more <= 0:
        return items, ""
    return items[:most], budgets.PAGE_ROWS.message(more=counted(more, f"more {noun}"))


def notes(found: Iterable[tuple[str, str]], id_: str = "notes", title: str = "Notes") -> Notes:
    """A section of remarks: label and text."""
    return Notes(id_, title, tuple(Note(label, text) for label, text in found))


def filled(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections that have something to show."""
    return tuple(section for section in sections if not section.is_empty)


_USED = frozenset({"used", "placed", "shared", "gone"})


def facts_of(sections: Iterable[Section]) -> tuple[Fact, ...]:
    """How many devices the pictures among ``sections`` have, and how many of them are in use."""
    legend = [entry for section in sections if isinstance(section, Picture) for entry in section.legend]
    if not legend:
        return ()
    used, free, total = (
        sum(number for state, number in legend if wanted is None or state.style in wanted)
        for wanted in (_USED, {"free"}, None)
    )
    return Fact("devices in use", f"{used:,} of {total:,}"), Fact("devices free", f"{free:,}")


def holders(uses: Sequence[Use], title: str = "Who holds what", id_: str = "holders") -> Table:
    """All allocated devices with their claims and pods."""
    shown, more = within(uses, "allocated device")
    return Table(
        id_,
        title,
        "Allocated devices with the claims and pods that hold them",
        ("Claim", "Device", "Pods"),
        tuple(map(_holder, shown)),
        more,
    )


def device_cell(device: DeviceID, node: str | None, amounts: Mapping[str, str], *, is_admin: bool) -> Cell:
    """An allocated device with its node, its pool, and the capacity that is allocated of it."""
    share = ", ".join(f"{name}={amount}" for name, amount in amounts.items())
    parts = (share, "admin access" if is_admin else "")
    more = ", ".join(filter(None, parts))
    where = f"{device.driver}/{device.pool}"
    name = f"{device.device} on {node}" if node else device.device
    return Cell(name, f"{where}; {more}" if more else where)


def _holder(use: Use) -> Row:
    return Row(
        (
            Cell(use.claim, f"request {use.request}"),
            device_cell(use.device, use.node, use.amounts, is_admin=use.is_admin),
            Cell(", ".join(use.pods) or "no pod"),
        ),
        Keys(use.node or "", use.device.driver, use.names),
    )
