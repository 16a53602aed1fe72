"""How large a value of ``device`` can be, by the path to it, for the estimate of costs.

Mirrors the sizes that ``k8s.io/dynamic-resource-allocation/cel`` declares.
"""

from __future__ import annotations

from dractl.records import NamedTuple

UNLIMITED = 2**64 - 1
"""The size of what has no known limit, and the highest cost."""


class Size(NamedTuple):
    """Between how many elements, characters or bytes a value has."""

    least: int
    most: int

    def plus(self, other: Size) -> Size:
        """The size of both together."""
        return Size(limited(self.least + other.least), limited(self.most + other.most))

    def times(self, other: Size) -> Size:
        """The size of one for each of the other."""
        return Size(limited(self.least * other.least), limited(self.most * other.most))

    def union(self, other: Size) -> Size:
        """The size of either."""
        return Size(min(self.least, other.least), max(self.most, other.most))


UNKNOWN = Size(0, UNLIMITED)


def exactly(size: int) -> Size:
    """A size that is known."""
    return Size(size, size)


def limited(number: int) -> int:
    """``number``, or the highest."""
    return min(number, UNLIMITED)


def scaled(size: int, factor: float) -> int:
    """``size * factor`` rounded up, in the arithmetic of ``multiplyByCostFactor``."""
    # Floats, not integers: above 2**53 upstream loses digits, and the estimate in the message shows them.
    number = float(size)
    if number > 0 and factor > 0 and number > float(UNLIMITED) / factor:
        return UNLIMITED
    product = number * factor
    rounded = int(product) + (product > int(product))
    return UNLIMITED if float(rounded) >= 2.0**64 else rounded


class _Declared(NamedTuple):
    """A type with the sizes of its values; ``open`` maps have elements of one size whatever their name."""

    most: int
    fields: dict[str, _Declared]
    key: _Declared | None = None
    element: _Declared | None = None
    open: bool = False


def _simple(most: int) -> _Declared:
    return _Declared(most, {})


# ``DeviceAttributeMaxValueLength``, ``DeviceMaxDomainLength``, ``DeviceMaxIDLength`` and
# ``ResourceSliceMaxAttributesAndCapacitiesPerDevice`` of the API: the server validates slices, so no device
# exceeds them.
_ATTRIBUTE = _simple(64)
_DOMAIN, _IDENTIFIER, _DRIVER = _simple(63), _simple(32), _simple(63)
_ENTRIES = 32


def _maps(element: _Declared, *, is_open: bool) -> _Declared:
    inner = _Declared(_ENTRIES, {}, _IDENTIFIER, element, is_open)
    return _Declared(_ENTRIES, {}, _DOMAIN, inner)


_DEVICE = _Declared(
    0,
    {
        "driver": _DRIVER,
        "attributes": _maps(_ATTRIBUTE, is_open=True),
        # Not open: a capacity that is selected by its name has no known size, which makes ``!=`` with it so
        # expensive.
        "capacity": _maps(_simple(0), is_open=False),
        "allowMultipleAllocations": _simple(1),
    },
)


def device_size(path: tuple[str, ...]) -> Size | None:
    """The size of the value at ``path``, which begins with ``device``; None where it is not known.

    Steps are field names, ``@keys``, ``@values`` and ``@items``.
    """
    if not path or path[0] != "device":
        return None
    current = _DEVICE
    for step in path[1:]:
        following: _Declared | None
        if step in {"@items", "@values"}:
            following = current.element
        elif step == "@keys":
            following = current.key
        elif step in current.fields:
            following = current.fields[step]
        else:
            following = current.element if current.open else None
        if following is None:
            return None
        current = following
    return Size(0, current.most)
