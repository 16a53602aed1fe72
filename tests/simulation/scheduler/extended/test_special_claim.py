"""The special claim of a pod for its extended resources."""

from __future__ import annotations

from dractl.simulation.pods.pods import Pod
from dractl.simulation.scheduler.extended.requests import Requests
from dractl.simulation.scheduler.extended.special_claim import special_base, special_claim
from tests.simulation.build import pod


def test_the_special_claim_belongs_to_the_pod() -> None:
    found = special_claim(Pod(pod("p")), frozenset(), Requests((), ()))
    metadata = found.claim["metadata"]
    assert metadata["generateName"] == "p-extended-resources-"
    assert metadata["name"] == "p-extended-resources"
    assert metadata["annotations"] == {"resource.kubernetes.io/extended-resource-claim": "true"}
    assert metadata["ownerReferences"][0]["name"] == "p"


def test_a_long_name_is_cut_as_the_server_does() -> None:
    assert special_base("p" * 50) == f"{'p' * 50}-extende"
