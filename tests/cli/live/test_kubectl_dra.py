"""``kubectl dra``, ``dractl snapshot`` and ``dractl replay`` as a user runs them, with a fake kubectl."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import typer

import dractl
from dractl.cli.commands import app as dractl_app
from dractl.cli.live.program import EXAMPLES, EXIT_CODES, app
from dractl.cli.program import help_page
from dractl.cli.server import UsageError
from dractl.live.kinds import KINDS, OWNERS
from dractl.workflows.subjects import WORDS
from tests.live.fake_kubectl import QUICKSTART, FakeKubectl
from tests.paths import ROOT
from tests.rows import each_row

RECORDING = ROOT / "testdata" / "recordings" / "quickstart.jsonl"
FORBIDDEN = "Error from server (Forbidden): forbidden: not allowed"
JOB = """\
apiVersion: v1
kind: Pod
metadata: {name: more}
spec:
  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
"""


def _run(*arguments: str, program: typer.Typer = app) -> int:
    with pytest.raises(SystemExit) as end:
        program(list(arguments), prog_name="kubectl dra")
    assert isinstance(end.value.code, int)
    return end.value.code


@pytest.mark.parametrize(
    ("arguments", "code", "shown"),
    [
        (["devices"], 0, "4 devices: 4 free (Kubernetes 1.36.2)"),
        (["devices", "--node", "node-b"], 0, "1 device: 1 free"),
        (["claims"], 0, "default/large-gpu  pending"),
        (["claims", "-n", "other"], 0, "no claims"),
        (["why", "chat"], 0, "gpu.example.com/node-b/gpu-0 for request gpu of claim default/large-gpu"),
        (["why", "claim/large-gpu"], 0, "allocated for pod default/chat"),
        (["size", "--pod", "chat"], 0, "more copies of default/chat fit"),
        (["audit"], 0, "nothing to check"),
        (["upgrade", "--to", "1.37"], 0, "Upgrade from 1.36.2 to 1.37"),
        (["drain", "node-a"], 0, "no pods of node-a would move"),
    ],
)
def test_a_command_answers_for_the_cluster(
    cluster: FakeKubectl, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, shown: str
) -> None:
    assert _run(*arguments) == code
    written = capsys.readouterr()
    assert shown in written.out
    assert "read 12 objects of Kubernetes v1.36.2; feature gates as in /metrics" in written.err
    asked = [line.removeprefix("--namespace=other ") for line in cluster.asked()]
    assert all(line.startswith(("get --raw /", "config view --minify")) for line in asked)


@pytest.mark.parametrize("command", ["devices", "claims", "why", "audit", "drain", "size", "upgrade"])
def test_documents_follow_their_schema(
    cluster: FakeKubectl, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    more = {"drain": ["node-a"], "size": ["--pod", "chat"], "upgrade": ["--to", "1.37"], "why": ["chat"]}
    _run(command, *more.get(command, []), "-o", "json", "-q")
    document = json.loads(capsys.readouterr().out)
    name = document["schema"].replace("/", ".")
    schema = json.loads((ROOT / f"schemas/documents/{name}.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    assert cluster.asked()


def test_a_page_shows_the_devices_of_the_cluster(
    cluster: FakeKubectl, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("jinja2")
    assert _run("why", "chat", "-o", "html", "-q") == 0
    assert "gpu-0" in capsys.readouterr().out.partition("<h2")[2].partition("node-a")[2]
    assert cluster.asked()


def test_what_may_not_be_read_is_named(cluster: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    cluster.fails("/api/v1/nodes?limit=500", FORBIDDEN)
    cluster.fails("/metrics", FORBIDDEN)
    assert _run("devices", "-q") == 0
    assert capsys.readouterr().err.splitlines() == [
        "dractl: feature gates: the defaults of 1.36; /metrics may not be read",
        "dractl: nodes are missing: you may not list them",
    ]


def test_whatif_adds_objects_in_the_namespace_of_the_context(
    cluster: FakeKubectl, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "job.yaml"
    file.write_text(JOB, encoding="utf-8")
    cluster.answers.joinpath("namespace").write_text("ml")
    assert _run("whatif", "-f", str(file), "-o", "json", "-q") == 0
    placed = {row["pod"]: row["device"] for row in json.loads(capsys.readouterr().out)["placements"]}
    assert placed["ml/more"] == "gpu-0"


def test_whatif_needs_a_file(cluster: FakeKubectl) -> None:
    assert _run("whatif") == 2
    assert cluster.asked() == []


def test_everything_that_waits_is_explained(cluster: FakeKubectl, capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [JOB.replace("name: more", f"name: job-{number}") for number in range(4)]
    cluster.has(QUICKSTART, *jobs[:1], *(job.partition("---")[0] for job in jobs[1:]))
    assert _run("why", "-q") == 1
    assert "default/job-3" in capsys.readouterr().out
    assert _run("why", "-q", "-n", "other") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["why", "nobody"], "POD: "),
        (["drain", "node-x"], "NODE: unknown node node-x"),
        (["upgrade", "--to", "1.2"], "--to: unsupported Kubernetes minor"),
        (["upgrade", "--to", "1.33"], "--to: 1.33 is older than 1.36.2"),
        (["size"], "--pod: name a pod to copy"),
        (["devices", "--context", ""], "--context: expected a name"),
        (["devices", "--watch", "--interval", "0"], "--interval: expected 1 or more seconds"),
        (["why", "--node", "node-a"], "--node: requires the name of a pod"),
        (["record", "", "--for", "1"], "FILE: expected a file name"),
        (["record", "x", "--for", "0"], "--for: expected 1 or more seconds"),
    ],
)
def test_wrong_usage_is_explained(cluster: FakeKubectl, arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        app(arguments, prog_name="kubectl dra")
    assert all("--raw" in line or "config" in line for line in cluster.asked())


def test_watch_draws_again_until_it_is_interrupted(
    cluster: FakeKubectl, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        cluster.fails("/version", "refused")
        if len(slept) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("dractl.cli.live.cluster.sleep", sleep)
    assert _run("devices", "--watch", "--interval", "7") == 0
    written = capsys.readouterr()
    assert slept == [7, 7]
    assert written.out.count("4 devices") == 1
    assert "dractl: kubectl: refused" in written.err


def test_a_snapshot_is_read_by_the_other_commands(cluster: FakeKubectl, tmp_path: Path) -> None:
    file = tmp_path / "cluster.yaml"
    assert _run("snapshot", "--output", str(file), program=dractl_app) == 0
    text = file.read_text(encoding="utf-8")
    head = [line for line in text.splitlines() if line.startswith("# ")]
    assert head[0].startswith("# The DRA state of a cluster with Kubernetes v1.36.2, read at ")
    options = "--kube-version 1.36.2 --feature-gates DRAConsumableCapacity=false"
    assert head[1:] == ["# Feature gates: those of the API server.", f"# dractl simulate {file} {options}"]
    found = dractl.simulate(file, kube_version="1.36.2")
    assert found.ok
    assert {row.pod for row in found.placements} == {"default/chat", "default/search", "default/train"}
    assert cluster.asked()


def test_a_snapshot_of_a_folder_has_a_file_for_each_kind(cluster: FakeKubectl, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    assert _run("snapshot", "--output", f"{folder}/", "--hash-names", "-q", program=dractl_app) == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        *("deviceclass.yaml", "node.yaml", "pod.yaml", "resourceclaim.yaml", "resourceclaimtemplate.yaml"),
        "resourceslice.yaml",
    ]
    assert dractl.simulate(folder, kube_version="1.36.2").ok
    assert "chat" not in (folder / "pod.yaml").read_text(encoding="utf-8")
    assert cluster.asked()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--output", ""], "--output: expected a file"),
        (["--hash-key", "x"], "--hash-key: requires --hash-names"),
    ],
)
def test_wrong_options_of_a_snapshot(cluster: FakeKubectl, arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        dractl_app(["snapshot", *arguments], prog_name="dractl")
    assert cluster.asked() == []


def test_a_recording_is_not_appended_to_another_file(cluster: FakeKubectl, tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="exists and is not a recording"):
        app(["record", str(file)], prog_name="kubectl dra")
    assert file.read_text(encoding="utf-8") == "mine"
    assert cluster.asked() == []


def test_a_recording_ends_after_its_time_and_is_replayed(
    cluster: FakeKubectl, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = "watch=true&allowWatchBookmarks=true&resourceVersion=100"
    for path in ("namespaces", "nodes", "resourcequotas", "pods"):
        cluster.runs(f"/api/v1/{path}?{query}", "exec sleep 9")
    for path in ("resourceslices", "deviceclasses", "resourceclaimtemplates", "resourceclaims"):
        cluster.runs(f"/apis/resource.k8s.io/v1/{path}?{query}", "exec sleep 9")
    file = tmp_path / "events.jsonl"
    assert _run("record", str(file), "--for", "1") == 0
    assert "recorded 13 lines" in capsys.readouterr().err
    assert _run("replay", str(file), "--compare", program=dractl_app) == 0
    assert capsys.readouterr().out == (
        "agree: 0 of no placements, 0 explained, 0 raced, 0 differ (Kubernetes 1.36.2)\n"
    )


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--compare"], "100.0 % agree: 3 of 3 placements"),
        ([], "3 placements (Kubernetes 1.36.5)"),
        (["--pod", "train"], "1 placement (Kubernetes 1.36.5)"),
        (["--at", "+5"], "# dractl simulate FILE --kube-version 1.36.5"),
    ],
)
def test_a_replay(capsys: pytest.CaptureFixture[str], arguments: list[str], shown: str) -> None:
    assert _run("replay", str(RECORDING), *arguments, program=dractl_app) == 0
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.jsonl"], "missing.jsonl: No such file or directory"),
        ([str(QUICKSTART)], "Is a directory"),
        ([str(QUICKSTART / "serving.yaml")], "line 1 is not JSON"),
        ([str(RECORDING), "--pod", "nobody"], "--pod: the recording has no placement of default/nobody"),
    ],
)
def test_a_replay_of_something_else(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert _run("replay", *arguments, program=dractl_app) == 2
    assert message in capsys.readouterr().err


@each_row(
    ("arguments", "message"),
    [
        (["--at", "tomorrow"], "--at: 'tomorrow' is not a time"),
        (["--at", "+5", "--format", "json"], "--at: prints the state as YAML; omit --format"),
        (["--at", "2001-01-01T00:00:00Z"], "--at: the recording begins at "),
        (["--at", "2001-01-01T00:00:00"], "expected a time with its zone"),
        (["--at", "+5", "--compare"], "--at: prints the whole state"),
    ],
)
def test_wrong_options_of_a_replay(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        dractl_app(["replay", str(RECORDING), *arguments], prog_name="dractl")


def test_every_command_has_examples_exit_codes_and_grouped_options() -> None:
    program = typer.main.get_command(app)
    commands = sorted(program.commands)  # type: ignore[attr-defined]
    assert commands == sorted(EXIT_CODES) == sorted(EXAMPLES.keys() - {"dra"})
    for name in commands:
        page = program.commands[name]  # type: ignore[attr-defined]
        groups = help_page.groups(page, page.context_class(page, **help_page.CONTEXT))
        assert [option for option, _ in groups["Options"]] == ["-h, --help"], name
        assert all(line.startswith(f"kubectl dra {name}") for line in EXAMPLES[name])


@pytest.mark.parametrize("columns", ["80", "120"])
def test_help_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for name in ("", *EXIT_CODES):
        assert _run(*name.split(), "--help") == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= min(int(columns), 100), name


WEB = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "default", "uid": "u-web"},
    "spec": {"replicas": 1},
}


def _controlled(name: str, uid: str, kind: str, owner: str, owner_uid: str) -> dict[str, object]:
    reference = {"apiVersion": "apps/v1", "kind": kind, "name": owner, "uid": owner_uid, "controller": True}
    return {"name": name, "namespace": "default", "uid": uid, "ownerReferences": [reference]}


@pytest.mark.parametrize("name", ["deployment/web", "deploy.apps/default/web"])
def test_the_workload_that_is_named_is_read(
    cluster: FakeKubectl, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": _controlled("web-1-a", "u-pod", "ReplicaSet", "web-1", "u-set"),
        "spec": {
            "containers": [{"name": "c", "image": "i"}],
            "resourceClaims": [{"name": "gpu", "resourceClaimName": "gone"}],
        },
    }
    cluster.has(QUICKSTART, pod)
    folder = "/apis/apps/v1/namespaces/default"
    cluster.says(f"{folder}/deployments/web", WEB)
    other = _controlled("other", "u-other", "Deployment", "else", "u-else")
    mine = _controlled("web-1", "u-set", "Deployment", "web", "u-web")
    sets = [{"metadata": metadata, "spec": {"replicas": 1}} for metadata in (mine, other)]
    cluster.lists(f"{folder}/replicasets", sets)
    assert _run("why", name, "-o", "json") == 1
    written = capsys.readouterr()
    assert "read 15 objects" in written.err
    assert json.loads(written.out)["pod"] == "default/web-1-a"


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["deployment/web"], "POD: no Deployment named default/web"),
        (["deploymnt/web"], "POD: unknown kind or namespace deploymnt; did you mean deployment?"),
        (["node/node-a"], "node/node-a: pods, claims, workloads and pod groups are explained"),
        (["chat", "-A"], "--all-namespaces: cannot be combined with a name"),
    ],
)
def test_a_name_that_cannot_be_explained(arguments: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        app(["why", *arguments], standalone_mode=False)


def test_a_workload_that_may_not_be_read(cluster: FakeKubectl) -> None:
    cluster.fails("/apis/batch/v1/namespaces/default/jobs/train", FORBIDDEN)
    with pytest.raises(UsageError, match=r"kubectl: .*Forbidden"):
        app(["why", "job/train"], standalone_mode=False)


def test_every_kind_that_can_be_named_is_read() -> None:
    assert set(WORDS.values()) <= {kind.kind for kind in KINDS} | set(OWNERS)
    assert {owner.between for owner in OWNERS.values()} - {""} <= set(OWNERS)
