"""Why a field is unknown: one question after the other, from the surest explanation to a guess."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from dractl.api.path import Steps
from dractl.api.release import NEWEST
from dractl.api.wording import nearest
from dractl.lint.decode_errors import rules
from dractl.lint.decode_errors.explanation import Explanation, Unknown, canonical, real_name
from dractl.lint.decode_errors.field_places import field_at, fields_of, in_other_minors, takes
from dractl.lint.decode_errors.misplaced_fields import (
    at_another_level,
    beside_its_key,
    entry_of_a_map,
    needless_level,
)
from dractl.lint.decode_errors.removed_fields import OLD_NAMES, OLD_PARTS, OLD_PARTS_ALONE, OldPart
from dractl.lint.fixes.repair import Repair
from dractl.records import NamedTuple
from dractl.versions.layout import Move, moves_of, words_in_version
from dractl.versions.registry import DRA_GROUP
from dractl.versions.table import Field, Kind, Tables, tables

__all__ = ["Explanation", "Unknown", "mistake_behind"]

_WITH_MOVES = f"{DRA_GROUP}/v1beta1"
_PLAIN = "decode/unknown"


def mistake_behind(field: Unknown) -> Explanation | None:
    """The first explanation that fits; None if none does."""
    found = (question(field) for question in _QUESTIONS)
    return next((explanation for explanation in found if explanation is not None), None)


_WRAPPERS = {
    "exactly": ("a request", rules.REQUEST_FLAT.id, rules.REQUEST_EXACTLY.id),
    "basic": ("a device", rules.DEVICE_FLAT.id, rules.DEVICE_BASIC.id),
}
"""Per wrapper object: what it is a part of, the rule where it is missing, and that where it is too much."""


def _of_another_version(field: Unknown) -> Explanation | None:
    """The shape of another API version: a wrapper object is missing or too much."""
    own = moves_of(field.kind.api_version, field.kind.kind)
    for move in own or moves_of(_WITH_MOVES, field.kind.kind):
        depth = len(move.items)
        if len(field.steps) != depth + 2 or field.steps[:depth] != move.items:
            continue
        if bool(own) == move.in_version:
            name = real_name(_wrapped_fields(field.kind, move), field.name)
            return _without_wrapper(field, move, name) if name else None
        return _with_wrapper(field, move) if field.name == move.wrapper else None
    return None


def _wrapped_fields(kind: Kind, move: Move) -> dict[str, Field]:
    """What can be under the wrapper of a move, in the newest minor."""
    source = tables(NEWEST)
    for other in source.kinds.values():
        wrapper = field_at(source, other, (*move.items, 0, move.wrapper)) if other.kind == kind.kind else None
        if wrapper is not None:
            return fields_of(source, wrapper)
    return {}


def _without_wrapper(field: Unknown, move: Move, name: str) -> Explanation:
    noun, rule, _ = _WRAPPERS[move.wrapper]
    others, switch = _other_versions(field)
    message = (
        f"in {field.kind.version} `{field.name}` belongs under `{move.wrapper}`; "
        f"it is directly in {noun.replace('a ', 'the ')} only in {others}"
    )
    hint = f"move it under `{move.wrapper}:`{switch}"
    repair = Repair(field.steps, (*field.steps[:-1], move.wrapper, name))
    return Explanation(rule, "", message, hint, repair)


def _with_wrapper(field: Unknown, move: Move) -> Explanation:
    noun, _, rule = _WRAPPERS[move.wrapper]
    others, switch = _other_versions(field)
    message = f"{noun} of {field.kind.version} has no `{move.wrapper}`; it exists only in {others}"
    hint = f"move the fields under `{move.wrapper}` one level up{switch}"
    return Explanation(rule, "", message, hint, Repair(field.steps, field.steps[:-1]))


def _other_versions(field: Unknown) -> tuple[str, str]:
    """The versions of the kind in the other shape, and how to use one of them if the minor has any."""
    has_moves = bool(moves_of(field.kind.api_version, field.kind.kind))

    def others_in(source: Tables) -> list[str]:
        versions = [
            version for version in source.api_versions(field.kind.kind) if version.startswith(DRA_GROUP)
        ]
        return [version for version in versions if bool(moves_of(version, field.kind.kind)) != has_moves]

    here = others_in(field.source)
    if not here:
        newest = others_in(tables(NEWEST))
        is_earlier = field.minor > NEWEST
        return f"{_listed(newest)} of {'earlier' if is_earlier else 'later'} minors", ""
    is_served = field.source.kinds[here[0], field.kind.kind].served_by_default
    is_better = is_served or not field.kind.served_by_default
    return _listed(here), f", or use apiVersion: {here[0]}" if is_better else ""


def _listed(api_versions: list[str]) -> str:
    return " and ".join(version.rpartition("/")[2] for version in api_versions)


def _in_another_case(field: Unknown) -> Explanation | None:
    """A key that differs from a field's name in case, underscores or hyphens only."""
    name = real_name(field.fields, field.name)
    if name is None:
        return None
    message = f"unknown field `{field.name}`; the API spells it `{name}`"
    hint = f"rename `{field.name}` to `{name}`"
    return Explanation(rules.CASE.id, "", message, hint, Repair(field.steps, (*field.steps[:-1], name)))


class _TemplateRow(NamedTuple):
    """A place of a claim in a template, or the other way round, and where it belongs."""

    kind: str
    steps: Steps
    target: Steps
    message: str
    hint: str


_LIKE_A_TEMPLATE = "only a ResourceClaimTemplate has `spec.spec` and `spec.metadata`, not a ResourceClaim"
_TEMPLATE_ROWS = (
    _TemplateRow(
        "ResourceClaim",
        ("spec", "spec"),
        ("spec",),
        _LIKE_A_TEMPLATE,
        "move the fields under `spec.spec` one level up, or use kind: ResourceClaimTemplate",
    ),
    _TemplateRow(
        "ResourceClaim",
        ("spec", "metadata"),
        ("metadata",),
        _LIKE_A_TEMPLATE,
        "move labels and annotations to the top-level `metadata`",
    ),
    _TemplateRow(
        "ResourceClaimTemplate",
        ("spec", "devices"),
        ("spec", "spec", "devices"),
        "a ResourceClaimTemplate has the claim spec one level deeper, in `spec.spec`",
        "move `devices` under another `spec:`, or use kind: ResourceClaim",
    ),
)


def _claim_or_template(field: Unknown) -> Explanation | None:
    """A claim written as a template, or a template as a claim."""
    for row in _TEMPLATE_ROWS:
        if (row.kind, row.steps) == (field.kind.kind, field.steps):
            repair = Repair(field.steps, row.target)
            return Explanation(rules.CLAIM_OR_TEMPLATE.id, "", row.message, row.hint, repair)
    return None


def _of_a_former_api(field: Unknown) -> Explanation | None:
    """A part of an API that is gone, known by its name."""
    part = OLD_PARTS.get((field.type.rpartition(".")[2], field.name))
    if part is not None:
        return _old_part(field, part)
    gone = None if field.companions.isdisjoint(OLD_NAMES) else _gone(field)
    if gone is None:
        alone = OLD_PARTS_ALONE.get((field.type.rpartition(".")[2], field.name))
        return None if alone is None else _old_part(field, alone)._replace(may_go=True)
    hint = words_in_version(field.kind.api_version, field.kind.kind, OLD_NAMES.get(field.name, ""))
    return gone._replace(hint=hint, is_whole=True, may_go=False)


def _old_part(field: Unknown, part: OldPart) -> Explanation:
    target = None if part.target is None else (*field.steps[:-1], *part.target)
    return Explanation(part.rule, part.topic, part.message, part.hint, Repair(field.steps, target))


_SELECT_DEVICES = (
    "select by driver, pool and device, one rule for each device, or let the driver publish the taint; "
    "an empty deviceSelector selects every device"
)
_INSTEAD = {("DeviceTaintSelector", name): _SELECT_DEVICES for name in ("deviceClassName", "selectors")}
"""What to do instead of a field that is gone, where the object means something else without it."""


def _gone(field: Unknown) -> Explanation | None:
    """A field that an older minor had."""
    version = in_other_minors(field.minor, field.kind, field.steps, newer=False)
    if version is None:
        return None
    former = version.kind.api_version
    message = f"`{field.name}` was a field of {former} up to Kubernetes {version.minor} and was removed"
    instead = _INSTEAD.get((field.type.rpartition(".")[2], field.name))
    repair = None if instead else Repair(field.steps, None)
    return Explanation(
        rules.FORMER_FIELD.id, version.minor, message, instead or "remove it", repair, may_go=True
    )


def _of_a_newer_minor(field: Unknown) -> Explanation | None:
    """A field that came later."""
    version = in_other_minors(field.minor, field.kind, field.steps, newer=True)
    if version is None:
        return None
    message = f"`{field.name}` was added in Kubernetes {version.minor}; validating for {field.minor}"
    hint = f"remove it, or validate with --kube-version {version.minor}"
    return Explanation(
        rules.NEWER_FIELD.id, version.minor, message, hint, Repair(field.steps, None), may_go=True
    )


def _label_of_a_node(field: Unknown) -> Explanation | None:
    """A label where a node selector has terms: the form that `nodeSelector` has in a pod."""
    if field.type.rpartition(".")[2] != "NodeSelector" or not isinstance(field.value, str):
        return None
    holder = field.steps[-2]
    message = f"`{holder}` must have terms here, not labels as in a pod"
    term = f"{{key: {field.name}, operator: In, values: ['{field.value}']}}"
    hint = f"write `nodeSelectorTerms: [{{matchExpressions: [{term}]}}]`"
    expression = {"key": field.name, "operator": "In", "values": [field.value]}
    target = (*field.steps[:-1], "nodeSelectorTerms", 0, "matchExpressions", 0)
    return Explanation(
        rules.LEVEL.id, field.steps[:-1], message, hint, Repair(field.steps, target, expression)
    )


def _misspelled(field: Unknown) -> Explanation | None:
    """A name that is close to that of a field which is not there yet and can hold the value."""
    free = {
        canonical(name): name
        for name, known in field.fields.items()
        if name not in field.holder and takes(field.source, known, field.value)
    }
    name = _nearest(canonical(field.name), free)
    if name is None:
        return None
    message = f"unknown field '{field.name}'"
    hint = f"did you mean {name}?"
    repair = Repair(field.steps, (*field.steps[:-1], name))
    is_sure = _is_misspelling(canonical(field.name), canonical(name), free)
    return Explanation(_PLAIN, field.steps, message, hint, repair, is_sure=is_sure)


def _is_misspelling(wrong: str, right: str, free: Iterable[str]) -> bool:
    """Whether ``wrong`` is spelled nearly like ``right``, and clearly less like any other name."""
    from difflib import SequenceMatcher  # only on the way to an error

    alike = {name: SequenceMatcher(None, wrong, name).ratio() for name in free}
    best = alike.pop(right)
    return best >= _SURELY and all(ratio < best - _CLEARLY for ratio in alike.values())


_SURELY = 0.8
_CLEARLY = 0.1
"""How alike two names must be, from 0 to 1, and how much less alike all others."""


def _nearest(wanted: str, free: Mapping[str, str]) -> str | None:
    if meant := nearest(wanted, free, least=0.8):
        return free[meant]
    if len(wanted) < 5:
        return None
    holding = [known for known in free if wanted in known]
    return free[holding[0]] if len(holding) == 1 else None


_QUESTIONS: tuple[Callable[[Unknown], Explanation | None], ...] = (
    beside_its_key,
    _label_of_a_node,
    _of_another_version,
    _in_another_case,
    _claim_or_template,
    _of_a_former_api,
    _of_a_newer_minor,
    needless_level,
    entry_of_a_map,
    at_another_level,
    _gone,
    _misspelled,
)
