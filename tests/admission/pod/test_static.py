from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dractl.admission.pod.static import check_mirror, check_static_claims, is_mirror
from tests.admission.refusals import SPEC, bad_values, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.core import Pod, PodResourceClaim


def pod(annotations: dict[str, str] | None, **spec: Any) -> Any:
    return {"metadata": {} if annotations is None else {"annotations": annotations}, "spec": spec}


MIRROR = {"kubernetes.io/config.mirror": "hash"}


@each_row(
    ("one", "node_is_missing"),
    [
        (pod(None), False),
        (pod({"kubernetes.io/config.source": "file"}), False),
        (pod(MIRROR), True),
        (pod(MIRROR, nodeName="node-a"), False),
    ],
)
def test_a_mirror_names_its_node(one: Pod, node_is_missing: bool) -> None:
    line = "pod/mirror-node Invalid metadata.annotations[kubernetes.io/config.mirror]"
    assert refused(lambda ctx: check_mirror(ctx, one)) == ({line} if node_is_missing else set())


def test_mirrors_are_known_by_their_annotation() -> None:
    assert is_mirror(pod({"kubernetes.io/config.mirror": ""}))
    assert not is_mirror(pod({}))


def test_every_claim_of_a_static_pod_is_refused_at_the_root() -> None:
    claims: list[PodResourceClaim] = [{"name": "a"}, {"name": "b"}]
    assert refused(lambda ctx: check_static_claims(ctx, claims, SPEC)) == {"pod/static Forbidden []"}
    assert bad_values(lambda ctx: check_static_claims(ctx, claims, SPEC)) == ["", ""]
