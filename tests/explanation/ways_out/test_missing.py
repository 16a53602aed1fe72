"""Names of objects that do not exist."""

from __future__ import annotations

from tests.explanation.small_worlds import device_class, node, pod, slice_of, template, ways

CLUSTER = [node(), slice_of(), device_class()]


def test_the_nearest_class_is_meant() -> None:
    late = template("late", {"deviceClassName": "gpuu"})
    assert ways(*CLUSTER, late, pod()) == [
        (
            "write gpu instead of gpuu (claim template default/late, "
            "spec.spec.devices.requests[0].exactly.deviceClassName); then recreate the pod: fits on a"
        ),
        'create class gpuu with selector device.driver == "gpu.example.com": fits on a',
    ]


def test_the_nearest_template_is_meant() -> None:
    found = ways(*CLUSTER, template("late-gpu"), pod(uses={"resourceClaimTemplateName": "late-gpus"}))
    assert found[0] == (
        "write late-gpu instead of late-gpus (pod default/late, "
        "spec.resourceClaims[0].resourceClaimTemplateName); recreate the pod: fits on a"
    )


def test_a_template_may_have_been_named_as_a_claim() -> None:
    found = ways(*CLUSTER, template("late"), pod(uses={"resourceClaimName": "late"}))
    assert found[0].startswith(
        "write resourceClaimTemplateName instead of resourceClaimName (pod default/late"
    )


def test_a_template_of_another_namespace_can_be_copied() -> None:
    found = ways(*CLUSTER, template("late", namespace="ml"), pod())
    assert found[0] == "create claim template default/late like ml/late: fits on a"


def test_what_nothing_is_like_can_be_created() -> None:
    assert ways(*CLUSTER, pod()) == [
        "create claim template default/late for 1 device of class gpu: fits on a"
    ]
