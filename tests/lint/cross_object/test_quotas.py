from __future__ import annotations

from typing import Any

import dractl
from tests.cluster.test_quota import CLAIMS, GPU, TEMPLATE, claim, exactly, pod, quota, spec

RULE = "across/quota-exceeded"


def messages(*objects: dict[str, Any], **arguments: Any) -> list[tuple[str, str]]:
    found = dractl.validate(objects, **arguments).findings
    rows = [(row.object, row.message) for row in found if row.rule == RULE]
    return [(f"{where.kind} {where.name}", message) for where, message in rows if where]


def test_the_first_object_beyond_a_quota_is_reported() -> None:
    ((where, message),) = messages(quota({GPU: 8}), claim("a", 3), claim("b", 3), claim("c", 3))
    assert where == "ResourceClaim c"
    assert message == (
        "quota team allows 8 devices of class gpu, and the input needs 9: 3 here, after 3 by "
        "ResourceClaim a, 3 by ResourceClaim b; the API server rejects what exceeds the quota"
    )
    assert messages(quota({GPU: 9}), claim("a", 3), claim("b", 3), claim("c", 3)) == []


def test_each_limit_is_compared_in_its_namespace() -> None:
    found = messages(quota({GPU: 1, CLAIMS: 1}), claim("a"), claim("b"))
    assert [message[:30] for _, message in found] == [
        "quota team allows 1 device of ",
        "quota team allows 1 claim, and",
    ]
    assert messages(quota({GPU: 0}, "other"), claim("a")) == []
    assert messages(quota({GPU: 0}, scopes=["NotTerminating"]), claim("a")) == []


def test_pods_and_workloads_count_the_claims_that_are_generated_for_them() -> None:
    user = pod("a", {"resourceClaimTemplateName": "two"})
    assert messages(quota({GPU: 2}), TEMPLATE, user) == []
    ((where, message),) = messages(quota({GPU: 1}), TEMPLATE, user)
    assert where == "Pod a"
    assert "and the input needs 2: 2 here" in message
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "serve", "namespace": "default"},
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app": "serve"}},
            "template": {"metadata": {"labels": {"app": "serve"}}, "spec": user["spec"]},
        },
    }
    assert messages(quota({GPU: 6}), TEMPLATE, deployment) == []
    ((where, message),) = messages(quota({GPU: 5}), TEMPLATE, deployment)
    assert where == "Deployment serve"
    assert "and the input needs 6: 6 here" in message
    # The pods of a workload from a cluster are objects of their own.
    existing: dict[str, Any] = {
        **deployment,
        "metadata": {"name": "serve", "namespace": "default", "uid": "1"},
    }
    assert messages(quota({GPU: 1}), TEMPLATE, existing) == []


def test_what_exists_comes_first_and_is_not_reported() -> None:
    old = claim("old", 3, uid="1")
    ((where, message),) = messages(quota({GPU: 4}), claim("new", 2), old)
    assert where == "ResourceClaim new"
    assert "2 here, after 3 by ResourceClaim old" in message
    assert messages(quota({GPU: 1}), old) == []


def test_the_status_tells_what_objects_outside_the_input_use() -> None:
    used = {**quota({GPU: 8}), "status": {"used": {GPU: "7"}}}
    assert messages(used, claim("new", 1)) == []
    ((_, message),) = messages(used, claim("old", 3, uid="1"), claim("new", 2))
    assert (
        "the input needs 9: 2 here, after 3 by ResourceClaim old, 4 by objects outside the input" in message
    )


def test_extended_resources_of_pods_count() -> None:
    user = pod("a", {})
    user["spec"] = {
        "containers": [{"name": "main", "image": "main", "resources": {"limits": {"example.com/gpu": "2"}}}]
    }
    ((where, message),) = messages(quota({"requests.example.com/gpu": 1}), user)
    assert where == "Pod a"
    assert "allows 1 of example.com/gpu" in message


def test_a_single_claim_is_compared_too() -> None:
    item = {**claim("a"), "spec": spec(exactly(allocationMode="All"))}
    ((_, message),) = messages(quota({GPU: 31}), item)
    assert "needs 32" in message
