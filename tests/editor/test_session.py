from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

import dractl
from benchmarks.editor import ask_everywhere, keystrokes, large_text
from dractl.editor.analysis import Analysis, analyse
from dractl.editor.buffer import Position, Range
from dractl.editor.session import Session
from dractl.editor.settings import settings_of
from dractl.editor.workspace import Opened, Workspace
from dractl.source.document import Document
from dractl.source.yaml import read_yaml
from tests.editor.places import EXAMPLES, MARK, marked
from tests.paths import ROOT
from tests.rows import each_row

QUICKSTART = EXAMPLES / "quickstart"


class _Editor:
    """A session with the quickstart as its workspace, whose analyses are waited for."""

    def __init__(self, root: Path) -> None:
        self.results: queue.Queue[tuple[str, Analysis]] = queue.Queue()
        self.session = Session(lambda path, found: self.results.put((path, found)))
        assert self.session.configure({"kubeVersion": "1.37", "debounce": 0}, [str(root)]) == ""

    def open(self, path: Path, text: str | None = None) -> Analysis:
        self.session.open(str(path), path.read_text(encoding="utf-8") if text is None else text, 1)
        return self.results.get(timeout=30)[1]


@pytest.fixture
def editor() -> Iterator[_Editor]:
    made = _Editor(QUICKSTART)
    yield made
    made.session.shut_down()


def _file_with(text: str) -> Path:
    return next(
        path for path in sorted(QUICKSTART.glob("*.yaml")) if text in path.read_text(encoding="utf-8")
    )


def _place(path: Path, text: str, inside: int = 0) -> Position:
    lines = path.read_text(encoding="utf-8").split("\n")
    number = next(number for number, line in enumerate(lines) if text in line)
    return Position(number, lines[number].index(text) + inside)


@each_row("name", ["broken.yaml", "pending.yaml", "skew", "older-server"])
def test_notes_are_the_findings_of_validate(name: str) -> None:
    path = EXAMPLES / name
    for file in [path] if path.is_file() else sorted(path.glob("*.yaml")):
        opened = Opened(str(file), file.read_text(encoding="utf-8"), 1)
        found = analyse(opened, [opened], Workspace(), settings_of(None))
        report = dractl.validate(file)
        listed = [finding for finding in report.findings if not finding.cause]
        assert [(note.rule, note.where.start) for note in found.notes] == [
            (finding.rule, Position(max(finding.location.line - 1, 0), max(finding.location.column - 1, 0)))
            for finding in listed
            if finding.location is not None
        ]


def test_the_slices_and_classes_of_the_workspace_count(editor: _Editor) -> None:
    text = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: new
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpus
        selectors:
        - cel:
            expression: device.attributes["gpu.example.com"].modle == "large"
"""
    found = editor.open(QUICKSTART / "new.yaml", text)
    rules = [note.rule for note in found.notes]
    assert any("class" in rule for rule in rules), rules
    mended = editor.open(QUICKSTART / "new.yaml", text.replace("gpus", "gpu").replace("modle", "model"))
    assert mended.notes == []
    (hint,) = mended.hints
    assert hint.text.startswith("1 of 4 devices, 1 of 2 nodes, cost ")
    assert hint.at == Position(12, len(text.split("\n")[12]))


def test_devices_are_read_again_only_if_a_slice_has_changed(editor: _Editor) -> None:
    path = QUICKSTART / "new.yaml"
    first = editor.open(path, "kind: Foo\n").world
    editor.session.change(str(path), 2, [(None, "kind: Bar\n")])
    assert editor.results.get(timeout=30)[1].world.devices is first.devices
    slices = _file_with("kind: ResourceSlice").read_text(encoding="utf-8").replace("80Gi", "90Gi")
    editor.session.change(str(path), 3, [(None, slices)])
    changed = editor.results.get(timeout=30)[1].world
    assert 'quantity("90Gi")' in changed.sections["capacity"]["gpu.example.com"]["memory"]
    assert len(changed.devices) == len(first.devices)


def test_only_the_changed_document_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(text: str, **options: bool) -> object:
        read.append(text)
        return read_yaml(text, **options)

    monkeypatch.setattr("dractl.source.split.read_yaml", counted)
    workspace = Workspace()
    workspace.documents_in(Opened("a.yaml", "a: 1\n---\nb: 1\n---\nc: 1\n", 1))
    assert len(read) == 3
    found = workspace.documents_in(Opened("a.yaml", "# x\na: 1\n---\nb: 2\n---\nc: 1\n", 2))
    assert len(read) == 5
    assert [document.locate(("c",)) for document in found[2:] if isinstance(document, Document)] == [(6, 1)]


def test_fields_gates_rules_and_attributes_are_explained(editor: _Editor) -> None:
    text = f"""# dractl: feature-gates=DRAAdminAccess=true
# see request/name
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
spec:
  devices:
    requests:
    - exactly:
        allocationMode: All
        adminAccess: true
        selectors:
        - cel:
            expression: device.attributes["gpu.example.com"].model.startsWith("s"){MARK}
"""
    lines, _ = marked(text)
    path = QUICKSTART / "new.yaml"
    editor.open(path, "\n".join(lines))

    def hover(word: str) -> str:
        number = next(number for number, line in enumerate(lines) if word in line)
        return editor.session.hover(str(path), Position(number, lines[number].index(word) + 1))

    assert hover("DRAAdminAccess").startswith("**DRAAdminAccess** ga, on in Kubernetes 1.37")
    assert hover("request/name").startswith("**request/name**")
    assert "`ExactCount`" in hover("allocationMode")
    assert "DRAAdminAccess" in hover("adminAccess")
    assert '`"small"`: 2 devices' in hover("model")
    assert "string.startsWith(string) -> bool" in hover("startsWith")
    number = len(lines) - 2
    found = editor.session.signatures(str(path), Position(number, lines[number].index('"s"')))
    assert found is not None
    assert found.signatures[0][0] == "string.startsWith(string) -> bool"


def test_names_lead_to_what_they_name(editor: _Editor) -> None:
    path = _file_with("resourceClaimTemplateName")
    editor.open(path)

    def target(text: str, inside: int) -> tuple[str, int]:
        (found,) = editor.session.definitions(str(path), _place(path, text, inside))
        lines = Path(found.file).read_text(encoding="utf-8").split("\n")
        assert lines[found.at.line][found.at.column :].startswith(found.name)
        return found.name, found.at.line

    assert target("deviceClassName: gpu", 18)[0] == "gpu"
    assert target("resourceClaimTemplateName", 28)[0] == "gpu-with-nic"
    assert target("request: nic", 10)[0] == "nic"
    assert target("requests: [gpu, nic]", 11) == ("gpu", _place(path, "- name: gpu").line)
    at = _place(path, "request: nic")
    (found,) = editor.session.definitions(str(path), Position(at.line - 1, at.column + 7))
    assert (found.name, found.at.line) == ("pair", _place(path, "- name: pair").line)


def test_a_request_is_renamed_everywhere(editor: _Editor) -> None:
    path = _file_with("resourceClaimTemplateName")
    editor.open(path)
    uses = editor.session.uses(str(path), _place(path, "- name: nic", 9))
    lines = path.read_text(encoding="utf-8").split("\n")
    assert {lines[use.at.line].strip() for use in uses} == {
        "- name: nic",
        "- requests: [gpu, nic]",
        "request: nic",
    }
    assert all(lines[use.at.line][use.at.column :].startswith("nic") for use in uses)
    assert editor.session.uses(str(path), _place(path, "requests: [gpu, nic]", 17)) == uses
    assert editor.session.uses(str(path), _place(path, "resourceClaimTemplateName", 3)) == []


def test_no_prefix_of_a_file_is_a_fault() -> None:
    files = [
        ROOT / "testdata/examples/broken.yaml",
        _file_with("resourceClaimTemplateName"),
    ]
    assert sum(ask_everywhere(path.read_text(encoding="utf-8")[:900], str(path)) for path in files) > 1500


@each_row(
    "text",
    [
        "",
        "\x00",
        "- " * 3000,
        "{" * 3000,
        "a: " * 3000,
        "'" * 3000,
        "a:\n" + " " * 5000 + "x",
        "😀: |\n  é\n",
        "? a\n: b\n",
        "&a *a",
        "%YAML 1.1\n---\n",
    ],
)
def test_hostile_text_is_survived(text: str) -> None:
    session = Session(lambda *_: None)
    session.take("a.yaml", text)
    lines = session.buffers["a.yaml"].lines
    at = Position(len(lines) - 1, len(lines[-1]))
    session.complete("a.yaml", at)
    session.hover("a.yaml", at)
    session.definitions("a.yaml", at)
    opened = Opened("a.yaml", text, 0)
    analyse(opened, [opened], Workspace(), settings_of(None))


def test_a_keystroke_in_a_large_file_is_quick() -> None:
    session = Session(lambda *_: None)
    session.configure({"debounce": 10_000})
    session.take("large.yaml", large_text(200_000))
    times = sorted(keystrokes(session, "large.yaml", pause=0))
    session.shut_down()
    assert times[len(times) // 2] < 0.02


def test_a_change_is_told_once_the_pause_is_over(editor: _Editor) -> None:
    path = QUICKSTART / "new.yaml"
    assert editor.open(path, "kind: Foo\n").version == 1
    editor.session.change(str(path), 2, [(Range(Position(0, 6), Position(0, 9)), "Bar")])
    assert editor.results.get(timeout=30)[1].version == 2
    assert editor.session.buffers[str(path)].text == "kind: Bar\n"
