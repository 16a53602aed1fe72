"""Requests for extended resources, by the resource and the container that a user wrote."""

from __future__ import annotations

from collections.abc import Iterable

from dractl.explanation.model import Cause, Explanation, Group, NotTogether, Other, Unmet
from dractl.simulation.scheduler.extended.special_claim import SpecialClaim

__all__ = ["ExtendedNames"]


class ExtendedNames:
    """The requests of the claim that the scheduler makes for the extended resources of a pod."""

    def __init__(self, claims: Iterable[SpecialClaim | None]) -> None:
        """Read what the nodes need of the claim; None where they need none."""
        self._names: dict[tuple[str, str], str] = {}
        for special in claims:
            if special is None:
                continue
            metadata = special.claim["metadata"]
            claim = f"{metadata['namespace']}/{metadata['name']}"
            for mapped in special.mappings:
                written = f"{mapped.resource} of container {mapped.container}"
                self._names.setdefault((claim, mapped.request), written)

    def request(self, claim: str | None, request: str) -> str:
        """A request as its user knows it; several are joined with "and"."""
        if not self._names or claim is None:
            return request
        return " and ".join(self._names.get((claim, part), part) for part in request.split(" and "))

    def explanation(self, found: Explanation) -> Explanation:
        """The explanation with these names."""
        if not self._names:
            return found
        return found._replace(
            message=self._text(found.message), groups=tuple(self._group(group) for group in found.groups)
        )

    def _group(self, group: Group) -> Group:
        return group._replace(
            request=None if group.request is None else self.request(group.claim, group.request),
            causes=self._causes(group.claim, group.causes),
            alternatives=tuple(map(self._unmet, group.alternatives)),
            others=tuple(map(self._unmet, group.others)),
        )

    def _unmet(self, unmet: Unmet) -> Unmet:
        return unmet._replace(
            request=self.request(unmet.claim, unmet.request), causes=self._causes(unmet.claim, unmet.causes)
        )

    def _causes(self, claim: str | None, causes: Iterable[Cause]) -> tuple[Cause, ...]:
        return tuple(
            cause._replace(requests=tuple(self.request(claim, name) for name in cause.requests))
            if isinstance(cause, NotTogether)
            else cause._replace(message=self._text(cause.message))
            if isinstance(cause, Other)
            else cause
            for cause in causes
        )

    def _text(self, text: str) -> str:
        for (_, request), written in self._names.items():
            text = text.replace(f"request {request}:", f"request {written}:")
        return text
