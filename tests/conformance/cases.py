"""The project's own cases: readable YAML, one file a rule or situation, with a verdict per minor."""

from __future__ import annotations

import json
from typing import Any

from tests.conformance import verdicts
from tests.conformance.difference import Difference
from tests.reading import read_yaml


def check(case: dict[str, Any]) -> Difference | None:
    """Compare the verdict on the manifest of ``case`` in every minor that it has one for.

    A verdict is a list of ``[type, path]``, or of ``[decode, kind, path]`` for what decoding refuses.
    """
    for minor, expected in case["expect"].items():
        row: dict[str, Any] = {
            "kube": minor,
            "manifest": json.dumps(read_yaml(case["manifest"])),
            **{key: json.dumps(read_yaml(case["old"])) for key in ("old",) if key in case},
            "subresource": case.get("subresource", ""),
            "gates": case.get("gates", {}),
            "namespace_labels": case.get("namespace_labels", {}),
            "decode": [entry[1:] for entry in expected if entry[0] == "decode"],
            "errors": [entry for entry in expected if entry[0] != "decode"],
        }
        difference = verdicts.check_own(row)
        if difference is not None:
            return difference._replace(expected={minor: difference.expected})
    return None
