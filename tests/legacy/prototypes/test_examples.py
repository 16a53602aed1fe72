"""Worked examples of how the prototypes match, one small world each."""

from __future__ import annotations

import pytest

import dractl
from tests.legacy.prototypes.build import EVOLUTION, claim, device_class, pod, pool, rules, thing

ACME = device_class("acme")


def _devices(*docs: str) -> list[tuple[str | None, str, str | None, str]]:
    found = dractl.simulate(list(docs), allocate_unreferenced=True)
    assert found.left_out == ()
    return [(row.container, row.request, row.node, row.device) for row in found.placements]


def _why(*docs: str) -> str:
    (pending,) = dractl.simulate(list(docs), allocate_unreferenced=True).pending
    return pending.message


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ("claimName: a\ndevices: [{name: x, class: c}]", "must be set, got devices and claimName"),
        ("{}", "it is empty or has an unknown member of a newer client"),
        ("bundle: {}", "it is empty or has an unknown member of a newer client"),
    ],
)
def test_a_pod_has_exactly_one_form_of_claims(claims: str, said: str) -> None:
    report = dractl.validate(pod("p", claims, main=""), dialect="proto-oneof")
    found = [finding for finding in report.findings if finding.rule == "prototype/po-1"]
    assert [said in finding.message for finding in found] == [True]
    assert ("dia-5" in rules(report)) is ("bundle" in claims)


def test_each_entry_is_a_claim_of_its_own() -> None:
    docs = [
        pool("n1-a", "n1", "- name: d0\n- name: d1"),
        ACME,
        pod("pod", "devices: [{name: g0, class: acme}, {name: g1, class: acme}]", c0="g0", c1="g1,g0"),
    ]
    assert _devices(*docs) == [
        ("c0", "g0", "n1", "d0"),
        ("c1", "g0", "n1", "d0"),
        ("c1", "g1", "n1", "d1"),
    ]
    assert {row.claim for row in dractl.simulate(docs, allocate_unreferenced=True).placements} == {
        "default/pod-g0",
        "default/pod-g1",
    }


NIC = pool(
    "n1-nic",
    "n1",
    """
    - {name: pf-a, sharedResourcesConsumed: {a: 2}}
    - {name: pf-b, sharedResourcesConsumed: {b: 2}}
    - {name: vf-a0, sharedResourcesConsumed: {a: 1}}
    - {name: vf-a1, sharedResourcesConsumed: {a: 1}}
    - {name: vf-b0, sharedResourcesConsumed: {b: 1}}
    - {name: vf-b1, sharedResourcesConsumed: {b: 1}}
    """,
    more="sharedResources: [{name: a, capacity: 2}, {name: b, capacity: 2}]",
)


def test_shared_resources_make_the_search_give_devices_back() -> None:
    three = claim("c", "- name: x\n  allOf: [{class: acme}, {class: acme}, {class: acme}]")
    assert [row[3] for row in _devices(NIC, ACME, three)] == ["pf-a", "vf-b0", "vf-b1"]


def test_a_node_with_a_later_option_comes_before_the_next_node() -> None:
    kinds = "- name: {}\n  attributes: [{{name: kind, stringValue: {}}}]"
    first = "\n".join(
        [kinds.format("nic", "nic"), *(kinds.format(f"small-{number}", "small") for number in range(3))]
    )
    second = "\n".join([kinds.format("nic", "nic"), kinds.format("big", "big")])
    docs = [
        pool("a", "n1", first),
        pool("b", "n2", second),
        *(device_class(name, constraints=f'device.kind == "{name}"') for name in ("nic", "big", "small")),
        claim(
            "c",
            """
            - name: gpu
              allOf: [{class: nic}]
              oneOf: [{class: big}, {class: small, requests: {devices: 2}}]
            """,
        ),
    ]
    assert _devices(*docs) == [
        (None, "gpu", "n1", "nic"),
        (None, "gpu/option 2 of 2", "n1", "small-0"),
        (None, "gpu/option 2 of 2", "n1", "small-1"),
    ]


MEMORY = pool(
    "p",
    "n1",
    """
    - {name: a, claimResourcesProvided: [{name: memory, capacity: 10Gi, blockSize: 4Gi}]}
    - {name: b, claimResourcesProvided: [{name: memory, capacity: 6Gi, blockSize: 1Gi}]}
    """,
)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [("13Gi", {"a": "8Gi", "b": "5Gi"}), ("3Gi", {"a": "4Gi"})],
)
def test_amounts_are_summed_and_given_out_in_blocks(wanted: str, expected: dict[str, str]) -> None:
    asked = claim(
        "c", f"- name: x\n  allOf: [{{class: acme, requests: {{memory: {wanted}}}, maxDevices: 3}}]"
    )
    found = dractl.simulate([MEMORY, ACME, asked], allocate_unreferenced=True)
    assert {row.device: row.consumed_capacity["memory"] for row in found.placements} == expected
    (made,) = (item for item in found.objects if item["kind"] == "DeviceClaim")
    assert made["status"]["allocations"][0]["allocations"] == [
        {"name": "memory", "allocation": expected["a"]}
    ]


def test_an_amount_that_all_devices_together_do_not_have() -> None:
    asked = claim("c", "- name: x\n  allOf: [{class: acme, requests: {memory: 15Gi}, maxDevices: 2}]")
    assert "the largest sum of memory is 14Gi, less than 15Gi" in _why(MEMORY, ACME, asked)


def test_admin_access_is_to_all_that_match_and_takes_nothing() -> None:
    kinds = "- {{name: {}, attributes: [{{name: kind, stringValue: {}}}]}}"
    docs = [
        pool("p", "n1", "\n".join(kinds.format(*pair) for pair in (("d0", "x"), ("d1", "x"), ("d2", "z")))),
        ACME,
        claim("held", "- name: x\n  allOf: [{class: acme, constraints: \"device.kind == 'x'\"}]"),
        claim(
            "watch",
            "- name: w\n  allOf: [{class: acme, adminAccess: true, constraints: \"device.kind == 'x'\"}]",
        ),
        claim("late", "- name: x\n  allOf: [{class: acme, constraints: \"device.kind == 'x'\"}]"),
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [(row.claim, row.device, row.admin_access) for row in found.placements] == [
        ("default/held", "d0", False),
        ("default/watch", "d0", True),
        ("default/watch", "d1", True),
        ("default/late", "d1", False),
    ]
    none = claim("none", "- name: w\n  allOf: [{class: acme, adminAccess: true, constraints: 'false'}]")
    assert "requests admin access, but no device matches" in _why(docs[0], ACME, none)


GROUPS = [
    pool(
        "p",
        "n1",
        "\n".join(
            f"- {{name: d{number}, attributes: [{{name: model, stringValue: {model}}}]}}"
            for number, model in enumerate(("old", "new", "old", "new"))
        ),
    ),
    ACME,
    claim(
        "a",
        "- {name: g0, allOf: [{class: acme}]}\n- {name: g1, allOf: [{class: acme}]}",
        more="matchAttributes: [model]",
        kind="DeviceClaimGroup",
    ),
    claim(
        "b",
        "- {name: g2, allOf: [{class: acme, selector: \"device.model == 'new'\"}]}",
        kind="DeviceClaimGroup",
    ),
    pod("pod", "- template: {claimName: a}\n- template: {claimName: b}", c0="g0", c1="g1"),
]


def test_groups_match_among_themselves_only() -> None:
    assert _devices(*GROUPS) == [
        ("c0", "g0", "n1", "d0"),
        ("c1", "g1", "n1", "d2"),
        (None, "g2", "n1", "d1"),
    ]
    assert rules(dractl.validate(GROUPS)) == []


def test_a_name_in_two_groups_of_a_pod() -> None:
    doubled = [text.replace("name: g2", "name: g1") for text in GROUPS]
    assert rules(dractl.validate(doubled)) == ["gr-3"]


def test_an_error_makes_a_device_not_eligible() -> None:
    docs = [
        pool(
            "p",
            "n1",
            """
            - {name: d0, attributes: [{name: cores, stringValue: "8"}]}
            - {name: d1}
            - {name: d2, attributes: [{name: cores, intValue: 8}]}
            """,
        ),
        device_class("acme", constraints="device.cores > 4"),
        claim("c", "- {name: x, allOf: [{class: acme}]}"),
    ]
    assert [row[3] for row in _devices(*docs)] == ["d2"]
    assert rules(dractl.validate(docs)) == ["dp-11"]
    why = _why(docs[0].replace("intValue: 8", "intValue: 2"), *docs[1:])
    assert "1 for which the constraints fail (cannot compare a string with an int)" in why
    assert "no such key: 'cores'" in why


def test_klueskas_pool_says_who_has_its_devices() -> None:
    docs = [
        thing(
            "DevicePool",
            "n1-a",
            """
            spec:
              nodeName: n1
              driverName: acme.example
              sharedResources: [{name: slices, intrange: {value: "0-1"}}]
              devices:
              - {name: d0, sharedResourceRequests: [{name: slices, intrange: "0"}]}
              - {name: d1, sharedResourceRequests: [{name: slices, intrange: "0-1"}]}
              - {name: d2, sharedResourceRequests: [{name: slices, intrange: "1"}]}
            """,
        ),
        ACME,
        pod("pod", "devices: [{name: g0, class: acme}, {name: g1, class: acme}]", c0="g0", c1="g1"),
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [row.device for row in found.placements] == ["d0", "d2"]
    assert found.objects[0]["status"] == {
        "allocatedDevices": [
            {"name": "d0", "claimUID": "uid:default/pod-g0"},
            {"name": "d2", "claimUID": "uid:default/pod-g1"},
        ]
    }
    twice = docs[0] + "status: {allocatedDevices: [{Name: d0, ClaimUID: a}, {Name: d0, ClaimUID: b}]}\n"
    assert rules(dractl.validate(twice)) == ["ks-5"]


def test_a_quota_allows_admin_access() -> None:
    docs = [
        thing(
            "ResourcePool",
            "p",
            "spec: {nodeName: n1, driverName: a.example, devices: [{name: d0}]}",
            version=EVOLUTION,
        ),
        thing("DeviceClass", "c", "requirements: [{deviceSelector: 'true'}]", version=EVOLUTION),
        thing(
            "ResourceClaim",
            "watch",
            "spec: {requests: [{name: r, deviceClassName: c, adminAccess: true}]}",
            version=EVOLUTION,
        ),
    ]
    assert "no Quota in namespace default allows management access" in _why(*docs)
    assert rules(dractl.validate(docs)) == ["de-21"]
    denied = thing("Quota", "q", "spec: {allowManagementAccess: false}", version=EVOLUTION)
    allowed = denied.replace("name: q", "name: other").replace("false", "true")
    assert [row[3] for row in _devices(*docs, denied, allowed)] == ["d0"]


def test_a_controller_allocates_by_itself() -> None:
    asked = thing(
        "ResourceClaim",
        "c",
        "spec: {controllerName: ctl.example, requests: [{name: r, deviceClassName: c}]}",
        version=EVOLUTION,
    )
    known = thing("DeviceClass", "c", "requirements: [{deviceSelector: 'true'}]", version=EVOLUTION)
    (pending,) = dractl.simulate([asked, known], allocate_unreferenced=True).pending
    assert (pending.category, pending.message) == (
        "driver-allocates",
        "claim default/c is allocated by the controller ctl.example",
    )


def test_counted_pools_have_devices_called_by_numbers() -> None:
    docs = [
        thing("DevicePool", "p", "spec: {driver: acme.example, nodeName: n1, count: 3}"),
        thing("DeviceClass", "two", "spec: {deviceType: gpu, driver: acme.example, minDeviceCount: 2}"),
        pod("pod", "- {name: g, claim: {deviceClass: two}}", c="g"),
    ]
    assert [(row[0], row[3]) for row in _devices(*docs)] == [("c", "0"), ("c", "1")]


def test_a_shared_claim_that_is_allocated_fixes_the_node() -> None:
    docs = [
        pool("p1", "n1", "- name: d0"),
        pool("p2", "n2", "- name: d0"),
        ACME,
        claim("shared", "- {name: x, allOf: [{class: acme}]}")
        + "status: {allocations: [{devicePoolName: p2, deviceName: d0}]}\n",
        pod("pod", "claimName: shared", c="x"),
    ]
    assert _devices(*docs) == [("c", "x", "n2", "d0")]


def test_classes_by_label_have_any_of_their_members() -> None:
    docs = [
        pool("p1", "n1", "- name: d0", driver="one.example"),
        pool("p2", "n1", "- name: d1", driver="two.example"),
        device_class("one", driver="one.example", labels="kind: nic"),
        device_class("two", driver="two.example", labels="kind: nic"),
        thing("DeviceClass", "any", "spec: {selector: {matchLabels: {kind: nic}}}"),
        claim("c", "- {name: x, allOf: [{class: any, requests: {devices: 2}}]}"),
    ]
    assert [row[3] for row in _devices(*docs)] == ["d0", "d1"]


@pytest.mark.parametrize("text", ["partitions", "count"])
def test_devices_of_one_shape_have_partitions_of_their_own(text: str) -> None:
    plain = """
        - {name: a, sharedCapacityConsumed: [{name: memory, capacity: 1}]}
        - {name: b, sharedCapacityConsumed: [{name: memory, capacity: 1}]}
    """
    counted = """
        - count: 2
          name: {expression: "['a', 'b'][index]"}
          sharedCapacityConsumed: [{name: {value: memory}, capacity: {value: 1}}]
    """
    body = f"""
spec:
  nodeName: n1
  driverName: a.example
  deviceShape:
    sharedCapacity: [{{name: memory, capacity: 1}}]
    partitions: {plain if text == "partitions" else counted}
  devices: [{{name: d0}}, {{name: d1}}]
"""
    docs = [
        thing("ResourcePool", "p", body, version=EVOLUTION),
        thing("DeviceClass", "c", "requirements: [{deviceSelector: 'true'}]", version=EVOLUTION),
        *(
            thing(
                "ResourceClaim",
                name,
                "spec: {requests: [{name: r, deviceClassName: c}]}",
                version=EVOLUTION,
            )
            for name in ("one", "two", "three")
        ),
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [row.device for row in found.placements] == ["d0-a", "d1-a"]
    assert [row.claim for row in found.pending] == ["default/three"]


def test_pools_of_one_node_have_shared_capacity_of_their_own() -> None:
    def part(name: str, *devices: str) -> str:
        listed = ", ".join(
            f"{{name: {device}, sharedCapacityConsumed: [{{name: m, capacity: 1}}]}}" for device in devices
        )
        shared = "sharedCapacity: [{name: m, capacity: 1}]"
        body = f"spec: {{nodeName: n1, driverName: a.example, {shared}, devices: [{listed}]}}"
        return thing("ResourcePool", name, body, version=EVOLUTION)

    asked = "spec: {requests: [{name: r, deviceClassName: k}, {name: s, deviceClassName: k}]}"
    docs = [
        part("p1", "a", "b"),
        part("p2", "c", "d"),
        thing("DeviceClass", "k", "requirements: [{deviceSelector: 'true'}]", version=EVOLUTION),
        thing("ResourceClaim", "two", asked, version=EVOLUTION),
    ]
    assert [row[3] for row in _devices(*docs)] == ["a", "c"]
    third = thing("ResourceClaim", "one", asked, version=EVOLUTION)
    assert "2 short of the shared resource m" in _why(*docs, third)


def test_what_is_left_out_gives_nothing_and_is_reported_where_it_is_missed() -> None:
    broken = pool("p1", "n1", "- {name: d0}\n- {name: d0}")
    wrong = device_class("wrong", constraints="device.x = 1")
    docs = [
        broken,
        pool("p2", "n1", "- {name: d1}"),
        ACME,
        wrong,
        claim("good", "- {name: x, allOf: [{class: acme}]}"),
        claim("bad", "- {name: x, allOf: [{class: wrong}]}"),
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [(row.claim, row.device) for row in found.placements] == [("default/good", "d1")]
    assert [dict(row.object)["name"] for row in found.left_out] == ["p1", "wrong"]
    (pending,) = found.pending
    assert pending.category == "class-missing"
    assert "DeviceClass wrong was left out (" in pending.message
    assert "unknown operator `=`" in pending.message


@pytest.mark.parametrize(("wanted", "expected"), [("n2", "n2"), ("n3", None)])
def test_a_pod_that_names_its_node(wanted: str, expected: str | None) -> None:
    docs = [
        pool("p1", "n1", "- name: d0"),
        pool("p2", "n2", "- name: d0"),
        ACME,
        pod("pod", "devices: [{name: g, class: acme}]", c="g").replace(
            "spec:", f"spec:\n  nodeName: {wanted}", 1
        ),
    ]
    found = dractl.simulate(docs, allocate_unreferenced=True)
    assert [row.node for row in found.placements] == ([expected] if expected else [])
    assert [row.category for row in found.pending] == ([] if expected else ["node-name"])


def test_nodes_are_taken_by_name_or_as_preferred() -> None:
    docs = [
        pool("p1", "n1", "- name: d0"),
        pool("p2", "n2", "- name: d0"),
        ACME,
        claim("c", "- {name: x, allOf: [{class: acme}]}"),
    ]
    assert [row.node for row in dractl.simulate(docs, allocate_unreferenced=True).placements] == ["n1"]
    assert [
        row.node for row in dractl.simulate(docs, node_order=["n2"], allocate_unreferenced=True).placements
    ] == ["n2"]


def test_pools_for_nodes_with_a_label() -> None:
    selector = "nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [r1]}]}]"
    docs = [
        thing(
            "ResourcePool",
            "net",
            f"spec: {{devicePool: {{name: net, nodeSelector: {{{selector}}}}}, driverName: a.example,"
            " devices: [{name: d0}]}",
            version=EVOLUTION,
        ),
        thing("DeviceClass", "k", "requirements: [{deviceSelector: 'true'}]", version=EVOLUTION),
        thing("ResourceClaim", "c", "spec: {requests: [{name: r, deviceClassName: k}]}", version=EVOLUTION),
        thing("Node", "n1", "status: {}", version="v1"),
        thing("Node", "n2", "status: {}", version="v1", meta=", labels: {rack: r1}"),
    ]
    (row,) = dractl.simulate(docs, allocate_unreferenced=True).placements
    assert (row.pool, row.device) == ("net", "d0")
    (pending,) = dractl.simulate(
        [text.replace("rack: r1", "rack: r2") for text in docs], allocate_unreferenced=True
    ).pending
    assert sorted(pending.nodes) == ["n1", "n2"]


def test_a_claim_that_no_pod_uses_stays_unallocated() -> None:
    docs = [MEMORY, ACME, claim("c", "- name: x\n  allOf: [{class: acme}]")]
    found = dractl.simulate(docs)
    assert (found.placements, found.ok) == ((), True)
    assert [(note.code, note.claims) for note in found.notes] == [("unreferenced-claims", ("default/c",))]
    assert dractl.simulate(docs, allocate_unreferenced=True).placements != ()
