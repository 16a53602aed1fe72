from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.admission.admin_kinds.device_class import check_device_class_spec
from tests.admission.refusals import SPEC, refused
from tests.rows import each_row

if TYPE_CHECKING:
    from dractl.api.objects.resource import DeviceClassSpec

SELECTOR = {"cel": {"expression": "true"}}
CONFIG = {"opaque": {"driver": "gpu.example.com", "parameters": {}}}
NAME = "class/extended-name Invalid spec.extendedResourceName"


@each_row(
    ("spec", "expected"),
    [
        ({}, set()),
        ({"selectors": [SELECTOR] * 32, "config": [CONFIG] * 32}, set()),
        ({"selectors": [{}] * 33}, {"class/selectors-size TooMany spec.selectors"}),
        ({"config": [{}] * 33}, {"class/config-size TooMany spec.config"}),
        ({"selectors": [{}]}, {"cel/required Required spec.selectors[0].cel"}),
        ({"selectors": [{"cel": {}}]}, {"cel/compile Invalid spec.selectors[0].cel.expression"}),
        ({"config": [{}]}, {"config/opaque-required Required spec.config[0].opaque"}),
        ({"extendedResourceName": "example.com/gpu"}, set()),
        ({"extendedResourceName": ""}, {NAME}),
        ({"extendedResourceName": "gpu"}, {NAME}),
        ({"extendedResourceName": "node.kubernetes.io/gpu"}, {NAME}),
        ({"extendedResourceName": "requests.example.com/gpu"}, {NAME}),
        ({"extendedResourceName": f"{'a' * 244}/gpu"}, set()),
        ({"extendedResourceName": f"{'a' * 245}/gpu"}, {NAME}),
        ({"extendedResourceName": f"a.b/{'c' * 64}"}, {NAME}),
    ],
)
def test_specs(spec: DeviceClassSpec, expected: set[str]) -> None:
    assert refused(lambda ctx: check_device_class_spec(ctx, spec, SPEC)) == expected
