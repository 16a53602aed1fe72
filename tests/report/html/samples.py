"""Pages to test with: real results, and a page with a given text in every place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from types import MappingProxyType, NoneType, UnionType
from typing import cast, get_args, get_origin, get_type_hints

from dractl.api.gates import resolve
from dractl.api.release import NEWEST, parse
from dractl.cluster.objects import Objects
from dractl.report.html import model
from dractl.report.html.model import Device, Page, Picture, Section, State
from dractl.report.html.picture import picture
from dractl.report.html.uses import uses_of
from tests.forking import run_dractl
from tests.paths import ROOT

__all__ = ["CASES", "EXAMPLES", "devices_of", "filled_with", "page_of", "picture_of"]

EXAMPLES = ROOT / "testdata" / "examples"

CASES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "simulate": ("simulate", "quickstart", "pending.yaml"),
        "scenario": ("simulate", "quickstart", "--scenario", "scenario.yaml"),
        "partitions": ("simulate", "partitions"),
        "shared": ("simulate", "shared-capacity"),
        "why": ("why", "default/evaluate", "quickstart", "pending.yaml"),
        "why-all": ("why", "--all", "quickstart", "pending.yaml"),
        "why-placed": ("why", "default/train", "quickstart"),
        "size": ("size", "size", "--pod", "ml/train", "--like", "gpu-a"),
        "upgrade": ("upgrade", "upgrade", "--from", "1.33", "--to", "1.37"),
        "audit": ("audit", "size"),
    }
)
"""Commands in the folder of the examples, each with another kind of page."""


def page_of(*arguments: str) -> str:
    """The page that a command writes in the folder of the examples."""
    done = run_dractl([*arguments, "--format", "html", "--quiet"], EXAMPLES)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.decode()


def picture_of(
    objects: Iterable[dict[str, object]],
    minor: str | None = None,
    flags: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Picture:
    """The picture of a cluster of these objects."""
    known = Objects(objects)
    gates = resolve(NEWEST if minor is None else parse(minor))
    return picture(known, gates, uses_of(known), flags=flags)


def devices_of(found: Picture) -> dict[str, Device]:
    """The devices of a picture by name."""
    return {
        device.name: device
        for place in found.places
        for pool in place.pools
        for group in pool.sets
        for device in group.devices
    }


SECTIONS: tuple[type[Section], ...] = (
    model.Notes,
    model.Entries,
    model.Table,
    model.Waiting,
    model.Picture,
)


def filled_with(text: Callable[[], str]) -> Page:
    """A page with every section, and ``text`` wherever a page has a text."""
    ids = (f"section-{number}" for number in count())

    def made(kind: object, field: str) -> object:
        origin = get_origin(kind)
        if kind is str:
            return next(ids) if field == "id" else text()
        if kind in (int, float, bool):
            return {int: 3, float: 50.0, bool: True}[cast("type", kind)]
        if kind is State:
            return State(text(), "used", "can be had")
        if origin is tuple:
            inner = get_args(kind)
            if inner[-1] is not Ellipsis:
                return tuple(made(each, field) for each in inner)
            if inner[0] is int:
                return (0, 2)
            return (made(inner[0], field), made(inner[0], field))
        if origin is UnionType:
            return made(next(each for each in get_args(kind) if each is not NoneType), field)
        hints = get_type_hints(cast("type", kind))
        return cast("Callable[..., object]", kind)(**{name: made(hint, name) for name, hint in hints.items()})

    sections = [cast("Section", made(kind, "")) for kind in SECTIONS]
    facts = cast("tuple[model.Fact, ...]", made(tuple[model.Fact, ...], ""))
    return Page(text(), text(), text(), "ok", facts, sections)
