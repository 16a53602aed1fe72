"""What exists besides the input: objects of the cluster to check against, and names of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from dractl.api.wording import choose_from, did_you_mean
from dractl.lint.base.placing import object_ref
from dractl.records import NamedTuple
from dractl.source.document import Document

__all__ = ["Elsewhere", "External", "ExternalError", "external_of", "is_external"]

KINDS = ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "Node")
"""The kinds that other objects refer to, and whose absence is reported."""


class ExternalError(ValueError):
    """A text that does not name external objects."""


class External(NamedTuple):
    """Objects that exist although they are not in the input; namespace and name are globs."""

    kind: str
    namespace: str
    name: str


def external_of(text: str) -> External:
    """The objects that ``KIND/NAME`` or ``KIND/NAMESPACE/NAME`` means; raises ExternalError."""
    kind, *rest = text.split("/")
    if len(rest) not in (1, 2) or not all(rest):
        raise ExternalError(f"expected KIND/NAME or KIND/NAMESPACE/NAME, got {text!r}")
    if kind not in KINDS:
        raise ExternalError(f"unsupported kind {kind!r}; {did_you_mean(kind, KINDS) or choose_from(KINDS)}")
    return External(kind, rest[0] if len(rest) == 2 else "*", rest[-1])


class Elsewhere(NamedTuple):
    """``world`` has objects that are compared with the input, ``external`` names of others."""

    world: Sequence[Document] = ()
    external: Sequence[External] = ()

    def around(self, documents: Iterable[Document]) -> list[Document]:
        """The objects of the world that ``documents`` do not replace."""
        if not self.world:
            return []
        known = set(map(_identity, documents))
        return [document for document in self.world if _identity(document) not in known]


def is_external(external: Iterable[External], kind: str, namespace: str, name: str) -> bool:
    """Whether such an object exists elsewhere; an object without a namespace may be in any."""
    return any(
        entry.kind == kind
        and fnmatchcase(name, entry.name)
        and (not namespace or fnmatchcase(namespace, entry.namespace))
        for entry in external
    )


def _identity(document: Document) -> tuple[str, str, str, str]:
    about = object_ref(document)
    if about is None or not about.name:
        return ("", "", "", str(id(document)))
    return about.api_version.rpartition("/")[0], about.kind, about.namespace or "default", about.name
