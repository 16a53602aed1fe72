from __future__ import annotations

import dractl
from tests.legacy.prototypes.build import claim, pool, thing


def test_a_name_with_a_hyphen_gets_a_hint() -> None:
    docs = [
        pool("p", "n1", "- name: d0"),
        thing("DeviceClass", "acme", "spec: {definition: {driver: acme.example}}"),
        claim("c", '- {name: x, allOf: [{class: acme, constraints: "device.mig-profile == 1"}]}'),
    ]
    (found,) = [
        found for found in dractl.validate(docs, lenient=True).findings if found.rule == "prototype/cl-8"
    ]
    assert found.message.startswith("unknown variable profile")
    assert found.hint == "write a name with a hyphen as device['…']"
