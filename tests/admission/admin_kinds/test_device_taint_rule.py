from typing import Any

from dractl.admission.admin_kinds.device_taint_rule import check_device_taint_rule_spec
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

TAINT = {"key": "example.com/broken", "effect": "NoSchedule"}
SELECTOR = "spec.deviceSelector"


@each_row(
    ("selector", "expected"),
    [
        (None, set()),
        ({}, set()),
        ({"driver": "GPU.example.com", "pool": "a/b", "device": "gpu-0"}, set()),
        ({"device": "gpu-0"}, set()),
        ({"driver": ""}, {f"rule/selector-driver Required {SELECTOR}.driver"}),
        ({"driver": "a_b"}, {f"rule/selector-driver Invalid {SELECTOR}.driver"}),
        ({"driver": "a" * 64}, {f"rule/selector-driver TooLong {SELECTOR}.driver"}),
        ({"pool": ""}, {f"rule/selector-pool Required {SELECTOR}.pool"}),
        ({"pool": "a//b"}, {f"rule/selector-pool Invalid {SELECTOR}.pool"}),
        ({"device": ""}, {f"rule/selector-device Invalid {SELECTOR}.device"}),
        ({"device": "a.b"}, {f"rule/selector-device Invalid {SELECTOR}.device"}),
    ],
)
def test_selectors(selector: dict[str, Any] | None, expected: set[str]) -> None:
    spec: Any = {"taint": TAINT} | ({} if selector is None else {"deviceSelector": selector})
    assert refused(lambda ctx: check_device_taint_rule_spec(ctx, spec, SPEC)) == expected


def test_the_taint_is_looked_at() -> None:
    assert refused(lambda ctx: check_device_taint_rule_spec(ctx, {"taint": {}}, SPEC)) == {
        "rule/taint-key Invalid spec.taint.key",
        "rule/taint-effect Required spec.taint.effect",
    }
