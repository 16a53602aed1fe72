"""The names of attributes and capacities: their domains, standard ones, types, and who lacks them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dractl.api.wording import first_and_more
from dractl.drivers.model import Fact
from dractl.drivers.view import PublishedDevice, View, qualified
from dractl.finding import Severity
from dractl.lint.base.typos import is_typo, surely_meant

__all__ = ["about_names"]

_STANDARD_DOMAIN = "resource.kubernetes.io"
_STANDARD = {
    "pcieRoot": frozenset({"string"}),
    "pciBusID": frozenset({"string"}),
    "numaNode": frozenset({"int", "ints"}),
}
"""The attributes of the package ``deviceattribute`` of Kubernetes, with the types that it gives them."""

_OTHER_DOMAINS = frozenset({"resource.k8s.io", "kubernetes.io", "k8s.io"})
"""Domains of Kubernetes that do not have attributes."""

_FEW = 6
_SECTIONS: tuple[Literal["attributes", "capacity"], ...] = ("attributes", "capacity")
_NOUNS = {"attributes": "attribute", "capacity": "capacity"}

_Names = dict[tuple[str, str], list[tuple[PublishedDevice, str]]]
"""The devices that have a name, by domain and bare name, each with the name as it is written."""


def about_names(view: View) -> Iterator[Fact]:
    """The facts about the names of each driver."""
    for driver in view.drivers:
        devices = [one for one in view.devices if one.pool.driver == driver]
        if not devices:
            continue
        found = {section: _names(devices, driver, section) for section in _SECTIONS}
        yield _domains(driver, found["attributes"], found["capacity"])
        yield from _standard(driver, found["attributes"])
        yield from _types(found["attributes"])
        for section in _SECTIONS:
            yield from _lacking(driver, len(devices), section, found[section])


def _names(devices: list[PublishedDevice], driver: str, section: Literal["attributes", "capacity"]) -> _Names:
    found: _Names = {}
    for one in devices:
        for name in one.device.get(section) or {}:
            found.setdefault(qualified(name, driver), []).append((one, name))
    return found


def _domains(driver: str, attributes: _Names, capacity: _Names) -> Fact:
    parts = []
    for noun, names in (("attributes", attributes), ("capacities", capacity)):
        by_domain: dict[str, list[str]] = {}
        for domain, bare in names:
            by_domain.setdefault(domain, []).append(bare)
        for domain, bare_names in sorted(by_domain.items(), key=lambda item: item[0] != driver):
            of = "of its own" if domain == driver else f"of {domain}"
            parts.append(f"{noun} {of}: {first_and_more(bare_names, _FEW)}")
    details = [
        f"{noun} {domain}/{bare}"
        for noun, names in (("attribute", attributes), ("capacity", capacity))
        for domain, bare in names
    ]
    message = f"{driver} has {'; '.join(parts)}" if parts else f"{driver} has no attributes or capacities"
    return Fact("driver/domains", Severity.INFO, message, details=tuple(details))


def _standard(driver: str, attributes: _Names) -> Iterator[Fact]:
    for (domain, bare), users in attributes.items():
        first, written = users[0]
        said = _misspelled(driver, domain, bare)
        severity = Severity.WARNING
        if said is None and domain == _STANDARD_DOMAIN:
            types = {kind for one, name in users for kind in _kinds(one, name)}
            wrong = sorted(types - _STANDARD[bare])
            if wrong:
                right = " or ".join(sorted(_STANDARD[bare]))
                message = f"{domain}/{bare} has the type {' and '.join(wrong)} instead of {right}"
                said = message, "constraints match values of one type only"
        elif said is None and bare in _STANDARD:
            severity = Severity.INFO
            said = (
                f"{domain}/{bare} is another attribute than {_STANDARD_DOMAIN}/{bare}",
                f"constraints across drivers need {_STANDARD_DOMAIN}/{bare}",
            )
        if said is not None:
            message, hint = said
            yield Fact(
                "driver/standard-attribute",
                severity,
                message,
                hint,
                places=(first.location("attributes", written),),
                details=tuple(f"device {one.name} of pool {one.pool}" for one, _ in users),
            )


def _misspelled(driver: str, domain: str, bare: str) -> tuple[str, str] | None:
    """What is wrong with the spelling of a standard attribute, and what to write instead."""
    name = f"{domain}/{bare}"
    meant = bare if bare in _STANDARD else surely_meant(bare, _STANDARD)
    if domain == _STANDARD_DOMAIN and bare not in _STANDARD:
        advice = f"did you mean {meant}?" if meant else f"the standard attributes are {', '.join(_STANDARD)}"
        return f"{name} is not a standard attribute", advice
    if meant and (domain in _OTHER_DOMAINS or is_typo(domain, _STANDARD_DOMAIN)):
        return f"{name} is not a standard attribute", f"write {_STANDARD_DOMAIN}/{meant}"
    if domain != driver and is_typo(domain, driver):
        return f"the domain of {name} is almost the name of the driver", f"did you mean {driver}/{bare}?"
    return None


def _kinds(one: PublishedDevice, name: str) -> Iterator[str]:
    """The types of an attribute of a device, which has one if a server accepts it."""
    yield from (one.device.get("attributes") or {}).get(name) or {}


def _types(attributes: _Names) -> Iterator[Fact]:
    for (domain, bare), users in attributes.items():
        by_type: dict[str, list[PublishedDevice]] = {}
        first: dict[str, str] = {}
        for one, name in users:
            for kind in _kinds(one, name):
                by_type.setdefault(kind, []).append(one)
                first.setdefault(kind, name)
        if len(by_type) > 1:
            parts = [f"{_article(kind)} on {_counted(len(found))}" for kind, found in by_type.items()]
            yield Fact(
                "driver/attribute-types",
                Severity.WARNING,
                f"{domain}/{bare} is {', '.join(parts[:-1])} and {parts[-1]}",
                "use one type on all devices, or two names",
                places=tuple(found[0].location("attributes", first[kind]) for kind, found in by_type.items()),
            )


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _counted(number: int) -> str:
    return f"{number} device{'' if number == 1 else 's'}"


def _lacking(driver: str, number: int, section: str, names: _Names) -> Iterator[Fact]:
    """One fact for all names that the same devices have."""
    groups: dict[frozenset[tuple[str, str]], list[str]] = {}
    for (domain, bare), users in names.items():
        having = frozenset((one.pool.name, one.name) for one, _ in users)
        if len(having) < number:
            groups.setdefault(having, []).append(bare if domain == driver else f"{domain}/{bare}")
    for having, found in groups.items():
        noun = _NOUNS[section]
        if len(found) > 1:
            noun = "capacities" if section == "capacity" else "attributes"
        verb = "has" if len(having) == 1 else "have"
        what = "it" if len(found) == 1 else "them"
        yield Fact(
            "driver/attribute-some",
            Severity.INFO,
            f"{noun} {first_and_more(found, _FEW)}: {len(having)} of {number} devices {verb} {what}",
            "selectors need a guard such as has(...) unless the class leaves out the other devices",
            details=(
                *found,
                *(f"device {name} of pool {pool} {verb} {what}" for pool, name in sorted(having)),
            ),
        )
