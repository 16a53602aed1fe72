"""How servers of a minor go about their checks, where that is not the matter of a single rule: dated rows.

A rule says what is refused. A quirk says how lists, maps, names and errors about them are treated, and what
runs on an update. Rules ask for one with ``ctx.does(quirk)``.
"""

from __future__ import annotations

from functools import cache

from dractl.api import release
from dractl.api.release import Minor


class Quirk:
    """One quirk of the server, with the first and the last minor that have it (None: open)."""

    __slots__ = ("doc", "since", "until")

    def __init__(self, doc: str, since: str, until: str) -> None:
        """Hold the row; made by :func:`_quirk`."""
        self.doc = doc
        self.since = release.at(since) if since else None
        self.until = release.at(until) if until else None


_TABLE: list[Quirk] = []


def _quirk(doc: str, *, since: str = "", until: str = "") -> Quirk:
    row = Quirk(doc, since, until)
    _TABLE.append(row)
    return row


@cache
def quirks_of(minor: Minor) -> frozenset[Quirk]:
    """What servers of ``minor`` do."""
    return frozenset(row for row in _TABLE if minor.within(row.since, row.until))


SIZES_ARE_LENGTHS = _quirk("Lists with too many items are reported as TooLong, not TooMany.", until="1.31")

LOOKS_INTO_LONG_LISTS = _quirk(
    "The items of a list with too many items are still validated and compared with each other.",
    until="1.34",
)

SKIPS_REPEATED_ITEMS = _quirk("A duplicate item is not validated further.", until="1.30")

NAMES_KEY_OF_DUPLICATE = _quirk("The path of a duplicate list item ends in its key field.", until="1.34")

BAD_KEYS_STAND_AT_ENTRY = _quirk(
    "Errors about a map key have the path of the entry, not of the map.",
    since="1.32",
    until="1.35",
)

SHORTENS_KEYS = _quirk("Paths truncate the middle of long map keys.", since="1.32")

IDENTIFIERS_ARE_TYPES = _quirk(
    "A name that is not a C identifier is reported as an invalid type, not an invalid value.", until="1.33"
)

EMPTY_DRIVER_IS_NO_NAME = _quirk(
    "An empty driver name is reported as missing and for its format.", until="1.34"
)

MISSES_EMPTY_NAMES = _quirk(
    "An attribute name that is empty, or empty before or after its slash, is reported as missing, not as "
    "invalid.",
    until="1.34",
)

MISSES_DOMAIN = _quirk("A missing domain of an attribute name is reported at a field `domain`.", until="1.31")

MISSES_ATTRIBUTE_VALUE = _quirk(
    "An attribute without a value is reported as Required, not Invalid.", until="1.34"
)

FLAT_REQUESTS = _quirk("Paths have no `exactly`.", until="1.32")

BASIC_DEVICES = _quirk("Paths of device fields contain `basic`.", until="1.32")

CHECKS_BOTH_MEMBERS = _quirk(
    "In a request with both `exactly` and `firstAvailable`, both are validated.", until="1.34"
)

CHECKS_UPDATE_AS_CREATE = _quirk(
    "An update of a class, claim or template also runs all checks of a create, regardless of the stored "
    "object.",
    until="1.34",
)

CHECKS_CLASS_PREFIX = _quirk("The `generateName` of a device class is checked.", until="1.34")

LIMITS_ADVANCED_DEVICES = _quirk(
    "A slice can have fewer devices if any of them has taints, consumes counters or has lists of values.",
    since="1.35",
)

RATCHETS_DEVICE_LIST = _quirk(
    "An update that leaves the devices of a slice as they are does not check them; any change checks all.",
    since="1.38",
)

REFUSES_SECOND_SLASH = _quirk("A name with more than one slash is rejected as a whole.", since="1.38")

LIMITS_VERSION_DIGITS = _quirk("The numbers of a version have a limited number of digits.", since="1.38")

KNOWS_OLD_TEMPLATE = _quirk(
    "An update of a template does not check capacity requests that the stored one has as well.",
    since="1.38",
)

KNOWS_TAINT_EFFECT = _quirk(
    "The effect of a taint rule is not checked again if an update does not change it.", since="1.35"
)

TRUSTS_STORED_EXPRESSIONS = _quirk(
    "A stored selector is not checked again; earlier, it was compiled with all features.",
    since="1.37",
)

OWNERS_HAVE_NO_PLACE = _quirk(
    "Errors about owner references have no index, and missing fields are reported as Invalid.",
    until="1.36",
)

CONDITIONS_BY_TYPE = _quirk(
    "A duplicate condition is reported at its `type`, and an empty type or status as invalid.",
    until="1.36",
)

SELECTS_LABEL_VALUES = _quirk("The values in a node selector must be label values.", since="1.32")

CHECKS_RESULT_TOLERATIONS = _quirk(
    "The tolerations of an allocated device are validated like those of a request.", since="1.37"
)

CHECKS_OLD_ALLOCATION = _quirk(
    "An allocation is validated with every status update, even if unchanged.", until="1.31"
)

FORGETS_DEVICES_FIRST = _quirk(
    "Status entries of deallocated devices are dropped before fields whose gate is off.",
    until="1.34",
)

COMPARES_PARSED_ADDRESSES = _quirk(
    "Addresses of network interfaces can have any valid form and are compared in canonical form.",
    until="1.32",
)

CLAIMS_HAVE_SOURCE = _quirk("A pod names a claim or template under `source`.", until="1.30")

WINDOWS_HAS_NO_POD_RESOURCES = _quirk("Pod-level resources of a Windows pod are not checked.", since="1.34")

KEEPS_POD_RESOURCES = _quirk(
    "An update of a pod without pod-level resources does not remove them.",
    since="1.37",
)

KEEPS_POD_CLAIMS = _quirk("A pod status update without claim statuses does not clear them.", since="1.37")

KNOWS_HEALTH_OF_CLAIMS = _quirk(
    "The status of a container also reports the health of its claims.", since="1.32"
)

COUNTS_BYTES_OF_LABELS = _quirk("Messages about long label values count bytes, not characters.", since="1.35")

TRUNCATES_MILLI_BYTES = _quirk(
    "Thousandths of bytes are compared without the bits that do not fit into an int64.", until="1.37"
)
