"""``python -m tools.control_plane`` with scripts in the place of its programs."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tools.fake_go import fake_go
from tools.control_plane import __main__ as tool
from tools.control_plane.build import PROGRAMS
from tools.control_plane.components import CLIENTS, STORAGE, Settings, runtime_config
from tools.control_plane.running import ControlPlane, StartError

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="scripts with #! do not run here"),
    pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl"),
]

RUNS = "import signal, sys\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\nsignal.pause()\n"
ENDS = "print('it does not work')\n"
ENDS_ONCE = (
    "import pathlib\nfirst = not pathlib.Path('again').exists()\npathlib.Path('again').touch()\n"
    f"if not first:\n    {RUNS.replace(chr(10), chr(10) + '    ')}\n"
)


def _settings(folder: Path, **scripts: str) -> Settings:
    programs = folder / "programs" / "1.37"
    programs.mkdir(parents=True)
    for name in ("etcd", *PROGRAMS):
        program = programs / name
        body = scripts.get(name.replace("-", "_"), RUNS)
        program.write_text(
            f"#!{sys.executable}\nopen('{name}.started', 'w').close()\n{body}", encoding="utf-8"
        )
        program.chmod(0o755)
    return Settings(
        programs, folder / "state", "1.37", 6443, 2379, 2380, "secret", etcd=str(programs / "etcd")
    )


def _always(_: Settings) -> bool:
    return True


def _until(done: Callable[[], bool], *, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_all_processes_run_until_the_end_of_the_block(tmp_path: Path) -> None:
    settings = _settings(tmp_path)
    with ControlPlane(settings, ready=_always) as started:
        handles = [process.handle for process in started._processes]
        assert [process.component for process in started._processes] == [*STORAGE, *CLIENTS]
        _until(lambda: all((settings.state / f"{name}.started").is_file() for name in PROGRAMS))
        assert [handle.poll() for handle in handles] == [None] * 4
    assert None not in [handle.poll() for handle in handles]
    assert started.restarts == 0


@pytest.mark.slow
def test_a_scheduler_that_ends_is_started_again(tmp_path: Path) -> None:
    with ControlPlane(_settings(tmp_path, kube_scheduler=ENDS_ONCE), ready=_always) as started:
        _until(lambda: started.restarts == 1)
        assert [process.component.name for process in started._processes][-1] == "kube-scheduler"


@pytest.mark.slow
def test_a_server_that_ends_at_once_is_an_error_with_its_log(tmp_path: Path) -> None:
    settings = _settings(tmp_path, kube_apiserver=ENDS)
    with pytest.raises(StartError, match=r"(?s)kube-apiserver ended:.*it does not work"):
        ControlPlane(settings, ready=lambda _: False).__enter__()


@pytest.mark.slow
def test_a_missing_program_is_an_error_and_the_others_stop(tmp_path: Path) -> None:
    settings = _settings(tmp_path)
    (settings.programs / "kube-scheduler").unlink()
    started = ControlPlane(settings, ready=_always)
    with pytest.raises(StartError, match="kube-scheduler does not start"):
        started.__enter__()
    assert started._processes == []


def test_options_name_the_files_and_the_gates(tmp_path: Path) -> None:
    settings = Settings(
        tmp_path, tmp_path, "1.37", 6443, 2379, 2380, "secret", gates="DRAExtendedResource=true"
    )
    files = settings.files()
    assert json.loads(files["kubeconfig"])["clusters"][0]["cluster"]["server"] == "https://127.0.0.1:6443"
    assert files["tokens.csv"].startswith("secret,")
    for component in (*STORAGE[1:], *CLIENTS):
        command = component.command(settings)
        assert command[0] == str(tmp_path / component.name)
        assert "--feature-gates=DRAExtendedResource=true" in command
    assert "--feature-gates" not in " ".join(CLIENTS[0].command(settings._replace(gates="")))


def test_a_command_gets_server_token_and_kubeconfig(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    settings = _settings(tmp_path)
    monkeypatch.setattr(tool, "ControlPlane", lambda given: ControlPlane(given, ready=_always))
    shown = "import os, sys; print([name in os.environ for name in sys.argv[1:]]); sys.exit(7)"
    names = ["DRACTL_API_SERVER", "DRACTL_API_TOKEN", "KUBECONFIG"]
    command = ["run", "1.37", "--from", str(settings.programs.parent), "--etcd", settings.etcd]
    assert tool.main([*command, "--", sys.executable, "-c", shown, *names]) == 7
    assert "[True, True, True]" in capfd.readouterr().out


def test_the_three_programs_are_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    go = fake_go(tmp_path / "go")
    (tmp_path / "1.37").mkdir()
    assert tool.main(["build", "1.37", "--into", str(tmp_path), "--go", str(go.program)]) == 0
    arguments, folder, _ = go.calls()[-1]
    assert arguments[-3:] == [f"k8s.io/kubernetes/cmd/{name}" for name in PROGRAMS]
    assert f"-o={tmp_path / '1.37'}" in arguments
    assert (Path(folder) / "go.mod").read_text() == "module dractl-control-plane\n"
    assert capsys.readouterr().out == f"{tmp_path / '1.37'}\n"


def test_versions_with_pod_groups_are_served_where_there_are_any() -> None:
    assert "scheduling.k8s.io" not in runtime_config("1.35")
    assert "scheduling.k8s.io/v1alpha2=true" in runtime_config("1.36")
    assert "scheduling.k8s.io/v1beta1=true" in runtime_config("1.37")
    assert runtime_config("1.33").startswith("resource.k8s.io/v1beta1=true,")
