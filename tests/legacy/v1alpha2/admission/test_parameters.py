from typing import Any

from tests.admission.minors import Json, created, updated
from tests.rows import each_row

REQUESTS = "driverRequests"
NAMED = {"namedResources": {"selector": "true"}}


def request(*items: Json, driver: str = "gpu.example.com") -> Json:
    return {"driverName": driver, "requests": list(items)}


def test_a_class_names_its_driver_and_parameters() -> None:
    good = {"parametersRef": {"kind": "GpuConfig", "name": "a", "namespace": "b"}}
    assert created("1.30", "ResourceClass", good) == set()
    found = created("1.30", "ResourceClass", {"driverName": "a_b", "parametersRef": {"namespace": "b.c"}})
    assert found == {
        "oldclass/driver Invalid driverName",
        "oldparams/ref-kind Required parametersRef.kind",
        "oldparams/ref-name Required parametersRef.name",
        "oldparams/ref-namespace Invalid parametersRef.namespace",
    }
    assert updated("1.30", "ResourceClass", {"driverName": "a.b"}, {}) == set()
    assert updated("1.30", "ResourceClass", {"driverName": "a_b"}, {}) != set()


def test_a_class_chooses_nodes() -> None:
    found = created("1.30", "ResourceClass", {"suitableNodes": {}})
    assert {line.split(" ", 1)[1] for line in found} == {"Required suitableNodes.nodeSelectorTerms"}


@each_row(
    ("requests", "expected"),
    [
        ([], set()),
        ([request(NAMED), request(NAMED, driver="b")], set()),
        ([request()], {f"oldparams/requests-empty Required {REQUESTS}[0].requests"}),
        ([request({})], {f"oldparams/model Required {REQUESTS}[0].requests[0]"}),
        (
            [request(NAMED), request(NAMED)],
            {f"oldparams/driver-duplicate Duplicate {REQUESTS}[1].driverName"},
        ),
        ([request(NAMED, driver="")], {f"oldparams/driver Required {REQUESTS}[0].driverName"}),
        (
            [request({"namedResources": {"selector": ""}}, {"namedResources": {"selector": "1"}})],
            {
                f"oldparams/selector-required Required {REQUESTS}[0].requests[0].namedResources.selector",
                f"oldparams/selector Invalid {REQUESTS}[0].requests[1].namedResources.selector",
            },
        ),
    ],
)
def test_parameters_of_claims(requests: list[Json], expected: set[str]) -> None:
    found = created("1.30", "ResourceClaimParameters", {REQUESTS: requests})
    # An empty driver name is also none of the right form.
    assert {line for line in found if not line.startswith("oldparams/driver Invalid")} == expected


@each_row(
    ("value", "expected"),
    [
        ({"vendorParameters": [{"driverName": "a", "parameters": {"b": 1}}]}, set()),
        ({"filters": [{"driverName": "a", **NAMED}]}, set()),
        ({"filters": [{"driverName": "a"}]}, {"oldparams/model Required filters[0]"}),
        (
            {"vendorParameters": [{"driverName": "a"}] * 2},
            {"oldparams/driver-duplicate Duplicate vendorParameters[1].driverName"},
        ),
        ({"generatedFrom": {"kind": "A"}}, {"oldparams/ref-name Required generatedFrom.name"}),
    ],
)
def test_parameters_of_classes(value: dict[str, Any], expected: set[str]) -> None:
    assert created("1.30", "ResourceClassParameters", value) == expected
    assert updated("1.30", "ResourceClassParameters", value, {}) == expected


@each_row(
    ("selector", "is_good"),
    [
        ('attributes.string["model"] == "a100" && attributes.bool["healthy"]', True),
        ('attributes.quantity["memory"].isGreaterThan(quantity("1Gi"))', True),
        ('1 in attributes.intslice["ports"] || "a" in attributes.stringslice["modes"]', True),
        ('attributes.int["numa"] == 0', True),
        ('attributes.string["model"]', False),
        ('attributes.text["model"] == "a"', False),
        ('device.driver == "a"', False),
        ("true &&", False),
    ],
)
def test_selectors_see_attributes_by_type(selector: str, is_good: bool) -> None:
    filters = [{"driverName": "a", "namedResources": {"selector": selector}}]
    assert (created("1.30", "ResourceClassParameters", {"filters": filters}) == set()) is is_good


def test_requests_of_a_claim_that_stay_as_they_are_count_as_stored() -> None:
    late = 'format.dns1123Label().validate("a").hasValue()'
    old = {REQUESTS: [request({"namedResources": {"selector": late}})]}
    other = {REQUESTS: [*old[REQUESTS], request(NAMED, driver="b")]}
    kind = "ResourceClaimParameters"
    assert created("1.30", kind, old) == updated("1.30", kind, other, old) != set()
