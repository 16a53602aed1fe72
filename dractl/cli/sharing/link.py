"""The link of a run, as the end of the run prints it."""

from __future__ import annotations

from dractl.api import budgets
from dractl.cli.terminal import notice, say
from dractl.records import NamedTuple

__all__ = ["Link"]


class Link(NamedTuple):
    """The link of ``--share``, empty without it, and what to print before it."""

    address: str = ""
    notices: tuple[str, ...] = ()

    @property
    def of_page(self) -> str:
        """The link for an HTML page; empty if it is too long for one."""
        return self.address if len(self.address) <= budgets.SHARED_LINK.value else ""

    def tell(self) -> None:
        """Print the link on a line by itself, the last one of standard error."""
        for message in self.notices:
            notice(message)
        if self.address:
            say(self.address)
