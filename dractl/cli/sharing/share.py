"""Makes a link where one is asked for; light, because few runs ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.api.gates import GateSet
from dractl.cli.inputs import Inputs
from dractl.cli.sharing.link import Link

if TYPE_CHECKING:
    from dractl.cli.sharing.make import Sharing
    from dractl.sharing.fragment import View

__all__ = ["link_of"]


def link_of(inputs: Inputs, options: Sharing, gates: GateSet, view: View) -> Link:
    """The link that ``--share`` wants, if it does; raises UsageError for what no link can hold."""
    if not options.share:
        return Link()
    from dractl.cli.sharing.make import link_to

    return link_to(inputs, options, gates, view)
