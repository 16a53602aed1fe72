"""Pods that use claims, and nodes for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dractl.api.json_types import JsonDict

__all__ = ["node", "pod"]

_MOST_CLAIMS = 2


@st.composite
def pod(draw: DrawFn, name: str, namespace: str, claims: Sequence[Mapping[str, str]]) -> JsonDict:
    """A pod with one or two of ``claims``, which are entries of ``resourceClaims`` without their names.

    Each container sees some of them, the first one all.
    """
    most = min(_MOST_CLAIMS, len(claims))
    chosen = draw(st.lists(st.sampled_from(range(len(claims))), min_size=1, max_size=most, unique=True))
    entries = [{"name": f"claim-{number}", **claims[number]} for number in chosen]
    names = [entry["name"] for entry in entries]
    containers = [_container("main", names)]
    if draw(st.booleans()):
        containers.append(_container("sidecar", draw(st.lists(st.sampled_from(names), unique=True))))
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"containers": containers, "resourceClaims": entries},
    }


def _container(name: str, claims: Sequence[str]) -> JsonDict:
    container: JsonDict = {"name": name, "image": "registry.example.com/image:1"}
    return (
        {**container, "resources": {"claims": [{"name": claim} for claim in claims]}} if claims else container
    )


def node(name: str) -> JsonDict:
    """A node with room for pods."""
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110"}},
    }
