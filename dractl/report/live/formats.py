"""The formats of the commands that only ``kubectl dra`` has, a row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.report.formats.format import Format, View, json_format, to_json

if TYPE_CHECKING:
    from dractl.observing.claims import Claims
    from dractl.observing.devices import Devices
    from dractl.observing.drain import Drain

__all__ = ["CLAIMS", "DEVICES", "DRAIN"]


def _devices(devices: Devices, view: View) -> str:
    from dractl.report.live import devices as text

    return text.render(devices, view.style, summary=view.summary)


def _claims(claims: Claims, view: View) -> str:
    from dractl.report.live import claims as text

    return text.render(claims, view.style, summary=view.summary)


def _drain(drain: Drain, view: View) -> str:
    from dractl.report.live import drain as text

    return text.render(drain, view.style, summary=view.summary)


DEVICES: tuple[Format[Devices], ...] = (
    Format("table", "a table", _devices),
    json_format(to_json),
)

CLAIMS: tuple[Format[Claims], ...] = (
    Format("table", "a table", _claims),
    json_format(to_json),
)

DRAIN: tuple[Format[Drain], ...] = (
    Format("table", "a table", _drain),
    json_format(to_json),
)
