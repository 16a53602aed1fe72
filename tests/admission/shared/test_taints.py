from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.shared.taints import OF_RULE, check_taint, check_taints
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceTaint

FINE: DeviceTaint = {"key": "example.com/broken", "effect": "NoSchedule"}


@each_row(
    ("taint", "expected"),
    [
        (FINE, set()),
        (FINE | {"value": "fan-1", "effect": "NoExecute", "timeAdded": "2026-01-31T12:00:00Z"}, set()),
        (FINE | {"effect": "None"}, set()),
        ({"effect": "NoSchedule"}, {"device/taint-key Invalid spec[0].key"}),
        (FINE | {"key": "Example.com/a"}, {"device/taint-key Invalid spec[0].key"}),
        (FINE | {"key": "a/b/c"}, {"device/taint-key Invalid spec[0].key"}),
        (FINE | {"value": "the fan"}, {"device/taint-value Invalid spec[0].value"}),
        (FINE | {"value": "a" * 64}, {"device/taint-value Invalid spec[0].value"}),
        ({"key": "a"}, {"device/taint-effect-required Required spec[0].effect"}),
        (FINE | {"effect": "PreferNoSchedule"}, {"device/taint-effect NotSupported spec[0].effect"}),
    ],
)
def test_taints_of_devices(taint: DeviceTaint, expected: set[str]) -> None:
    assert refused(lambda ctx: check_taints(ctx, [taint], SPEC)) == expected


def test_a_device_has_sixteen_taints_of_any_key() -> None:
    assert refused(lambda ctx: check_taints(ctx, [FINE] * 16, SPEC)) == set()
    assert refused(lambda ctx: check_taints(ctx, [{}] * 17, SPEC)) == {"device/taints-size TooMany spec"}


def test_taints_of_rules_have_rules_of_their_own() -> None:
    taint: DeviceTaint = {"key": "a b", "value": "c d"}
    assert refused(lambda ctx: check_taint(ctx, OF_RULE, taint, SPEC)) == {
        "rule/taint-key Invalid spec.key",
        "rule/taint-value Invalid spec.value",
        "rule/taint-effect Required spec.effect",
    }
    assert refused(lambda ctx: check_taint(ctx, OF_RULE, FINE | {"effect": "no"}, SPEC)) == {
        "rule/taint-effect NotSupported spec.effect"
    }
