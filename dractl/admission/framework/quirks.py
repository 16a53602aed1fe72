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


SIZES_ARE_LENGTHS = _quirk("Lists with too many items are TooLong, not TooMany.", until="1.31")

LOOKS_INTO_LONG_LISTS = _quirk(
    "The items of a list with too many of them are looked at all the same, and compared with each other.",
    until="1.34",
)

SKIPS_REPEATED_ITEMS = _quirk("An item that is there already is not looked at any further.", until="1.30")

NAMES_KEY_OF_DUPLICATE = _quirk(
    "The path of a list item that is there already ends in the field that makes it the same.", until="1.34"
)

BAD_KEYS_STAND_AT_ENTRY = _quirk(
    "The path of an error about the key of a map is that of the entry, not of the map.",
    since="1.32",
    until="1.35",
)

SHORTENS_KEYS = _quirk("Paths show long keys of maps without their middle.", since="1.32")

IDENTIFIERS_ARE_TYPES = _quirk(
    "A name that is no C identifier has an invalid type, not an invalid value.", until="1.33"
)

EMPTY_DRIVER_IS_NO_NAME = _quirk(
    "An empty driver name is missed, and refused for its format as well.", until="1.34"
)

MISSES_EMPTY_NAMES = _quirk(
    "An attribute name that is empty, or empty before or after its slash, is missed rather than wrong.",
    until="1.34",
)

MISSES_DOMAIN = _quirk(
    "The domain of an attribute name is missed as if it were a field of its own, `domain`.", until="1.31"
)

MISSES_ATTRIBUTE_VALUE = _quirk("An attribute without a value is Required, not Invalid.", until="1.34")

FLAT_REQUESTS = _quirk("Paths know no `exactly`: a request is one thing or another by itself.", until="1.32")

BASIC_DEVICES = _quirk("Paths of what a device has go through its `basic` part.", until="1.32")

CHECKS_BOTH_MEMBERS = _quirk(
    "A request that says both `exactly` and `firstAvailable` has both of them checked.", until="1.34"
)

CHECKS_UPDATE_AS_CREATE = _quirk(
    "An update of a class, claim or template also runs all checks of a create, without regard to what was "
    "stored before.",
    until="1.34",
)

CHECKS_CLASS_PREFIX = _quirk("The `generateName` of a device class is checked.", until="1.34")

LIMITS_ADVANCED_DEVICES = _quirk(
    "A slice holds fewer devices if any of them has taints, consumes counters or has lists of values.",
    since="1.35",
)

RATCHETS_DEVICE_LIST = _quirk(
    "An update that leaves the devices of a slice as they are does not check them; any change checks all.",
    since="1.38",
)

REFUSES_SECOND_SLASH = _quirk("A name with more than one slash is refused as a whole.", since="1.38")

LIMITS_VERSION_DIGITS = _quirk("The numbers of a version have a limited number of digits.", since="1.38")

KNOWS_OLD_TEMPLATE = _quirk(
    "An update of a template does not check capacity requests that the stored one has as well.",
    since="1.38",
)

KNOWS_TAINT_EFFECT = _quirk(
    "The effect of a taint rule is not checked again if an update leaves it as it is.", since="1.35"
)

TRUSTS_STORED_EXPRESSIONS = _quirk(
    "A selector that is in store already is not looked at; before, it was compiled with all there is.",
    since="1.37",
)

OWNERS_HAVE_NO_PLACE = _quirk(
    "Errors about owner references do not say which one it is, and what is missing is Invalid.",
    until="1.36",
)

CONDITIONS_BY_TYPE = _quirk(
    "A condition that is there twice is refused at its `type`, and an empty type or status is a wrong one.",
    until="1.36",
)

SELECTS_LABEL_VALUES = _quirk("The values in a node selector are label values.", since="1.32")

CHECKS_RESULT_TOLERATIONS = _quirk(
    "The tolerations of an allocated device are checked like those of a request.", since="1.37"
)

CHECKS_OLD_ALLOCATION = _quirk("An allocation is checked with every status, also an old one.", until="1.31")

FORGETS_DEVICES_FIRST = _quirk(
    "What is said of devices that lose their allocation goes before fields without their gate do.",
    until="1.34",
)

COMPARES_PARSED_ADDRESSES = _quirk(
    "Addresses of network interfaces may be spelled in any way, and are compared as what they mean.",
    until="1.32",
)

CLAIMS_HAVE_SOURCE = _quirk("A pod names a claim or template below `source`.", until="1.30")

WINDOWS_HAS_NO_POD_RESOURCES = _quirk(
    "Of a pod for Windows nothing is looked at in the resources of the pod as a whole.", since="1.34"
)

KEEPS_POD_RESOURCES = _quirk(
    "An update of a pod that leaves out the resources of the pod as a whole does not remove them.",
    since="1.37",
)

KEEPS_POD_CLAIMS = _quirk(
    "A write of a pod's status that leaves out what it says of claims does not clear that.", since="1.37"
)

KNOWS_HEALTH_OF_CLAIMS = _quirk(
    "The status of a container tells the health of its claims, too.", since="1.32"
)
