"""Answers a request of the playground with the views that it names."""

from __future__ import annotations

import json

from dractl.api.json_types import JsonDict, JsonObject
from dractl.play.request import RequestError, parse
from dractl.play.views import VIEWS
from dractl.report.json_ import render

__all__ = ["run", "run_text"]


def run(request: JsonObject) -> JsonDict:
    """Answer ``request`` with a member for each of its ``views``; only those are computed.

    A request has ``files`` (each a ``name`` and a ``text``), ``kubeVersion``, ``featureGates`` and
    ``views``; unknown members are ignored. If it cannot be answered, the result has ``error`` instead, with
    the member that is wrong (``about``) and a ``message``.
    """
    try:
        asked = parse(request, VIEWS)
        return {name: VIEWS[name](asked.world) for name in asked.views}
    except RequestError as error:
        return {"error": {"about": error.about, "message": str(error)}}


def run_text(request: str) -> str:
    """As :func:`run`, with JSON texts: what a web worker gets and sends without any conversion.

    Raises ValueError for a text that is not a JSON object.
    """
    asked = json.loads(request)
    if not isinstance(asked, dict):
        raise ValueError("expected a JSON object")  # noqa: TRY004 - the text is wrong, not its type
    return render(run(asked))
