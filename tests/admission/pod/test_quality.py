from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dractl.admission.pod.quality import check_quality, quality_of
from tests.admission.refusals import refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.core import Container, PodSpec

ONE = {"cpu": "1", "memory": "1Gi"}


def container(**resources: Any) -> Any:
    return {"name": "main", "image": "i", "resources": resources}


def spec(*containers: Container, **fields: Any) -> Any:
    return {"containers": list(containers), **fields}


@each_row(
    ("containers", "expected"),
    [
        ([{}], "BestEffort"),
        ([container(requests={"example.com/gpu": "1"})], "BestEffort"),
        ([container(requests={"cpu": "0"})], "BestEffort"),
        ([container(limits=ONE)], "Guaranteed"),
        ([container(limits=ONE, requests={"cpu": "1000m"})], "Guaranteed"),
        ([container(limits=ONE), container(limits=ONE)], "Guaranteed"),
        ([container(limits=ONE), container()], "Burstable"),
        ([container(limits=ONE, requests={"cpu": "500m"})], "Burstable"),
        ([container(requests=ONE)], "Burstable"),
        ([container(limits={"cpu": "1"})], "Burstable"),
    ],
)
def test_the_class_of_a_pod(containers: list[Container], expected: str) -> None:
    assert quality_of(spec(*containers)) == expected
    assert quality_of(spec(initContainers=containers)) == expected


def changed(new: PodSpec, old: PodSpec, minor: str = "1.31", **status: str) -> set[str]:
    pods: Any = {"spec": new}, {"spec": old, "status": status}
    return refused(lambda ctx: check_quality(ctx, *pods), minor=minor)


def test_the_class_stays_as_it_is() -> None:
    better, plain = spec(container(limits=ONE)), spec(container())
    assert changed(better, plain) == {"pod/update-qos Invalid metadata"}
    assert changed(better, plain, "1.32") == set()
    assert changed(better, better) == set()
    assert changed(better, plain, qosClass="Guaranteed") == set()
    assert changed(spec(container(limits=ONE | {"cpu": "2"})), better) == set()


def test_other_errors_end_the_check_before() -> None:
    better, plain = spec(container(limits=ONE)), spec(container())
    assert changed(spec(container(limits=ONE), container()), plain) == set()
    for deadline, before, looks in ((5, 4, False), (4, 5, True), (-1, None, False), (2**31, None, False)):
        new = better | {"activeDeadlineSeconds": deadline}
        old = plain | ({} if before is None else {"activeDeadlineSeconds": before})
        assert (changed(new, old) != set()) is looks
