import pytest

from tests.admission.statuses import Json, condition, refused
from tests.rows import each_row

PLACE = "status.conditions"


def taint_rule(*conditions: Json, version: str = "v1", effect: str = "NoExecute") -> Json:
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "DeviceTaintRule",
        "metadata": {"name": "broken", "resourceVersion": "1"},
        "spec": {"taint": {"key": "example.com/broken", "effect": effect}},
        "status": {"conditions": list(conditions)},
    }


def numbered(count: int) -> list[Json]:
    return [condition(type=f"C{number}") for number in range(count)]


@pytest.mark.parametrize("version", ["v1", "v1beta2", "v1alpha3"])
def test_good_conditions_are_taken_in_every_version(version: str) -> None:
    assert refused(taint_rule(*numbered(8), version=version)) == set()


@each_row(
    ("conditions", "expected"),
    [
        ([condition(status="Yes")], {f"rule/conditions NotSupported {PLACE}[0].status"}),
        ([condition(), condition()], {f"rule/conditions Duplicate {PLACE}[1]"}),
        ([condition(reason=None)], {f"rule/conditions Required {PLACE}[0].reason"}),
        ([condition(type="-")], {f"rule/conditions Invalid {PLACE}[0].type"}),
        (numbered(9), {f"rule/conditions TooMany {PLACE}"}),
        (
            [*numbered(8), condition(type="-")],
            {f"rule/conditions TooMany {PLACE}", f"rule/conditions Invalid {PLACE}[8].type"},
        ),
    ],
)
def test_bad_conditions_are_refused(conditions: list[Json], expected: set[str]) -> None:
    assert refused(taint_rule(*conditions)) == expected


def test_conditions_that_stay_bad_are_refused_again() -> None:
    rule = taint_rule(condition(status="Yes"))
    assert refused(rule, rule) == {f"rule/conditions NotSupported {PLACE}[0].status"}


def test_the_spec_of_the_document_is_not_looked_at() -> None:
    assert refused(taint_rule(condition(), effect="Never"), taint_rule()) == set()
