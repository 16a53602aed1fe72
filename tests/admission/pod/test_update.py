import copy
from typing import Any

import pytest

from dractl.admission.framework.server import Server
from dractl.admission.update import admit_update, stored_object
from dractl.api import gates, release
from dractl.api.errors import FieldError
from dractl.versions.registry import look_up

GPU = {"claims": [{"name": "gpu"}]}
MAIN = {"name": "main", "image": "m", "resources": GPU}
SIDE = {"name": "side", "image": "m"}

Json = dict[str, Any]


def spec(*containers: Json, **fields: Any) -> Json:
    claims = [{"name": "gpu", "resourceClaimName": "g"}, {"name": "nic", "resourceClaimName": "n"}]
    return {"resourceClaims": claims, "containers": list(containers), **fields}


def changed(new: Json, old: Json, minor: str = "1.37", **overrides: bool) -> list[FieldError]:
    """The errors when ``new`` takes the place of the spec ``old``."""
    release_ = release.parse(minor)
    server = Server(release_, gates.resolve(release_, overrides), None, "2026-01-31T12:00:00Z")
    head = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default"}}
    kind = look_up(release_, head).kind
    assert kind is not None
    before, after = (copy.deepcopy({**head, "spec": part}) for part in (old, new))
    return admit_update(server, kind, after, stored_object(server, kind, before)).errors


def lines(errors: list[FieldError]) -> list[str]:
    return [f"{error.rule} {error.type.value.removeprefix('FieldValue')} {error.path}" for error in errors]


@pytest.mark.parametrize("minor", ["1.31", "1.34", "1.37"])
@pytest.mark.parametrize(
    ("new", "old", "field"),
    [
        (spec(MAIN, SIDE), spec(MAIN), "containers"),
        (spec(MAIN), spec(MAIN, SIDE), "containers"),
        (spec(SIDE, MAIN), spec(SIDE), "containers"),
        (spec(MAIN, initContainers=[SIDE]), spec(MAIN), "initContainers"),
        (spec(MAIN), spec(MAIN, initContainers=[SIDE]), "initContainers"),
    ],
)
def test_the_number_of_containers_is_refused_where_they_are(
    new: Json, old: Json, field: str, minor: str
) -> None:
    assert lines(changed(new, old, minor)) == [f"pod/update-containers Forbidden spec.{field}"]


def test_what_was_added_or_taken_away_is_named() -> None:
    (added,) = changed(spec(MAIN, SIDE), spec(MAIN))
    assert added.message == "a container cannot be added to an existing pod: 'side'"
    assert str(added.place) == "spec.containers[1]"
    (gone,) = changed(spec(MAIN), spec(MAIN, SIDE))
    assert gone.message == "a container cannot be taken away from an existing pod: 'side'"
    assert gone.hint == "recreate the pod; it had 2 in `containers` before"


@pytest.mark.parametrize(
    "new",
    [
        spec(MAIN | {"resources": {"claims": [{"name": "nic"}]}}),
        spec(MAIN | {"resources": {}}),
        spec(MAIN, resourceClaims=[{"name": "gpu", "resourceClaimName": "other"}]),
    ],
)
def test_claims_cannot_change(new: Json) -> None:
    assert lines(changed(new, spec(MAIN))) == ["pod/update-spec Forbidden spec"]


@pytest.mark.parametrize(
    "new",
    [
        spec(MAIN | {"image": "other"}),
        spec(MAIN, initContainers=[], ephemeralContainers=[]),
        spec(MAIN, tolerations=[{"key": "a", "operator": "Exists"}]),
    ],
)
def test_what_has_nothing_to_do_with_claims_is_not_judged(new: Json) -> None:
    assert changed(new, spec(MAIN)) == []


def test_of_ephemeral_containers_it_is_not_said_that_claims_changed() -> None:
    debug = {"name": "debug", "image": "m"}
    (error,) = changed(spec(MAIN, ephemeralContainers=[debug]), spec(MAIN))
    assert lines([error]) == ["pod/update-spec Forbidden spec"]
    assert "claims" not in error.message
    assert str(error.place) == "spec.ephemeralContainers"


def test_claims_of_the_whole_pod_count_with_their_gate_only() -> None:
    new = spec(MAIN, resources=GPU)
    assert changed(new, spec(MAIN), "1.33") == []
    assert lines(changed(new, spec(MAIN), "1.33", PodLevelResources=True)) == [
        "ctr/pod-level Forbidden spec.resources.claims",
        "pod/update-spec Forbidden spec",
    ]
