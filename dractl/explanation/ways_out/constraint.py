"""Ways out by a constraint: another attribute that devices have, or none."""

from __future__ import annotations

from collections.abc import Iterator

from dractl.api.wording import nearest
from dractl.cel.common.device import split_name
from dractl.explanation.trials.situation import Situation
from dractl.explanation.ways_out.candidate import Candidate

__all__ = ["change_constraint", "drop_constraint"]

_KINDS = ("matchAttribute", "distinctAttribute")
_STANDARD = "resource.kubernetes.io"
_MOST_TRIED = 6


def drop_constraint(situation: Situation) -> Iterator[Candidate]:
    """Each constraint without which the pod fits."""
    for source in situation.sources:
        for number, constraint in enumerate(source.constraints):
            steps = ("devices", "constraints", number)
            change = source.dropped(situation.world, steps)
            if situation.fits(change) is not None:
                yield Candidate(source.key, source.field(steps), constraint, None, 0, change)


def change_constraint(situation: Situation) -> Iterator[Candidate]:
    """Another attribute by which the devices still are told apart, the nearest name first."""
    for source in situation.sources:
        for number, constraint in enumerate(source.constraints):
            for kind in (kind for kind in _KINDS if constraint.get(kind)):
                name = str(constraint[kind])
                steps = ("devices", "constraints", number, kind)
                dropped = source.dropped(situation.world, steps[:-1])
                others = _others(situation, name)
                if not others or situation.fits(dropped) is None:
                    continue
                for size, other in enumerate(others):
                    change = source.replaced(situation.world, steps, other)
                    if situation.fits(change) is not None:
                        yield Candidate(source.key, source.field(steps), name, other, size, change)
                        break


def _others(situation: Situation, name: str) -> list[str]:
    """The attributes to use instead: of the same domain or a standard one, with groups of several devices."""
    domain = name.partition("/")[0]
    values: dict[str, list[str]] = {}
    for key, item in situation.cut.objects.items():
        spec = item["spec"] if key.kind == "ResourceSlice" else {}
        for device in spec.get("devices") or ():
            for written, value in (device.get("attributes") or {}).items():
                of, identifier = split_name(written, spec.get("driver") or "")
                if of in (domain, _STANDARD):
                    values.setdefault(f"{of}/{identifier}", []).append(str(value))
    known = [other for other, found in values.items() if other != name and 1 < len(set(found)) < len(found)]
    if name not in values:
        near = nearest(name, values)
        return [near] if near else []
    return sorted(known, key=lambda other: (not other.startswith(_STANDARD), other))[:_MOST_TRIED]
