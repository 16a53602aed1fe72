"""The pools that the slices given make up, as far as they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.lint.base.input_set import InputObject, InputSet
from dractl.records import NamedTuple

if TYPE_CHECKING:
    from dractl.api.objects.resource import Device, ResourceSliceSpec

__all__ = ["InputPool", "InputSlice", "pools_of"]


class InputSlice:
    """A slice with what its pool is about. Kept small, because there may be very many devices."""

    __slots__ = ("count", "devices", "driver", "generation", "given", "node_name", "pool")

    def __init__(self, given: InputObject) -> None:
        """Read the v1 shape of a ResourceSlice."""
        spec: ResourceSliceSpec = given.spec
        pool = spec.get("pool") or {}
        self.given = given
        self.driver: str = spec.get("driver", "")
        self.pool: str = pool.get("name", "")
        self.generation: int = pool.get("generation", 0)
        self.count: int = pool.get("resourceSliceCount", 0)
        self.node_name: str = spec.get("nodeName") or ""
        self.devices: list[Device] = spec.get("devices") or []


class InputPool(NamedTuple):
    """The slices of one pool of one driver; ``newest`` are those of the highest generation."""

    driver: str
    name: str
    slices: list[InputSlice]
    newest: list[InputSlice]

    @property
    def is_sound(self) -> bool:
        """Whether the API server takes all of its slices, so that they are what they seem to be."""
        return all(entry.given.admission.accepted for entry in self.slices)

    @property
    def is_complete(self) -> bool:
        """Whether all slices of the newest generation are there."""
        return self.is_sound and all(entry.count == len(self.newest) for entry in self.newest)

    def __str__(self) -> str:
        return f"{self.driver}/{self.name}"


def pools_of(inputs: InputSet) -> list[InputPool]:
    """The pools among the objects given, in order; of slices with one name the last counts."""
    named: dict[str, InputSlice] = {}
    for given in inputs.of("ResourceSlice"):
        named[given.name or f"document {given.number}"] = InputSlice(given)
    found: dict[tuple[str, str], list[InputSlice]] = {}
    for entry in named.values():
        if entry.driver and entry.pool:
            found.setdefault((entry.driver, entry.pool), []).append(entry)
    pools = []
    for (driver, name), slices in found.items():
        latest = max(entry.generation for entry in slices)
        newest = [entry for entry in slices if entry.generation == latest]
        pools.append(InputPool(driver, name, slices, newest))
    return pools
