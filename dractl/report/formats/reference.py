"""The formats of the commands about rules, fields, gates and known faults: rows and their writers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dractl.report.formats.format import Format, View, json_format, to_json

if TYPE_CHECKING:
    from dractl.advisories.listing import Listing
    from dractl.api.gates import GateSet
    from dractl.lint.field_pages import FieldPages
    from dractl.lint.pages import Page

__all__ = ["ADVISORIES", "EXPLAIN", "GATES", "RULE", "RULES"]


def _advisories(listing: Listing, view: View) -> str:
    from dractl.report.changes import advisories as text

    return text.render(listing, view.style)


def _page(page: Page, view: View) -> str:
    from dractl.report.reference import pages

    return pages.render(page, view.style)


def _page_json(page: Page, view: View) -> str:
    return _pages_json([page], view)


def _pages(pages: list[Page], view: View) -> str:
    from dractl.report.reference.pages import render_list

    return render_list(pages, view.style)


def _pages_json(pages: list[Page], _: View) -> str:
    from dractl.lint.pages import document
    from dractl.report import json_

    return json_.render(document(pages))


def _fields(found: FieldPages, view: View) -> str:
    from dractl.report.reference.fields import render

    return render(found.pages, view.style)


def _fields_json(found: FieldPages, _: View) -> str:
    from dractl.lint.field_pages import document
    from dractl.report import json_

    return json_.render(document(found))


def _gates(gates: GateSet, view: View) -> str:
    from dractl.report.reference import gates as text

    return text.render(gates, view.style)


def _gates_json(gates: GateSet, _: View) -> str:
    from dractl.report import json_
    from dractl.report.reference.gates import document

    return json_.render(document(gates))


_TEXT = "text"

RULE: tuple[Format[Page], ...] = (
    Format("text", _TEXT, _page),
    json_format(_page_json),
)

RULES: tuple[Format[list[Page]], ...] = (
    Format("text", _TEXT, _pages),
    json_format(_pages_json),
)

EXPLAIN: tuple[Format[FieldPages], ...] = (
    Format("text", _TEXT, _fields),
    json_format(_fields_json),
)

GATES: tuple[Format[GateSet], ...] = (
    Format("text", _TEXT, _gates),
    json_format(_gates_json),
)

ADVISORIES: tuple[Format[Listing], ...] = (
    Format("text", _TEXT, _advisories),
    json_format(to_json),
)
