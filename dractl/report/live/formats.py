"""The formats of the commands that only ``kubectl dra`` has, a row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.report.formats import Format, View

if TYPE_CHECKING:
    from dractl.observing.claims import Claims
    from dractl.observing.devices import Devices
    from dractl.observing.drain import Drain

__all__ = ["CLAIMS", "DEVICES", "DRAIN"]


def _json(result: Devices | Claims | Drain, _: View) -> str:
    from dractl.report import json_

    return json_.render(result.to_dict())


def _devices(devices: Devices, view: View) -> str:
    from dractl.report.live import devices as text

    return text.render(devices, view.style, summary=view.summary)


def _claims(claims: Claims, view: View) -> str:
    from dractl.report.live import claims as text

    return text.render(claims, view.style, summary=view.summary)


def _drain(drain: Drain, view: View) -> str:
    from dractl.report.live import drain as text

    return text.render(drain, view.style, summary=view.summary)


_DOCUMENT = "a JSON document"

DEVICES: tuple[Format[Devices], ...] = (
    Format("table", "a table", _devices),
    Format("json", _DOCUMENT, _json, is_document=True),
)

CLAIMS: tuple[Format[Claims], ...] = (
    Format("table", "a table", _claims),
    Format("json", _DOCUMENT, _json, is_document=True),
)

DRAIN: tuple[Format[Drain], ...] = (
    Format("table", "a table", _drain),
    Format("json", _DOCUMENT, _json, is_document=True),
)
