"""Warnings about amounts of memory and storage in a pod that are not whole bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from dractl.admission.framework.context import Context
from dractl.admission.framework.quirks import TRUNCATES_MILLI_BYTES
from dractl.admission.framework.warning import warning
from dractl.api.fixed_point import divided_up, tens, wrapped
from dractl.api.path import FieldPath
from dractl.api.quantity import Quantity, as_written

if TYPE_CHECKING:
    from dractl.api.objects.core import Container, PodSpec

__all__ = ["warn_about_amounts", "warn_about_overhead"]

_MILLI = -3
_WRITE_BYTES = "use a whole number of bytes; the suffix m means thousandths, Mi means mebibytes"
_MISREAD = "ignore it: the amount is a whole number, but servers up to 1.37 misread some large ones"
_BYTES = ("memory", "ephemeral-storage")
_LISTS: tuple[Literal["initContainers", "containers"], ...] = ("initContainers", "containers")

FRACTIONAL_BYTES = warning(
    "pod/fractional-bytes",
    kind="Pod",
    at=(
        "spec.overhead{*}",
        "spec.initContainers[*].resources.limits{*}",
        "spec.initContainers[*].resources.requests{*}",
        "spec.containers[*].resources.limits{*}",
        "spec.containers[*].resources.requests{*}",
    ),
    upstream="warningsForPodSpecAndMeta",
    doc="""An amount of memory or ephemeral storage should be a whole number of bytes.

    The suffix `m` means thousandths: 512m of memory is about half a byte, and was probably meant to be 512Mi.
    A container of a pod that has only a limit requests as much, so the server warns about both. Servers up to
    1.37 also warn about some large whole numbers, such as 0.5Ei.

    Good:
        spec:
          containers:
          - name: main
            image: registry.example.com/main
            resources: {requests: {memory: 512Mi}}
    Bad:
        spec:
          containers:
          - name: main
            image: registry.example.com/main
            resources: {requests: {memory: 512m}}
    """,
)


def warn_about_overhead(ctx: Context, spec: PodSpec, path: FieldPath) -> None:
    """Warn about the overhead of a pod."""
    for name in _BYTES:
        _warn_about(ctx, spec.get("overhead") or {}, name, path.child("overhead"))


def warn_about_amounts(ctx: Context, spec: PodSpec, path: FieldPath, *, is_template: bool) -> None:
    """Warn about what the containers of a pod, or of a template, request and may use."""
    for name in _LISTS:
        for number, container in enumerate(spec.get(name) or ()):
            at = path.child(name).index(number).child("resources")
            _warn_about_container(ctx, container, at, is_template=is_template)


def _warn_about_container(ctx: Context, container: Container, path: FieldPath, *, is_template: bool) -> None:
    resources = container.get("resources") or {}
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    if not is_template:
        requests = {**limits, **requests}
    for name in _BYTES:
        _warn_about(ctx, limits, name, path.child("limits"))
        _warn_about(ctx, requests, name, path.child("requests"))


def _warn_about(ctx: Context, amounts: Mapping[str, str], name: str, path: FieldPath) -> None:
    text = amounts.get(name)
    if text is None:
        return
    amount = _rounded(as_written(text))
    if _is_fractional(amount, truncates=ctx.does(TRUNCATES_MILLI_BYTES)):
        detail = f'fractional byte value "{amount}" is invalid, must be an integer'
        is_whole = not _is_fractional(amount, truncates=False)
        ctx.warn(FRACTIONAL_BYTES, path.key(name), detail, _MISREAD if is_whole else _WRITE_BYTES)


def _rounded(amount: Quantity) -> Quantity:
    """``amount`` in thousandths, as the defaults of a resource list round it; mirrors ``RoundUp``."""
    if amount.scale >= _MILLI:
        return amount
    unscaled = divided_up(amount.unscaled, _MILLI - amount.scale)
    return Quantity(unscaled, _MILLI, exact=amount.exact, form=amount.format)


def _is_fractional(amount: Quantity, *, truncates: bool) -> bool:
    if not truncates:
        return amount.scale < 0 and amount.unscaled % tens(-amount.scale) != 0
    if not amount.exact:
        return amount.milli_value % 1000 != 0
    # The number of thousandths loses its upper bits, so that large whole numbers may be taken for fractions.
    # From 64 zeros on nothing is left of it.
    return wrapped(amount.unscaled * tens(min(amount.scale - _MILLI, 64))) % 1000 != 0
