"""The rule of 1.30 about the names of claims that are made for a pod from templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dractl.legacy.v1alpha2.admission.kinds  # noqa: F401 - its rows come first in lists
from dractl.admission.framework.context import Context
from dractl.api import names
from dractl.api.errors import ErrorType
from dractl.api.path import FieldPath
from dractl.legacy.v1alpha2.admission.rule import rule

if TYPE_CHECKING:
    from dractl.api.objects.core import Pod

__all__ = ["check_generated_names"]

POD_CLAIM_GENERATED_NAME = rule(
    "pod/claim-generated-name",
    kind="Pod",
    at="spec.resourceClaims[*].name",
    type=ErrorType.INVALID,
    since="1.30",
    until="1.30",
    upstream="validatePodResourceClaim",
    doc="""The name of a claim created from a template, POD-NAME, must be a DNS subdomain.

    Pod name and claim name can have at most 252 bytes in total.

    Good:
        metadata: {name: train}
        spec: {resourceClaims: [{name: gpu, source: {resourceClaimTemplateName: one-gpu}}]}
    Bad:
        metadata: {name: "<250 times x>"}
        spec: {resourceClaims: [{name: gpu, source: {resourceClaimTemplateName: one-gpu}}]}
    """,
)


def check_generated_names(ctx: Context, pod: Pod) -> None:
    """The names of the claims to be made, where those within the pod are fine."""
    if not ctx.has(POD_CLAIM_GENERATED_NAME):
        return
    path = FieldPath("spec").child("resourceClaims")
    seen: set[str] = set()
    for position, claim in enumerate(pod["spec"].get("resourceClaims") or ()):
        name = claim.get("name", "")
        from_template = "resourceClaimTemplateName" in (claim.get("source") or {})
        if from_template and name not in seen and not names.dns_label(name):
            made = f"{pod['metadata'].get('name', '')}-{name}"
            for message in names.dns_subdomain(made):
                place = path.index(position).child("name")
                ctx.refuse(POD_CLAIM_GENERATED_NAME, place, made, f"{made!r} {message}")
        seen.add(name)
