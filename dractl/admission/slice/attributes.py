"""Rules for the attributes of a device: their names, their values, their number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import LIMITS_VERSION_DIGITS, MISSES_ATTRIBUTE_VALUE
from dractl.admission.framework.rule import Rule, rule
from dractl.admission.framework.scope import Scope
from dractl.admission.shared.checks import QUALIFIED_KEY_MAX, bad_key, is_qualified_name, key_path, too_long
from dractl.api import limits
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceAttribute

    ListMember = Literal["bools", "ints", "strings", "versions"]

MEMBERS = ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")
"""The members of which an attribute has exactly one."""

LIST_MEMBERS: frozenset[ListMember] = frozenset(("ints", "bools", "strings", "versions"))

_LISTS_IN_ORDER: tuple[ListMember, ...] = ("bools", "ints", "strings", "versions")

_NUMBER = r"(0|[1-9][0-9]*)"
_PRE = r"(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
_BUILD = r"[0-9a-zA-Z-]+"
_SEMVER = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(-{_PRE}(\.{_PRE})*)?(\+{_BUILD}(\.{_BUILD})*)?", re.ASCII
)


_ATTRIBUTE = Scope(
    kind="ResourceSlice",
    at="spec.devices[*].attributes",
    upstream="validateDeviceAttribute",
    frame="""
        spec:
          devices:
          - name: gpu-0
            <here>
        """,
)

ATTR_KEY = _ATTRIBUTE.rule(
    "device/attr-key",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG, ErrorType.REQUIRED, ErrorType.TYPE_INVALID),
    upstream="validateQualifiedName",
    doc="""An attribute name must be an identifier with an optional domain and `/` as prefix.

    The identifier can have at most 32 letters, digits and `_`, the domain at most 63 characters. The default
    domain is the driver name.

    Good here:
        attributes: {driver_version: {version: 1.2.3}, dra.example.com/numa: {int: 1}}
    Bad here:
        attributes: {driver-version: {version: 1.2.3}}
    """,
)

ATTR_NONE = _ATTRIBUTE.rule(
    "device/attr-none",
    at="{*}",
    type=(ErrorType.INVALID, ErrorType.REQUIRED),
    covered=True,
    doc="""An attribute must have a value.

    It is one of `int`, `bool`, `string` and `version`; with the feature gate DRAListTypeAttributes also
    `ints`, `bools`, `strings` and `versions`, which are dropped if the gate is off. Up to 1.34 the error type
    is FieldValueRequired.

    Good here:
        attributes: {model: {string: A100}}
    Bad here:
        attributes: {model: {}}
    """,
)

ATTR_MANY = _ATTRIBUTE.rule(
    "device/attr-many",
    at="{*}",
    type=ErrorType.INVALID,
    covered=True,
    doc="""An attribute must have only one value.

    To publish a value in two types, use two attributes.

    Good here:
        attributes: {numa: {int: 1}, numa_name: {string: node1}}
    Bad here:
        attributes: {numa: {int: 1, string: node1}}
    """,
)

ATTR_STRING_LENGTH = _ATTRIBUTE.rule(
    "device/attr-string-length",
    at="{*}.string",
    type=ErrorType.TOO_LONG,
    upstream="validateDeviceAttributeStringValue",
    doc="""The `string` of an attribute can have at most 64 bytes.

    Good:
        spec:
          devices: [{name: gpu-0, attributes: {model: {string: "<64 times x>"}}}]
    Bad:
        spec:
          devices: [{name: gpu-0, attributes: {model: {string: "<65 times x>"}}}]
    """,
)

ATTR_VERSION = _ATTRIBUTE.rule(
    "device/attr-version",
    at="{*}.version",
    type=ErrorType.INVALID,
    upstream="validateDeviceAttributeVersionValue",
    doc="""The `version` of an attribute must be a semantic version (semver.org 2.0.0).

    It is MAJOR.MINOR.PATCH without leading zeros or `v`, optionally with `-PRERELEASE` and `+BUILD`. Use
    `string` for other formats, such as 535.104.05 or 12.4. Since 1.38 its numbers
    have at most 18 digits.

    Good here:
        attributes: {driver_version: {version: 535.104.5}}
    Bad here:
        attributes: {driver_version: {version: 535.104.05}}
    """,
)

ATTR_VERSION_LENGTH = _ATTRIBUTE.rule(
    "device/attr-version-length",
    at="{*}.version",
    type=ErrorType.TOO_LONG,
    upstream="validateDeviceAttributeVersionValue",
    doc="""The `version` of an attribute can have at most 64 bytes.

    Good:
        spec:
          devices: [{name: gpu-0, attributes: {firmware: {version: 1.0.0-<58 times x>}}}]
    Bad:
        spec:
          devices: [{name: gpu-0, attributes: {firmware: {version: 1.0.0-<59 times x>}}}]
    """,
)

ATTR_LIST_EMPTY = _ATTRIBUTE.rule(
    "device/attr-list-empty",
    at=("{*}.bools", "{*}.ints", "{*}.strings", "{*}.versions"),
    type=ErrorType.INVALID,
    since="1.36",
    doc="""A list of attribute values must have at least one item.

    If a device has none of the values, omit the attribute. In 1.37 an empty list also counts as no value, so
    the attribute itself is invalid as well.

    Good:
        spec:
          devices: [{name: gpu-0, attributes: {lanes: {ints: [1, 2]}}}]
    Bad:
        spec:
          devices: [{name: gpu-0, attributes: {lanes: {ints: []}}}]
    """,
)

ATTR_LIST_STRING = _ATTRIBUTE.rule(
    "device/attr-list-string",
    at="{*}.strings[*]",
    type=ErrorType.TOO_LONG,
    since="1.36",
    upstream="validateDeviceAttributeStringValue",
    doc="""An item in the `strings` of an attribute can have at most 64 bytes.

    Good:
        spec:
          devices: [{name: gpu-0, attributes: {modes: {strings: ["<64 times x>", plain]}}}]
    Bad:
        spec:
          devices: [{name: gpu-0, attributes: {modes: {strings: ["<65 times x>", plain]}}}]
    """,
)

ATTR_LIST_VERSION = _ATTRIBUTE.rule(
    "device/attr-list-version",
    at="{*}.versions[*]",
    type=(ErrorType.INVALID, ErrorType.TOO_LONG),
    since="1.36",
    upstream="validateDeviceAttributeVersionValue",
    doc="""An item in the `versions` of an attribute must be a semantic version of at most 64 bytes.

    Good here:
        attributes: {supported: {versions: [1.2.3, 2.0.0-rc.1]}}
    Bad here:
        attributes: {supported: {versions: [1.2.3, v2]}}
    """,
)

ATTR_VALUES_TOTAL = rule(
    "device/attr-values-total",
    kind="ResourceSlice",
    at="spec.devices[*]",
    type=ErrorType.INVALID,
    since="1.36",
    upstream="validateDevice",
    doc="""The attributes of a device can have at most 48 values in total.

    Every item of a list counts.

    Good:
        spec:
          devices: [{name: gpu-0, attributes: {lanes: {ints: [<48 times #, >]}}}]
    Bad:
        spec:
          devices: [{name: gpu-0, attributes: {lanes: {ints: [<49 times #, >]}}}]
    """,
)


@lru_cache(maxsize=65536)
def is_semver(version: str, most_digits: int | None = None) -> bool:
    """Whether a text is a semantic version; remembered, as versions recur.

    ``most_digits`` limits its numbers, and the parts of its pre-release that are numbers.
    """
    if _SEMVER.fullmatch(version) is None:
        return False
    if most_digits is None or len(version) <= most_digits:
        return True
    release, _, pre_release = version.partition("+")[0].partition("-")
    parts = (*release.split("."), *pre_release.split("."))
    return all(len(part) <= most_digits or not part.isdigit() for part in parts)


def check_attributes(ctx: Context, attributes: Mapping[str, DeviceAttribute], path: FieldPath) -> None:
    """The attributes of the device at ``path``; paths are built only for what is refused."""
    value: Any
    more_values = 0
    place = path.child("attributes")
    longest = limits.of("attribute.stringValue", ctx.minor)
    digits = _most_digits(ctx)
    for key, attribute in attributes.items():
        if not is_qualified_name(key):
            bad_key(ctx, ATTR_KEY, place, key)
        if len(attribute) == 1:
            # The shape of nearly all attributes there are; whatever is not plainly fine goes on below.
            [(member, value)] = attribute.items()
            if member == "string":
                if len(value) <= longest and value.isascii():
                    continue
            elif member == "version":
                if len(value) <= longest and is_semver(value, digits):
                    continue
            elif member in ("int", "bool"):
                continue
        more_values += _values(attribute) - 1
        _check_attribute(ctx, attribute, key_path(ctx, place, key, QUALIFIED_KEY_MAX))
    total = len(attributes) + more_values
    if ctx.has(ATTR_VALUES_TOTAL) and total > (most := limits.of("device.attributeValues", ctx.minor)):
        message = f"the attributes of a device must have at most {most} values in total, got {total}"
        ctx.refuse(ATTR_VALUES_TOTAL, path, total, message)


def _values(attribute: DeviceAttribute) -> int:
    """How many values an attribute counts for; mirrors ``numEntriesDeviceAttribute``."""
    return sum(len(attribute.get(member) or ()) for member in LIST_MEMBERS) or 1


def _check_attribute(ctx: Context, attribute: DeviceAttribute, path: FieldPath) -> None:
    """One attribute; mirrors ``validateDeviceAttribute``."""
    if "string" in attribute:
        _check_text(ctx, ATTR_STRING_LENGTH, path.child("string"), attribute["string"])
    if "version" in attribute:
        rules = (ATTR_VERSION, ATTR_VERSION_LENGTH)
        _check_version(ctx, rules, path.child("version"), attribute["version"])
    for member in _LISTS_IN_ORDER:
        if member in attribute:
            _check_list(ctx, attribute[member], path, member)
    chosen = [member for member in MEMBERS if member in attribute]
    if not chosen:
        message = "an attribute requires a value: one of int, bool, string and version"
        hint = (
            ""
            if "DRAListTypeAttributes" in ctx.gates
            else "lists require the feature gate DRAListTypeAttributes"
        )
        type_ = ErrorType.REQUIRED if ctx.does(MISSES_ATTRIBUTE_VALUE) else ErrorType.INVALID
        ctx.refuse(ATTR_NONE, path, "", message, hint=hint, type=type_)
    elif len(chosen) > 1:
        message = f"an attribute must have exactly one value, got {' and '.join(chosen)}"
        ctx.refuse(ATTR_MANY, path, attribute, message)


_OTHER_FORMATS = "use `string` for other formats"


def _version_hint(version: str, digits: int | None) -> str:
    """What to write for a text that is not a version: the version that it nearly is, or a string."""
    from dractl.api import semver  # only on the way to an error

    try:
        likely = str(semver.normalized(version.strip().removeprefix("V")))
    except ValueError:
        return _OTHER_FORMATS
    return f"write {likely}, or {_OTHER_FORMATS}" if is_semver(likely, digits) else _OTHER_FORMATS


def _check_text(ctx: Context, row: Rule, path: FieldPath, text: str) -> None:
    too_long(ctx, row, path, text, limits.of("attribute.stringValue", ctx.minor), what="the text")


def _check_version(ctx: Context, rules: tuple[Rule, Rule], path: FieldPath, version: str) -> None:
    form, length = rules
    digits = _most_digits(ctx)
    if not is_semver(version, digits):
        message = (
            f"{version[:80]!r} has a number of more than {digits} digits"
            if is_semver(version)
            else f"{version[:80]!r} is not a semantic version: MAJOR.MINOR.PATCH without leading zeros or v, "
            "optionally with -PRERELEASE and +BUILD"
        )
        ctx.refuse(form, path, version, message, hint=_version_hint(version, digits))
    too_long(ctx, length, path, version, limits.of("attribute.stringValue", ctx.minor), what="the version")


def _most_digits(ctx: Context) -> int | None:
    """How many digits a number of a version may have; None where any number will do."""
    limited = ctx.does(LIMITS_VERSION_DIGITS)
    return limits.of("attribute.versionNumberDigits", ctx.minor) if limited else None


def _check_list(ctx: Context, items: list[Any], path: FieldPath, member: str) -> None:
    place = path.child(member)
    if not items:
        message = "a list of values requires at least one item; omit the attribute instead"
        ctx.refuse(ATTR_LIST_EMPTY, place, items, message)
    for position, item in enumerate(items):
        if member == "strings":
            _check_text(ctx, ATTR_LIST_STRING, place.index(position), item)
        elif member == "versions":
            _check_version(ctx, (ATTR_LIST_VERSION, ATTR_LIST_VERSION), place.index(position), item)
