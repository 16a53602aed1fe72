"""What would help, in lines."""

from __future__ import annotations

import pytest

from dractl.explanation.model import NEVER, Explanation, Member, Together, WayOut
from dractl.explanation.remedies.wording import conflict_line, remedy_lines

WAIT = Explanation("ml/p", None, "no-devices", "", NEVER, (), ())
REQUEST = Member("ml/c", "spec.devices.requests[0]", "ResourceClaim", {"name": "a", "exactly": {"count": 3}})


def way(number: int) -> WayOut:
    return WayOut(
        "node", f"n{number}", "spec.unschedulable", True, None, f"n{number}", 1, {}, "Node", "uncordon"
    )


def part(field: str, value: object, kind: str = "ResourceClaim", name: str = "ml/c") -> Member:
    return Member(name, field, kind, value)


def test_the_short_form_has_three_ways_out_and_the_long_one_all() -> None:
    found = WAIT._replace(ways_out=tuple(map(way, range(5))))
    assert remedy_lines(found) == [f"to place it: uncordon node n{n}: fits on n{n}" for n in range(3)]
    assert len(remedy_lines(found, is_long=True)) == 5


def test_the_joint_choice_comes_first() -> None:
    choice = Together(("ml/b", "ml/p"))
    found = WAIT._replace(ways_out=(way(0),), together=choice)
    assert remedy_lines(found)[0] == "together: both pods fit if they are created in the order ml/b, ml/p"


def test_only_the_long_form_names_the_field() -> None:
    lower = WayOut("label", "ml/p", "spec.nodeSelector[zone]", "z", "y", "n", 1, {}, "Pod", "node-selector")
    found = WAIT._replace(ways_out=(lower,))
    assert remedy_lines(found) == [
        "to place it: select nodes by zone=y instead of z (pod ml/p); recreate the pod: fits on n"
    ]
    assert "(pod ml/p, spec.nodeSelector[zone])" in remedy_lines(found, is_long=True)[0]


@pytest.mark.parametrize(
    ("members", "line"),
    [
        ((), ""),
        ((REQUEST,), ""),
        ((REQUEST, part("x", {"matchAttribute": "a/b"})), ""),
        (
            (REQUEST, part("x", {"matchAttribute": "a/b"}), part("y", {"cel": {"expression": "a\n == b"}})),
            "cannot hold together: request a for 3 devices; matchAttribute a/b; selector a == b",
        ),
        (
            (REQUEST, part("y", {"name": "b", "exactly": {"allocationMode": "All"}})),
            "cannot hold together: request a for 3 devices; request b for all devices",
        ),
        (
            (
                REQUEST,
                part("y", {"name": "b", "firstAvailable": []}),
                part("z", {"cel": {"expression": "c"}}, "DeviceClass", "gpu"),
            ),
            "cannot hold together: request a for 3 devices; request b with its alternatives; class gpu c",
        ),
        (
            (
                part("spec.nodeSelector[zone]", "z", "Pod", "ml/p"),
                part("spec.resources.requests[cpu]", "9", "Pod", "ml/p"),
            ),
            "cannot hold together: node selector zone=z; cpu 9",
        ),
        (
            (part("spec.affinity", None, "Pod", "ml/p"), part("spec.x[0]", {"maxSkew": 1}, "Pod", "ml/p")),
            "cannot hold together: spec.affinity of pod ml/p; spec.x[0]",
        ),
    ],
)
def test_a_conflict_is_told_where_the_causes_do_not_tell_it(members: tuple[Member, ...], line: str) -> None:
    assert conflict_line(WAIT._replace(conflict=members)) == line


def test_a_long_conflict_is_cut() -> None:
    long = part("y", {"cel": {"expression": "x" * 300}})
    assert len(conflict_line(WAIT._replace(conflict=(REQUEST, long, long)))) == 160
