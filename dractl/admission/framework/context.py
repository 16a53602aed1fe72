"""What a rule gets along with the value it checks: the server's settings, and where it puts refusals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dractl.admission.framework.quirks import Quirk, quirks_of
from dractl.admission.framework.rule import Rule
from dractl.admission.framework.warning import FieldWarning
from dractl.api.errors import ErrorType, FieldError
from dractl.api.gates import GateSet
from dractl.api.path import FieldPath
from dractl.api.release import Minor
from dractl.cel.common.environment import Environment

NamespaceLabels = Mapping[str, Mapping[str, str]]
"""The labels of namespaces, by name."""


class Context:
    """The state of one validation.

    ``gates`` are asked by rules whose meaning depends on one; whether a rule runs at all is decided here,
    from its row, and so are the quirks of the server. ``errors`` collects what was refused,
    ``warnings`` what is only warned about, both in order.
    """

    __slots__ = ("_active", "_quirks", "cel", "errors", "gates", "minor", "warnings")

    def __init__(self, minor: Minor, gates: GateSet) -> None:
        """Start without errors, for a server of ``minor`` with ``gates``."""
        self.minor = minor
        self.gates = gates
        self.errors: list[FieldError] = []
        self.warnings: list[FieldWarning] = []
        self.cel = Environment(minor, gates, stored=False)
        self._active = _active(gates)
        self._quirks = quirks_of(minor)

    def has(self, rule: Rule) -> bool:
        """Whether this server has ``rule``; to skip costly looks."""
        return self._active[rule]

    def does(self, quirk: Quirk) -> bool:
        """Whether this server has the ``quirk``."""
        return quirk in self._quirks

    def refuse(  # noqa: PLR0913 - an error has the parts
        self,
        rule: Rule,
        path: FieldPath,
        bad_value: object,
        message: str,
        *,
        type: ErrorType | None = None,  # noqa: A002 - the word of the API
        hint: str = "",
        covered: bool | None = None,
        place: FieldPath | None = None,
        offset: int | None = None,
    ) -> None:
        """Note an error of ``rule`` at ``path``, unless this server does not have the rule.

        ``type`` and ``covered`` are the row's if they are not given; for the rest see FieldError.
        """
        if self._active[rule]:
            self.errors.append(
                FieldError(
                    rule.id,
                    rule.types[0] if type is None else type,
                    path,
                    bad_value,
                    message,
                    hint,
                    place,
                    rule.covered if covered is None else covered,
                    offset,
                )
            )

    def warn(self, rule: Rule, path: FieldPath, detail: str, hint: str) -> None:
        """Note a warning of ``rule`` at ``path`` in the server's words, unless it does not have the rule."""
        if self._active[rule]:
            self.warnings.append(FieldWarning(rule.id, path, detail, hint))


class _Active(dict[Rule, bool]):
    """Whether a server has a rule; found out when it is asked for first, as wings declare theirs late."""

    def __init__(self, gates: GateSet) -> None:
        super().__init__()
        self._gates = gates

    def __missing__(self, rule: Rule) -> bool:
        gates = self._gates
        found = self[rule] = (
            rule.applies(gates.minor)
            and (not rule.only_with or rule.only_with in gates)
            and rule.only_without not in gates
        )
        return found


@cache
def _active(gates: GateSet) -> _Active:
    return _Active(gates)
