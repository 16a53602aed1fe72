"""The objects of an input, found by API group, kind, namespace and name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from dractl.api.selectors import matches_labels
from dractl.legacy.prototypes.dialects.dialects import EVOLUTION, PROTO
from dractl.legacy.prototypes.dialects.reading import Item, Reading

if TYPE_CHECKING:
    from dractl.api.objects.meta import LabelSelector

__all__ = ["CLUSTER_KINDS", "Directory"]

CLUSTER_KINDS = frozenset({"DevicePool", "DeviceClass", "ResourcePool", "DeviceDriver", ""})


class Directory:
    """Finds objects. Of two with one name the later one counts; ``doubles`` has both."""

    def __init__(self, reading: Reading, refused: Mapping[Item, str] = MappingProxyType({})) -> None:
        """Look through an input; objects that are ``refused``, with the reason, are not found."""
        self.reading = reading
        self.refused = refused
        self._absent: dict[tuple[str, str, str, str], str] = {}
        self._items: dict[tuple[str, str, str, str], Item] = {}
        self.doubles: list[tuple[Item, Item]] = []
        for item in reading.items:
            if not item.dialect or not item.kind or not item.name:
                continue
            key = self._key(item.family, item.kind, item.namespace, item.name)
            if item in refused:
                self._absent[key] = refused[item]
                continue
            earlier = self._items.get(key)
            if earlier is not None:
                self.doubles.append((earlier, item))
            self._items[key] = item
        self._by_kind: dict[str, list[Item]] = {}
        for item in self._items.values():
            self._by_kind.setdefault(item.kind, []).append(item)
        self.known_leaves: dict[Item, Any] = {}
        self.provided: tuple[frozenset[str], frozenset[str]] | None = None
        self.others = {
            (
                str(document.value.get("apiVersion")),
                str(document.value.get("kind")),
                str((document.value.get("metadata") or {}).get("namespace") or "default"),
                str((document.value.get("metadata") or {}).get("name")),
            ): document
            for document in reading.others
            if isinstance(document.value, dict) and isinstance(document.value.get("metadata") or {}, dict)
        }

    @staticmethod
    def _key(family: str, kind: str, namespace: str, name: str) -> tuple[str, str, str, str]:
        return family, kind, "" if kind in CLUSTER_KINDS else namespace, name

    def get(self, family: str, kind: str, namespace: str, name: str) -> Item | None:
        """The object of that name in a group."""
        return self._items.get(self._key(family, kind, namespace, name))

    def absence(self, family: str, kind: str, namespace: str, name: str) -> str:
        """The message for an object that is not there."""
        reason = self._absent.get(self._key(family, kind, namespace, name))
        return "does not exist" if reason is None else f"was left out ({reason})"

    def of_kind(self, *kinds: str, family: str | None = None) -> list[Item]:
        """The objects of these kinds, in order, without those that a later one replaces."""
        if len(kinds) == 1:
            return [
                item for item in self._by_kind.get(kinds[0], ()) if family is None or item.family == family
            ]
        return [
            item
            for item in self._items.values()
            if item.kind in kinds and (family is None or item.family == family)
        ]

    def pods(self) -> Iterator[Item]:
        """The pods, in order, without those that are refused."""
        return (item for item in self.reading.of_kind("Pod") if item not in self.refused)

    def is_in_other_group(self, family: str, kind: str, name: str) -> bool:
        """Whether only the other group has a cluster-wide object of that kind and name."""
        other = EVOLUTION if family == PROTO else PROTO
        return self.get(family, kind, "", name) is None and self.get(other, kind, "", name) is not None

    def leaves(self, item: Item) -> Iterator[Item]:
        """The classes that a class stands for: itself, or those that its selector picks."""
        selector = item.spec.get("selector")
        if selector is None:
            yield item
            return
        if not selector.get("matchLabels") and not selector.get("matchExpressions"):
            return
        for other in self.of_kind("DeviceClass", family=item.family):
            labels: Mapping[str, str] = other.metadata.get("labels") or {}
            if (
                other is not item
                and _matches(cast("LabelSelector", selector), labels)
                and "selector" not in other.spec
            ):
                yield other

    def members(self, item: Item) -> list[Item]:
        """All other classes that the selector of a class picks."""
        selector = item.spec.get("selector") or {}
        return [
            other
            for other in self.of_kind("DeviceClass", family=item.family)
            if other is not item
            and _matches(cast("LabelSelector", selector), other.metadata.get("labels") or {})
        ]


def _matches(selector: LabelSelector, labels: Mapping[str, str]) -> bool:
    try:
        return matches_labels(selector, labels)
    except (KeyError, TypeError, AttributeError, ValueError):
        return False
