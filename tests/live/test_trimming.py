"""What is kept of the objects of a cluster, and that nothing secret is."""

from __future__ import annotations

import json
from typing import Any

from dractl.live.trimming import trimmed

POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {
        "name": "p",
        "annotations": {
            "kubectl.kubernetes.io/last-applied-configuration": "TOP-SECRET",
            "note": "TOP-SECRET",
        },
        "managedFields": [{}],
        "labels": {"app": "web"},
    },
    "spec": {
        "containers": [
            {
                "name": "c",
                "image": "i",
                "env": [{"name": "TOKEN", "value": "TOP-SECRET"}],
                "envFrom": [{"secretRef": {"name": "TOP-SECRET"}}],
                "args": ["--password=TOP-SECRET"],
                "command": ["TOP-SECRET"],
                "resources": {"claims": [{"name": "gpu"}]},
            }
        ],
        "imagePullSecrets": [{"name": "TOP-SECRET"}],
        "volumes": [
            {"name": "s", "secret": {"secretName": "TOP-SECRET"}},
            {"name": "d", "persistentVolumeClaim": {"claimName": "data"}},
        ],
        "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "t"}],
    },
    "status": {"phase": "Running", "podIP": "10.0.0.1", "containerStatuses": [{"name": "c"}]},
}


def test_nothing_secret_is_kept_of_a_pod() -> None:
    found = trimmed(POD)
    assert "TOP-SECRET" not in json.dumps(found)
    assert found == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "labels": {"app": "web"}},
        "spec": {
            "containers": [{"name": "c", "image": "i", "resources": {"claims": [{"name": "gpu"}]}}],
            "resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "t"}],
            "volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}],
        },
        "status": {"phase": "Running"},
    }


def test_the_annotation_of_a_generated_claim_is_kept() -> None:
    annotations = {"resource.kubernetes.io/pod-claim-name": "gpu", "other": "x"}
    found = trimmed({"kind": "ResourceClaim", "metadata": {"name": "c", "annotations": annotations}})
    assert found["metadata"] == {
        "name": "c",
        "annotations": {"resource.kubernetes.io/pod-claim-name": "gpu"},
    }


def test_odd_objects_are_kept_as_they_are() -> None:
    odd = {"kind": "Pod", "metadata": {}, "spec": {"containers": [1, None], "volumes": 7}, "status": None}
    assert trimmed(odd) == {
        "kind": "Pod",
        "metadata": {},
        "spec": {"containers": [1, None]},
        "status": None,
    }
