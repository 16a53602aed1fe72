"""What the page gets: the documents of the commands, and messages for requests that cannot be answered."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dractl.api.gates import parse_overrides
from dractl.play import run, run_text
from dractl.play.request import MOST_CHARACTERS, MOST_FILES
from tests.output import Case, cases, expected
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"


def _files(*paths: Path) -> list[dict[str, str]]:
    return [{"name": path.name, "text": path.read_text(encoding="utf-8")} for path in paths]


def _answer(view: str, *paths: Path, **request: object) -> Any:
    return run({"files": _files(*paths), "views": [view], **request})[view]


class _Command(NamedTuple):
    """A golden case that the page can answer, as the request for it."""

    name: str
    request: dict[str, object]
    document: dict[str, Any]


VIEWS = {"validate": "findings", "simulate": "placements", "why": "why"}


def _commands() -> Iterator[_Command]:
    """The golden cases of JSON documents whose options the page has, too."""
    known = {"--format", "--kube-version", "--feature-gates", "--all"}
    for case in cases():
        name, *words = case.arguments
        flags = {word for word in words if word.startswith("--")}
        if (
            name not in VIEWS
            or "json" not in words
            or not flags <= known
            or (name == "why") != ("--all" in flags)
        ):
            continue
        values = [word for word in words if word != "--all"]
        options = {word: values.pop(values.index(word) + 1) for word in flags - {"--all"}}
        files = [file for word in values if word not in flags for file in _in(case, word)]
        if None in files or ".." in options.get("--kube-version", ""):
            continue
        request: dict[str, object] = {"files": files, "views": [VIEWS[name]]}
        request["kubeVersion"] = options.get("--kube-version")
        request["featureGates"] = parse_overrides(options.get("--feature-gates", ""))
        yield _Command(name, request, json.loads(expected(case).stdout))


def _in(case: Case, word: str) -> Iterator[dict[str, str] | None]:
    """The readable manifests at a path of a case; None for anything else."""
    path = case.working_folder / word
    for file in sorted(path.rglob("*.yaml")) if path.is_dir() else [path]:
        shown = f"{word}/{file.relative_to(path).as_posix()}" if path.is_dir() else word
        yield {"name": shown, "text": file.read_text(encoding="utf-8")} if file.is_file() else None


def test_answers_are_the_documents_of_the_commands() -> None:
    asked = list(_commands())
    assert Counter(command.name for command in asked).keys() == VIEWS.keys()
    for command in asked:
        answer = run(command.request)[VIEWS[command.name]]
        assert isinstance(answer, dict)
        for key, value in command.document.items():
            if key == "pending":
                assert len(answer[key]) == len(value)
                pairs = zip(answer[key], value, strict=True)
                assert all(ours | theirs == ours for ours, theirs in pairs)
            elif not (command.name == "why" and key == "schema"):
                assert answer[key] == value, command


def test_findings_tell_which_of_them_people_see() -> None:
    answer = _answer("findings", EXAMPLES / "broken.yaml")
    assert answer["summary"]["errors"] == len(answer["findings"]) == 9
    assert len(answer["listed"]) == 8
    assert all("cause" not in answer["findings"][number] for number in answer["listed"])


def test_pending_pods_have_the_lines_of_why() -> None:
    (entry,) = _answer("why", EXAMPLES / "pending.yaml")["pending"]
    assert entry["subject"] == "default/evaluate"
    assert entry["text"][0].endswith("DeviceClass gpu does not exist")


def test_selectors_have_their_devices() -> None:
    answer = _answer("selectors", *sorted((EXAMPLES / "quickstart").glob("*.yaml")))
    rows = {row["object"]: row for row in answer["selectors"]}
    assert (answer["devices"], answer["cut"]) == (4, None)
    assert rows["DeviceClass gpu"]["matched"] == 3
    claim = rows["ResourceClaim default/large-gpu"]
    assert (claim["file"], claim["line"], claim["selected"]) == (
        "serving.yaml",
        14,
        ["gpu.example.com/node-b/gpu-0"],
    )
    assert [failure["device"] for failure in claim["failures"]] == ["nic.example.com/node-a/eth-0"]


def test_many_selectors_end_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    from dractl.api import budgets

    monkeypatch.setattr(budgets, "PLAY_EVALUATIONS", budgets.PLAY_EVALUATIONS._replace(value=4))
    answer = _answer("selectors", *sorted((EXAMPLES / "quickstart").glob("*.yaml")))
    assert len(answer["selectors"]) == 1
    assert answer["cut"] == "the selectors need more than 4 evaluations; the others are not evaluated"


def test_the_picture_is_a_page_without_a_script() -> None:
    pytest.importorskip("jinja2")
    page = _answer("picture", *sorted((EXAMPLES / "partitions").glob("*.yaml")))["html"]
    assert "<script" not in page
    assert "script-src 'none'" in page
    assert 'id="filters"' not in page
    assert _answer("picture", EXAMPLES / "pending.yaml") == {"html": None}


def test_gates_are_those_of_the_minor_even_if_the_overrides_are_wrong() -> None:
    request = {"views": ["gates"], "kubeVersion": "1.34", "featureGates": {"NoGate": True}}
    answer = run(request)["gates"]
    assert isinstance(answer, dict)
    assert answer["kubeVersion"] == "1.34"
    assert {gate["name"] for gate in answer["gates"]} > {"DRAPartitionableDevices", "DRAConsumableCapacity"}


@pytest.mark.parametrize(
    ("request_", "about", "message"),
    [
        ({"kubeVersion": "9.9"}, "kubeVersion", "unsupported Kubernetes minor '9.9'"),
        ({"kubeVersion": 1.36}, "kubeVersion", "must be a string"),
        ({"featureGates": {"NoGate": True}}, "featureGates", "unknown feature gate NoGate"),
        ({"featureGates": {"DRAAdminAccess": "yes"}}, "featureGates", "must be true or false"),
        ({"featureGates": [1]}, "featureGates", "must be an object"),
        ({"files": {}}, "files", "must be a list"),
        ({"files": [{"name": "a"}]}, "files", "each file must have a name and text"),
        ({"files": [{"name": "", "text": ""}] * (MOST_FILES + 1)}, "files", "at most 50 files"),
        (
            {"files": [{"name": "", "text": "x" * (MOST_CHARACTERS + 1)}]},
            "files",
            "at most 1,048,576 characters",
        ),
        ({"views": ["findings", "else"]}, "views", "unknown view 'else' (choose from findings, "),
        ({"views": "findings"}, "views", "must be a list of strings"),
    ],
)
def test_a_wrong_request_has_a_message(request_: dict[str, object], about: str, message: str) -> None:
    answer = run({"views": ["findings"], **request_})
    error = answer["error"]
    assert isinstance(error, dict)
    assert error["about"] == about
    assert message in error["message"]


def test_texts_go_in_and_come_out() -> None:
    request = {
        "files": [{"name": "a.yaml", "text": "a: [", "mode": 7}],
        "views": ["findings"],
        "unknown": None,
    }
    answer = json.loads(run_text(json.dumps(request)))
    assert answer["findings"]["findings"][0]["location"]["file"] == "a.yaml"
    assert json.loads(run_text("{}")) == {}
    with pytest.raises(ValueError, match="expected a JSON object"):
        run_text("[]")
