"""From a pod to its claims."""

from __future__ import annotations

from typing import Any

from dractl.cluster.objects import Objects
from dractl.cluster.uids import stable_uid, uid_of
from dractl.simulation.pods import claims
from dractl.simulation.pods.claims import Problem, generated_base, is_owned_by, owner_reference, resolve
from dractl.simulation.pods.pods import Pod
from tests.rows import each_row
from tests.simulation.build import claim, exactly, pod, template


def generated(name: str, owner: Pod, entry: str) -> dict[str, Any]:
    item = claim(name)
    item["metadata"]["annotations"] = {"resource.kubernetes.io/pod-claim-name": entry}
    item["metadata"]["ownerReferences"] = [owner_reference(owner)]
    return item


def named(statuses: dict[str, str | None]) -> dict[str, Any]:
    entries = [{"name": name, "resourceClaimName": claim} for name, claim in statuses.items()]
    return {"resourceClaimStatuses": entries}


def instantiate(item: Pod, api_objects: Objects) -> Any:
    return claims.instantiate(item, api_objects, claims.claims_by_owner(api_objects).get(item.uid, ()))


TEMPLATED = Pod(pod("train", templates={"gpu": "t"}))


def test_a_claim_is_made_from_its_template() -> None:
    api_objects = Objects([template("t", exactly("gpu"), labels={"team": "x"}, annotations={"note": "y"})])
    (made,), statuses = instantiate(TEMPLATED, api_objects)
    assert statuses == {"gpu": "train-gpu"}
    metadata = made["metadata"]
    assert (metadata["name"], metadata["generateName"], metadata["namespace"]) == (
        "train-gpu",
        "train-gpu-",
        "default",
    )
    assert metadata["labels"] == {"team": "x"}
    assert metadata["annotations"] == {"note": "y", "resource.kubernetes.io/pod-claim-name": "gpu"}
    assert metadata["ownerReferences"] == [
        {"apiVersion": "v1", "kind": "Pod", "name": "train", "uid": TEMPLATED.uid, "controller": True}
    ]
    assert made["spec"] == {"devices": {"requests": [exactly("gpu")]}}


def test_two_entries_with_one_template_make_two_claims() -> None:
    made, statuses = instantiate(Pod(pod("p", templates={"b": "t", "a": "t"})), Objects([template("t")]))
    assert [item["metadata"]["name"] for item in made] == ["p-b", "p-a"]
    assert statuses == {"b": "p-b", "a": "p-a"}


def test_a_name_that_is_taken_gets_a_number() -> None:
    made, _ = instantiate(TEMPLATED, Objects([template("t"), claim("train-gpu"), claim("train-gpu-2")]))
    assert made[0]["metadata"]["name"] == "train-gpu-3"


def test_a_claim_that_was_made_before_is_used_again() -> None:
    old = generated("train-gpu-x7k2p", TEMPLATED, "gpu")
    assert instantiate(TEMPLATED, Objects([template("t"), old])) == ([], {"gpu": "train-gpu-x7k2p"})
    later = Pod(pod("train", templates={"gpu": "t"}, status=named({"gpu": "train-gpu-x7k2p"})))
    assert instantiate(later, Objects([old])) == ([], {"gpu": "train-gpu-x7k2p"})


def test_a_claim_of_the_name_that_belongs_to_nobody_is_not_used() -> None:
    stranger = Pod(pod("other"))
    api_objects = Objects([template("t"), generated("train-gpu", stranger, "gpu")])
    made, _ = instantiate(TEMPLATED, api_objects)
    assert made[0]["metadata"]["name"] == "train-gpu-2"


def test_a_missing_template_ends_the_pass_before_the_status_is_written() -> None:
    both = Pod(pod("p", templates={"a": "there", "b": "gone"}))
    made, statuses = instantiate(both, Objects([template("there")]))
    assert [item["metadata"]["name"] for item in made] == ["p-a"]
    assert statuses is None
    reversed_order = Pod(pod("p", templates={"b": "gone", "a": "there"}))
    assert instantiate(reversed_order, Objects([template("there")])) == ([], None)


def test_an_entry_that_needs_no_claim_gets_none() -> None:
    item = Pod(pod("p", templates={"a": "t"}, status=named({"a": None})))
    assert instantiate(item, Objects([template("t")])) == ([], {"a": None})


@each_row(
    ("pod_name", "entry", "expected"),
    [
        ("train", "gpu", "train-gpu-"),
        ("p" * 40, "e" * 15, f"{'p' * 40}-{'e' * 15}-"),
        # 41 + 15 + 2 are one too many: each part keeps its share of 57 characters.
        ("p" * 41, "e" * 15, f"{'p' * 40}-{'e' * 14}"),
        ("p" * 100, "e", f"{'p' * 55}-"),
    ],
)
def test_long_names_are_cut_in_proportion(pod_name: str, entry: str, expected: str) -> None:
    assert generated_base(pod_name, entry) == expected


def resolved(item: Pod, *objects: dict[str, Any]) -> Any:
    found = resolve(item, Objects(objects))
    if isinstance(found, Problem):
        return found.category
    return [entry.claim and entry.claim["metadata"]["name"] for entry in found]


READY = Pod(pod("train", templates={"gpu": "t"}, status=named({"gpu": "train-gpu"})))


def test_claims_come_in_the_order_of_the_entries() -> None:
    item = Pod(pod("p", claims={"b": "two", "a": "one"}))
    assert resolved(item, claim("one"), claim("two")) == ["two", "one"]


def test_an_entry_that_needs_no_claim_is_skipped() -> None:
    item = Pod(pod("p", templates={"a": "t"}, status=named({"a": None})))
    assert resolved(item) == [None]


def test_what_is_not_there_is_waited_for() -> None:
    assert resolved(Pod(pod("p", claims={"a": "gone"}))) == "claim-missing"
    assert resolved(TEMPLATED) == "claim-missing"
    assert resolved(READY) == "claim-missing"
    other = claim("shared", namespace="other")
    assert resolved(Pod(pod("p", claims={"a": "shared"})), other) == "claim-missing"


def test_the_missing_template_is_named() -> None:
    found = resolve(TEMPLATED, Objects([]))
    assert isinstance(found, Problem)
    assert "ResourceClaimTemplate default/t does not exist" in found.message


def test_a_claim_that_is_being_deleted_is_waited_for() -> None:
    item = claim("shared")
    item["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert resolved(Pod(pod("p", claims={"a": "shared"})), item) == "claim-deleting"


def test_a_generated_claim_must_be_owned_by_the_pod() -> None:
    assert resolved(READY, generated("train-gpu", READY, "gpu")) == ["train-gpu"]
    assert resolved(READY, claim("train-gpu")) == "not-owner"
    replaced = Pod(pod("train", metadata={"uid": "1"}, templates={"gpu": "t"}, status=READY.data["status"]))
    assert resolved(replaced, generated("train-gpu", READY, "gpu")) == "not-owner"


def test_ownership_is_by_uid_and_controller() -> None:
    item = generated("c", READY, "gpu")
    assert is_owned_by(item, READY)
    item["metadata"]["ownerReferences"][0]["controller"] = False
    assert not is_owned_by(item, READY)
    elsewhere = generated("c", READY, "gpu")
    elsewhere["metadata"]["namespace"] = "other"
    assert not is_owned_by(elsewhere, READY)


def test_a_made_up_uid_is_fixed_and_looks_like_one() -> None:
    assert uid_of(pod("p")) == stable_uid("Pod/default/p")
    assert uid_of(pod("p")) != uid_of(pod("q"))
    assert uid_of(pod("p", metadata={"uid": "given"})) == "given"
    parts = stable_uid("x").split("-")
    assert [len(part) for part in parts] == [8, 4, 4, 4, 12]
    assert (parts[2][0], parts[3][0]) == ("4", "8")
