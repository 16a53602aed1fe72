"""The parts of ``python -m tools.new_minor`` that need no Go: rows, versions, questions, differences."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import pytest

from tests.paths import ROOT
from tests.tools.fake_go import fake_go
from tools.kubernetes.releases import RELEASES, Release, UnknownReleaseError
from tools.kubernetes.toolchain import BuildError, Go
from tools.new_minor import replay, rows, verify, versions
from tools.new_minor.__main__ import main
from tools.new_minor.advice import advice
from tools.new_minor.questions import Question, question_of, recorded

RELEASES_FILE = (ROOT / "tools" / "kubernetes" / "releases.py").read_text(encoding="utf-8")
KNOWN_FILE = (ROOT / "dractl" / "api" / "release.py").read_text(encoding="utf-8")

NEW = Release(
    "1.99.0-rc.1",
    go="1.40",
    stubs=("k8s.io/one",),
    replaced=MappingProxyType({"example.com/two": "v2.0.0"}),
)


def _read(text: str) -> dict[str, Release]:
    """The releases of a text of releases.py."""
    found: dict[str, Any] = {"__name__": "rows"}
    exec(compile(text, "releases.py", "exec"), found)  # noqa: S102 - the text is the repository's own
    return {minor: Release(*row) for minor, row in found["RELEASES"].items()}


def test_a_new_release_is_the_last_row() -> None:
    found = _read(rows.with_release(RELEASES_FILE, NEW))
    assert found == {**RELEASES, "1.99": NEW}
    assert list(found)[-1] == "1.99"


def test_the_row_of_a_minor_takes_the_place_of_the_one_before() -> None:
    twice = rows.with_release(rows.with_release(RELEASES_FILE, NEW), Release("1.99.0", go="1.40"))
    assert _read(twice) == {**RELEASES, "1.99": Release("1.99.0", go="1.40")}
    assert rows.with_release(twice, Release("1.99.0", go="1.40")) == twice


def test_a_known_minor_gets_its_stage_until_it_is_released() -> None:
    number = max(int(minor.partition(".")[2]) for minor in RELEASES) + 1
    candidate = rows.with_minor(KNOWN_FILE, Release(f"1.{number}.0-rc.1", go="1.40"))
    assert f"range(30, {number + 1})" in candidate
    assert f'Minor(1, {number}): "rc"}}' in candidate
    released = rows.with_minor(candidate, Release(f"1.{number}.0", go="1.40"))
    assert f"Minor(1, {number})" not in released
    assert f"range(30, {number + 1})" in released


@pytest.mark.parametrize("row", RELEASES.values(), ids=RELEASES)
def test_a_minor_that_is_there_changes_nothing(row: Release) -> None:
    assert rows.with_minor(KNOWN_FILE, row) == KNOWN_FILE


def test_a_page_gets_a_line_and_keeps_the_remarks_of_one() -> None:
    page = (ROOT / "tools" / "oracle" / "README.md").read_text(encoding="utf-8")
    for release in RELEASES.values():
        assert rows.with_page_row(page, release, []) == page
    found = rows.with_page_row(page, NEW, ["v1", "v1beta2"])
    assert "|---|\n| 1.99 | 1.99.0-rc.1 | 1.40 | v1, v1beta2 | yes | yes |\n| 1.38 |" in found
    remarks = found.replace("v1, v1beta2 | yes", "all | no")
    later = rows.with_page_row(remarks, Release("1.99.0", go="1.41"), ["v1"])
    assert "\n| 1.99 | 1.99.0 | 1.41 | all | no | yes |\n" in later


def test_a_file_of_another_form_is_an_error() -> None:
    with pytest.raises(rows.UnknownFormError, match=r'add Release\(\n +"1\.99\.0-rc\.1"'):
        rows.with_release("", NEW)
    with pytest.raises(rows.UnknownFormError, match=r"add 1\.99"):
        rows.with_minor("", NEW)
    with pytest.raises(rows.UnknownFormError, match=r"add 1\.99\.0-rc\.1"):
        rows.with_page_row("", NEW, [])


class _Modules:
    """Published modules in the place of Go."""

    def __init__(self, published: dict[str, list[str]]) -> None:
        self.published = published

    def versions(self, module: str) -> list[str]:
        return self.published.get(module, [])

    def module_text(self, module: str, version: str) -> str:
        if version not in self.versions(module):
            raise BuildError("403 Forbidden")
        return (
            "go 1.40.0\n\nreplace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n"
            "\tk8s.io/one => ./staging/src/k8s.io/one\n\tk8s.io/kubectl => ./staging/src/k8s.io/kubectl\n)\n"
        )

    def unpublished(self, wanted: Sequence[str]) -> set[str]:
        assert "k8s.io/kubectl@v0.99.0-beta.0" not in wanted, "the derived go.mod leaves it out"
        return {each for each in wanted if each.startswith("k8s.io/one@")}


def _modules(*of_kubernetes: str, **others: list[str]) -> Go:
    return cast("Go", _Modules({"k8s.io/kubernetes": list(of_kubernetes), **others}))


@pytest.mark.parametrize(
    ("published", "newest"),
    [
        (("v1.99.0-alpha.2", "v1.99.0-beta.0", "v1.99.0-alpha.10"), "1.99.0-beta.0"),
        (("v1.99.0", "v1.99.0-rc.1", "v1.98.7"), "1.99.0"),
        (("v1.99.10", "v1.99.9"), "1.99.10"),
    ],
)
def test_a_minor_is_its_newest_published_release(published: tuple[str, ...], newest: str) -> None:
    assert versions.row_of("1.99", _modules(*published)).version == newest


def test_a_row_names_go_and_the_modules_that_were_never_published() -> None:
    found = versions.row_of("1.99", _modules("v1.99.0-beta.0"))
    assert found == Release("1.99.0-beta.0", go="1.40", stubs=("k8s.io/one",))


def test_the_table_answers_for_its_own_releases() -> None:
    newest = list(RELEASES.values())[-1]
    assert versions.row_of(newest.minor, _modules()) is newest
    assert versions.row_of(newest.version, _modules()) is newest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.99", "no release of Kubernetes 1.99 is published as a Go module yet"),
        ("1.98.9", "Kubernetes 1.98.9 is not published as a Go module; published: 1.98.7"),
    ],
)
def test_a_minor_that_is_not_published_is_named(text: str, message: str) -> None:
    with pytest.raises(versions.NotPublishedError, match=re.escape(message)):
        versions.row_of(text, _modules("v1.98.7"))


def test_another_text_is_no_release() -> None:
    with pytest.raises(UnknownReleaseError, match="expected a minor such as"):
        versions.row_of("newest", _modules())


def test_a_module_without_a_zip_is_replaced_by_an_older_version() -> None:
    errors = "go: example.com/two@v2.0.1: reading https://proxy/x.zip: 403 Forbidden\n"
    release = Release("1.99.0", go="1.40")
    toolchain = _modules(**{"example.com/two": ["v1.0.0", "v2.0.0", "v2.0.1"]})
    found = versions.replaced(errors, release, toolchain)
    assert found is not None
    assert found.replaced == {"example.com/two": "v2.0.0"}
    assert versions.replaced(errors, found, toolchain) is None
    assert versions.replaced("x.go:1:2: undefined: y", release, toolchain) is None


ERRORS = """\
# dractl-oracle/allocate
allocate/search_138.go:12:3: undefined: structured.NewAllocator
allocate/search_138.go:40:3: too many arguments
./main.go:4:2: undefined: gates
vet: taints/tracker_199.go:1:1: unknown
"""


def test_an_error_of_go_names_the_file_to_copy() -> None:
    assert list(advice(ERRORS, NEW)) == [
        (
            "allocate/search_138.go: copy it to search_199.go, adapt the copy, and add && !kube1.99 to the "
            "old //go:build line (2 errors; undefined: structured.NewAllocator)"
        ),
        (
            "main.go: move what differs into one file for older minors and one named …_199.go "
            "(1 errors; undefined: gates)"
        ),
        "taints/tracker_199.go: adapt it (1 errors; unknown)",
    ]
    old = "module requires go >= 1.40.0 (running go 1.26.8; GOTOOLCHAIN=local)"
    assert list(advice(old, NEW)) == ["install Go 1.40.0, and name it with --go; this one is too old"]


def test_every_recorded_input_is_asked_once() -> None:
    questions = recorded()
    assert len({json.dumps(each.request, sort_keys=True) for each in questions}) == len(questions)
    assert {each.request["op"] for each in questions} == {"validate", "cel", "allocate"}
    assert question_of({"id": "x", "text": "a: 1", "json": "{}"}) is None


def _validated(**answer: Any) -> dict[str, Any]:
    return {"gvk": "v1/Pod", "decode_errors": [], "errors": [], "result": {}, **answer}


def _error(place: str, type_: str = "FieldValueInvalid", detail: str = "") -> dict[str, Any]:
    return {"type": type_, "field": place, "bad_value": 1, "detail": detail}


STORED = {"spec": {"taints": [{"key": "a", "timeAdded": "now"}]}}


@pytest.mark.parametrize(
    ("op", "before", "after", "group", "what"),
    [
        ("validate", {}, {"errors": [_error("a[3].b")]}, "new rejections", "+ FieldValueInvalid a[*].b"),
        ("validate", {"errors": [_error("a")]}, {}, "gone rejections", "- FieldValueInvalid a"),
        (
            "validate",
            {"errors": [_error("a")]},
            {"errors": [_error("b")]},
            "other errors",
            "+ FieldValueInvalid b; - FieldValueInvalid a",
        ),
        (
            "validate",
            {},
            {"decode_errors": [{"kind": "strict", "message": 'unknown field "spec.x"'}]},
            "new rejections",
            '+ strict unknown field "spec.x"',
        ),
        (
            "validate",
            {},
            {"api_error": {"reason": "Conflict", "code": 409, "message": "no"}},
            "new rejections",
            "+ Conflict of the request",
        ),
        (
            "validate",
            {"errors": [_error("a", detail="one")]},
            {"errors": [_error("a", detail="two")]},
            "message only",
            "a: one N",
        ),
        ("validate", {}, {"result": {"spec": {"a": [1]}}}, "other stored objects", "spec"),
        ("validate", {}, {"gvk": ""}, "asked in one minor only", "kind v1/Pod"),
        ("validate", {"error": "panic: 7"}, {}, "asked in one minor only", "panic: N"),
        ("cel", {"compile_error": {"type": "Bad", "message": "x"}}, {}, "CEL", "compiles: Bad -> yes"),
        ("cel", {"max_cost": 7}, {"max_cost": 9}, "CEL", "max_cost"),
        ("cel", {"devices": [{"match": True}]}, {"devices": [{"match": False}]}, "CEL", "match"),
        ("cel", {"devices": [{"error": "a"}]}, {"devices": [{}]}, "CEL", "error"),
        (
            "cel",
            {"devices": [{"error": "a"}]},
            {"devices": [{"error": "b"}]},
            "message only",
            "error of an evaluation",
        ),
        (
            "allocate",
            {"steps": [{"node": "a", "allocations": []}]},
            {"steps": [{"node": "b", "allocations": []}]},
            "other allocations",
            "[*].node",
        ),
    ],
)
def test_a_difference_has_a_group(
    op: str, before: dict[str, Any], after: dict[str, Any], group: str, what: str
) -> None:
    complete = _validated if op == "validate" else dict
    found = replay.compare(Question("x", {"op": op}), complete(**before), complete(**after))
    assert found == replay.Difference(group, what, "x")


@pytest.mark.parametrize(
    ("op", "before", "after"),
    [
        ("validate", _validated(errors=[_error("a[0]")]), _validated(errors=[_error("a[0]")])),
        ("validate", _validated(result=STORED), _validated(result={"spec": {"taints": [{"key": "a"}]}})),
        ("validate", {"error": "x"}, {"error": "y"}),
        ("cel", {"devices": [{"match": True}]}, {"devices": [{"match": True}]}),
        ("allocate", {"steps": [], "timeout": True}, {"steps": [{"node": "b", "allocations": []}]}),
    ],
)
def test_equal_answers_are_no_difference(op: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    assert replay.compare(Question("x", {"op": op}), before, after) is None


@pytest.mark.parametrize(
    ("wanted", "settable"),
    [
        ({"Free": False}, {"Free": False}),
        ({"Locked": True}, {}),
        ({"Locked": False}, None),
        ({"Gone": True, "Free": True}, {"Free": True}),
        ({"Gone": False}, None),
    ],
)
def test_a_gate_is_set_where_it_matters(wanted: dict[str, bool], settable: dict[str, bool] | None) -> None:
    assert replay.Gates({"Free": None, "Locked": True}).settable(wanted) == settable


def test_differences_of_one_cause_are_one_line() -> None:
    found = replay.grouped(
        [
            replay.Difference("CEL", "cost", "a"),
            replay.Difference("new rejections", "+ X", "b"),
            replay.Difference("CEL", "match", "c"),
            replay.Difference("CEL", "match", "d"),
        ]
    )
    assert list(found) == ["new rejections", "CEL"]
    assert list(found["CEL"].items()) == [("match", ["c", "d"]), ("cost", ["a"])]


_ORACLE = """\
#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["op"] == "gates":
        free = {{"name": "Free", "stage": "BETA", "locked": False, "default": True}}
        print(json.dumps({{"gates": [free], "dependencies": {{"Free": ["B", "A"]}}}}))
    elif asked["op"] == "allocate":
        nodes = {nodes}[: asked.get("repeat", 1)]
        steps = [{{"steps": [{{"node": node, "allocations": []}}]}} for node in nodes]
        print(json.dumps(steps[0] | {{"alternatives": steps}}))
    else:
        print(json.dumps({{"gvk": "x", "errors": {errors}}}))
"""


def _oracle(path: Path, nodes: list[str], errors: list[dict[str, Any]]) -> Path:
    text = _ORACLE.format(python=sys.executable, nodes=nodes, errors=errors)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="scripts with #! do not run here")
def test_allocations_in_a_random_order_differ_only_if_none_is_the_same(tmp_path: Path) -> None:
    questions = [
        Question("devices", {"op": "allocate", "gates": {}}),
        Question("object", {"op": "validate", "gates": {"Free": True}}),
        Question("gate", {"op": "validate", "gates": {"Nope": False}}),
    ]
    old = _oracle(tmp_path / "old", ["a", "b"], [])
    same = _oracle(tmp_path / "same", ["b", "a"], [])
    other = _oracle(tmp_path / "other", ["c"], [_error("a")])
    assert replay.replay(old, same, questions) == (2, [])
    answered, found = replay.replay(old, other, questions)
    assert answered == 2
    assert sorted(each.group for each in found) == ["new rejections", "other allocations"]


@pytest.mark.skipif(sys.platform == "win32", reason="scripts with #! do not run here")
@pytest.mark.parametrize(
    ("name", "row", "expected"),
    [
        ("Free", {}, []),
        ("Free", {"stage": "ga"}, ["Free stage: ga, but BETA in the release"]),
        ("Free", {"dependsOn": []}, ["Free dependsOn: [], but ['B', 'A'] in the release"]),
        ("Free", None, ["Free: not in the data"]),
        ("Other", {}, ["Other: not in the release"]),
        ("Other", None, []),
    ],
)
def test_gates_are_compared_with_the_oracle(
    tmp_path: Path, name: str, row: dict[str, Any] | None, expected: list[str]
) -> None:
    complete = {"stage": "beta", "default": True, "lockToDefault": False, "dependsOn": ["A", "B"]}
    table = {"gates": {name: {"minors": {"1.99": None if row is None else complete | row}}}}
    program = _oracle(tmp_path / "oracle", ["a"], [])
    assert list(verify.other_gates(program, table, "1.99")) == expected


@pytest.mark.skipif(sys.platform == "win32", reason="scripts with #! do not run here")
def test_what_keeps_the_command_from_its_work_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["1.99", "--dry-run", "--go", str(tmp_path / "nothing")]) == 1
    assert "1.99: no Go toolchain: install Go, or name the program with --go" in capsys.readouterr().err
    go = fake_go(tmp_path / "go")
    assert main(["1.99", "--dry-run", "--go", str(go.program)]) == 1
    assert "1.99: no release of Kubernetes 1.99 is published" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main(["newest", "--go", str(go.program)])
