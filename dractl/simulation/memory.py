"""What a long search remembers: from which situations it found nothing.

The scheduler's allocator remembers nothing, and tries what comes after a request again for every order in
which the devices before it can be chosen. Two situations are the same here if everything that comes after
must end in the same way; so remembering changes how long a search takes and never what it finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from dractl.simulation.choices import Choice, Choices
from dractl.simulation.demand import ClaimDemand, Request
from dractl.simulation.reasons import Fatal
from dractl.simulation.trial import Trial

LIMIT = 200_000
"""Most situations that are remembered; beyond it the search goes on without adding any."""

Answer = TypeVar("Answer")

_Token = tuple[int, int, int, int]


class Situation(NamedTuple):
    """Where a search stands before a request, and all of what was chosen that can matter from there on."""

    claim: int
    ask: int
    held: int
    chosen: tuple[_Token, ...]
    leaks: int
    remembered: tuple[object, ...]


class Past(NamedTuple, Generic[Answer]):
    """How a search ended from a situation, and how many steps that takes without a memory."""

    end: Answer
    effort: int


class Memory(Generic[Answer]):
    """The situations from which a search found nothing, and how it ended there."""

    def __init__(self, claims: Sequence[ClaimDemand], trial: Trial) -> None:
        """Start with nothing remembered."""
        self._claims = claims
        self._trial = trial
        self._ends: dict[Situation, Past[Answer]] = {}
        self._ahead: dict[tuple[int, int], tuple[Request, ...]] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def past(self, situation: Situation) -> Past[Answer] | None:
        """How the search ended from this situation before; None: it was not there yet."""
        return self._ends.get(situation)

    def remember(self, situation: Situation, end: Answer, effort: int) -> None:
        """Keep how the search ended."""
        if len(self._ends) < LIMIT:
            self._ends[situation] = Past(end, effort)

    def situation(self, claim: int, ask: int, chosen: Choices) -> Situation:
        """The situation before a request. The order of choices does not matter, so they are sorted."""
        ahead = self._requests_ahead(claim, ask)
        tokens = (self._token(choice, claim, ahead) for choice in chosen.stack)
        kept = tuple(sorted(token for token in tokens if token is not None))
        remembered = () if chosen.remembered is None else chosen.remembered.state()
        return Situation(claim, ask, chosen.held_by(claim), kept, chosen.leaks, remembered)

    def _token(self, choice: Choice, claim: int, ahead: tuple[Request, ...]) -> _Token | None:
        """What of a choice can matter to the requests ahead: the device, its constraints and its share.

        None: nothing, because the device matches none of them and no constraint or counter joins them.
        """
        constraints = self._constraints_ahead(choice, claim, ahead)
        if not constraints and not choice.draws:
            takes_nothing = choice.is_share and not choice.consumed
            if takes_nothing or not any(self._matches(request, choice) for request in ahead):
                return None
        # Equal amounts are one object. A request may derive attributes of its own.
        share = id(choice.consumed) if choice.is_share else 0
        derives = id(choice.request) if constraints and choice.request.derived_attributes else 0
        return id(choice.device), constraints, share, derives

    def _matches(self, request: Request, choice: Choice) -> bool:
        """Whether a request might take the device, or fail with an error when it looks at it."""
        reason = self._trial.mismatch(request, choice.device)
        return reason is None or isinstance(reason, Fatal)

    def _constraints_ahead(self, choice: Choice, claim: int, ahead: tuple[Request, ...]) -> int:
        """The constraints, as bits, that join the choice with requests ahead; bit 0: its claim matters."""
        if choice.slot.claim != claim:
            return 0
        bits = 0
        for constraint in self._claims[claim].constraints:
            if constraint.concerns(choice.request) and any(constraint.concerns(r) for r in ahead):
                bits |= 2 << constraint.number
        if bits or self._has_admin(ahead):
            bits |= 1
        return bits

    @staticmethod
    def _has_admin(ahead: tuple[Request, ...]) -> bool:
        """Admin access does not share a device with its own claim, so it matters which claim has it."""
        return any(request.admin_access for request in ahead)

    def _requests_ahead(self, claim: int, ask: int) -> tuple[Request, ...]:
        found = self._ahead.get((claim, ask))
        if found is None:
            asks = [*self._claims[claim].asks[ask:], *(a for c in self._claims[claim + 1 :] for a in c.asks)]
            found = tuple(request for entry in asks for request in entry.alternatives)
            self._ahead[claim, ask] = found
        return found
