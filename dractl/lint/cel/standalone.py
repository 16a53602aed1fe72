"""The message for a selector that the server takes without knowing any device."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dractl.admission.framework.server import Admission
from dractl.admission.shared.selectors import CEL_COST, CEL_LENGTH
from dractl.api import limits
from dractl.api.gates import GateSet
from dractl.api.path import Steps
from dractl.cel.compile import MAX_COST, CelError, Environment, Selector, compile_selector
from dractl.finding import Finding
from dractl.lint.base.placing import note
from dractl.source.document import Document
from dractl.versions.layout import steps_in_version

__all__ = ["about_selectors"]

_NEAR = 0.8
"""The part of a limit from which on an expression is near it."""

_QUOTED = re.compile(r"""\\.|"[^"\\]*"|'[^'\\]*'""")
_DEVICE = re.compile(r"\bdevice\b")
_CONVERSION = re.compile(r"\b(?:quantity|semver)\s*\(")
_SPLIT = "split it into several selectors; each has its own limit"


def about_selectors(
    document: Document, admission: Admission, selectors: Iterable[tuple[Steps, str]], gates: GateSet
) -> list[Finding]:
    """The findings about the ``selectors`` of an object that a server with ``gates`` accepts."""
    environment = Environment(gates.minor, gates, stored=False)
    found = []
    for steps, expression in selectors:
        selector = compile_selector(expression, environment)
        if not isinstance(selector, CelError):
            for name, message, hint, offset in _said(selector, gates):
                found.append(_placed(document, admission, steps, name, message, hint, offset))
    return found


def _said(selector: Selector, gates: GateSet) -> Iterator[tuple[str, str, str, int | None]]:
    """The id of a rule, message, hint, and offset in the expression."""
    if _CONVERSION.search(selector.expression):
        from dractl.cel.interpreter.constant_calls import failing_constants  # few selectors need it

        for call in failing_constants(selector.tree):
            yield "selector/fails", f"`{call.text}` always fails: {call.message}", "", call.offset
    if _is_constant(selector):
        message = "this selector never references `device`, so the result is the same for every device"
        hint = "use device.driver, device.attributes or device.capacity"
        yield "selector/constant", message, hint, None
    cost = selector.max_cost or 0
    if CEL_COST.applies(gates.minor) and cost > _NEAR * MAX_COST:
        message = f"the worst-case cost of this selector is {cost:,}, close to the limit of {MAX_COST:,}"
        yield "selector/near-limit", message, _SPLIT, None
    if CEL_LENGTH.applies(gates.minor):
        longest = limits.of("cel.expressionLength", gates.minor)
        length = len(selector.expression.encode())
        if length > _NEAR * longest:
            message = f"this selector has {length} bytes, close to the limit of {longest}"
            yield "selector/near-limit", message, _SPLIT, None


def _is_constant(selector: Selector) -> bool:
    if _DEVICE.search(_QUOTED.sub("", selector.expression)):
        # Names of variables that macros bind are the only other thing that it can be; nobody takes that one.
        return False
    from dractl.cel.interpreter.references import mentions_device  # hardly any selector comes here

    return not mentions_device(selector.tree)


def _placed(
    document: Document,
    admission: Admission,
    steps: Steps,
    name: str,
    message: str,
    hint: str,
    offset: int | None,
) -> Finding:
    from dractl.lint.base.input_set import field_text
    from dractl.lint.cel.rules import CEL_LINT_RULES  # there is hardly ever something to say

    severity = next(rule.severity for rule in CEL_LINT_RULES if rule.id == name)
    kind = admission.kind
    place = steps_in_version(kind.api_version, kind.kind, steps)
    return note(
        document, severity, name, message, hint=hint, field=field_text(place), steps=place, offset=offset
    )
