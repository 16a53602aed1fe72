"""The pytest plugin, as pytest runs it in the project of a user."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import dractl
from tests.paths import ROOT

pytest_plugins = ["pytester"]

EXAMPLE = ROOT / "testdata" / "examples" / "driver-suite"
FEW = """
from hypothesis import HealthCheck, settings
settings.register_profile("few", max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("few")
"""
EXPECTATIONS = """\
schema: dractl.test/1
manifests: manifests.yaml
cases:
- name: "any :: pod"
  kubeVersion: 1.36..1.37
  expect: {pods: {any: {pending: no-devices}}}
- {name: wrong, expect: {pods: {four: {node: node-a}}}}
"""


@pytest.fixture(autouse=True, scope="module")
def loaded() -> None:
    """Load what the tests use: pytest forgets modules that a run in this process was the first to load."""
    for module in ("assertions", "pytest_plugin.items", "pytest_plugin.world", "testing.strategies"):
        import_module(f"dractl.{module}")
    found = dractl.test(EXAMPLE, kube_version="1.37")
    assert found.ok
    docs = [EXAMPLE / "manifests.yaml", EXAMPLE / "slices.yaml"]
    assert dractl.validate(docs, old=docs).ok
    assert dractl.why(docs, "four").to_dict()
    assert dractl.simulate(docs).to_dict()
    with pytest.raises(AssertionError):
        import_module("dractl.assertions").assert_allocates(docs)
    assert dractl.audit(docs).ok


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    is_installed = any(point.value == "dractl.pytest_plugin" for point in entry_points(group="pytest11"))
    named = () if is_installed else ("-p", "dractl.pytest_plugin")
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *named, *arguments)


def use(pytester: pytest.Pytester, *names: str, ini: str = "dractl_expectations = *.dractl.yaml") -> None:
    """A project with files of the example, and ``t.dractl.yaml``."""
    for name in ("manifests.yaml", *names):
        shutil.copy(EXAMPLE / name, pytester.path)
    (pytester.path / "t.dractl.yaml").write_text(EXPECTATIONS, encoding="utf-8")
    pytester.makeini(f"[pytest]\n{ini}\n")


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line and " " not in line.partition("::")[0]]


def test_the_example_suite_of_a_driver_passes(pytester: pytest.Pytester) -> None:
    shutil.copytree(EXAMPLE, pytester.path, dirs_exist_ok=True)
    pytester.makeconftest(FEW)
    result = run(pytester)
    result.assert_outcomes(passed=16)


def test_cases_of_expectation_files_are_tests(pytester: pytest.Pytester) -> None:
    use(pytester)
    listed = run(pytester, "--collect-only", "-q")
    assert ids(listed) == [
        "t.dractl.yaml::any : pod[1.36]",
        "t.dractl.yaml::any : pod[1.37]",
        "t.dractl.yaml::wrong",
    ]
    result = run(pytester)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "t.dractl.yaml:7:33: pod default/four is not as expected [[]wrong[]]",
            "    - node: node-a",
            "    + pending: no-devices",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert ids(run(pytester, "--collect-only", "-q", "-k", "wrong")) == ["t.dractl.yaml::wrong"]
    run(pytester, "t.dractl.yaml::wrong").assert_outcomes(failed=1)
    assert len(ids(run(pytester, "--collect-only", "-q", "-m", "dractl"))) == 3


def test_failures_read_as_those_of_the_command(pytester: pytest.Pytester) -> None:
    from tests.forking import as_text, run_dractl

    use(pytester)
    printed = as_text(run_dractl(["test", "t.dractl.yaml", "--quiet"], pytester.path)).stdout
    shown = run(pytester, "t.dractl.yaml::wrong").stdout.str()
    assert printed.strip() in shown


def test_options_override_the_files(pytester: pytest.Pytester) -> None:
    use(pytester)
    listed = run(pytester, "--collect-only", "-q", "--dractl-kube-version", "1.34..1.35")
    assert len(ids(listed)) == 4
    for option, message in (
        ("--dractl-kube-version=1.99", "--dractl-kube-version: unsupported Kubernetes minor"),
        ("--dractl-feature-gates=Nope", "dractl_feature_gates: "),
    ):
        result = run(pytester, option)
        assert result.ret != 0
        assert message in result.stdout.str() + result.stderr.str()
        assert "INTERNALERROR" not in result.stdout.str()


def test_a_file_that_cannot_be_used_is_an_error(pytester: pytest.Pytester) -> None:
    use(pytester, ini="dractl_expectations = t.dractl.yaml manifests.yaml")
    (pytester.path / "t.dractl.yaml").write_text("schema: dractl.test/1\nexpct: {}\n", encoding="utf-8")
    result = run(pytester)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(
        ["t.dractl.yaml:2:1: error: expct: unknown field 'expct'; did you mean expect? *"]
    )
    assert "holds Kubernetes objects; expected a file with `schema: dractl.test/1`" in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


def test_a_glob_passes_over_manifests(pytester: pytest.Pytester) -> None:
    use(pytester, ini="dractl_expectations = ./*.yaml")
    assert len(ids(run(pytester, "--collect-only", "-q"))) == 3
    (pytester.path / "bad.yaml").write_bytes(b"a: [\n")
    result = run(pytester, "--collect-only", "-q", "-W", "default")
    assert len(ids(result)) == 3
    result.stdout.fnmatch_lines(["*bad.yaml is not collected by dractl_expectations: *"])


def test_nothing_is_collected_without_the_setting(pytester: pytest.Pytester) -> None:
    use(pytester, ini="")
    assert run(pytester).ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_settings_of_worlds(pytester: pytest.Pytester) -> None:
    use(pytester, ini="dractl_kube_version = 1.35\ndractl_feature_gates = DRADeviceTaints=true")
    pytester.makepyfile(
        """
        import pytest
        from pathlib import Path

        NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}

        def test_defaults(dractl_world):
            found = dractl_world(NODE).simulation
            assert (found.kube_version, found.feature_gates) == ("1.35", {"DRADeviceTaints": True})

        @pytest.mark.parametrize("dractl_kube_version", ["1.36"])
        def test_parametrized(dractl_world):
            assert dractl_world(NODE).simulation.kube_version == "1.36"

        def test_own(dractl_world, monkeypatch):
            world = dractl_world([Path("manifests.yaml"), NODE], kube_version="1.37")
            assert world.simulation.kube_version == "1.37"
            world.assert_pending("any", category="no-devices")
            assert world.why("any").explanation is not None
        """
    )
    run(pytester).assert_outcomes(passed=3)
    run(pytester, "--dractl-kube-version", "1.34", "-k", "defaults").assert_outcomes(failed=1)


def test_paths_are_relative_to_the_test(pytester: pytest.Pytester) -> None:
    use(pytester)
    (pytester.path / "inner").mkdir()
    test = pytester.path / "inner" / "test_it.py"
    test.write_text(
        "from pathlib import Path\n"
        "def test_it(dractl_world):\n    dractl_world(Path('../manifests.yaml')).assert_allocates('any')\n",
        encoding="utf-8",
    )
    result = run(pytester, "inner")
    result.assert_outcomes(failed=1)
    lines = result.stdout.str()
    assert ">   " in lines
    assert "E       AssertionError: pod default/any is not as expected" in lines
    # The line of the user's test is shown, and none of dractl's own.
    assert "assertions.py" not in lines


def test_loading_the_plugin_loads_nothing_else() -> None:
    code = (
        "import sys, pytest; known = set(sys.modules); import dractl.pytest_plugin; "
        "print(sorted(name for name in set(sys.modules) - known if name.startswith('dractl')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['dractl', 'dractl.pytest_plugin']\n"


def test_pytest_does_not_rewrite_the_modules_of_dractl(pytester: pytest.Pytester) -> None:
    """It would, because an installed distribution with a plugin lists them."""
    pytester.makepyfile(
        """
        import dractl.public

        def test_it(pytestconfig):
            hook = pytestconfig.pluginmanager.rewrite_hook
            assert "dractl" not in hook._must_rewrite
            assert type(dractl.public.__loader__).__name__ == "SourceFileLoader"
        """
    )
    pytester.makeconftest(
        """
        def pytest_addoption(pluginmanager):
            assert "dractl" not in pluginmanager.rewrite_hook._must_rewrite
        """
    )
    run(pytester, "--assert=rewrite").assert_outcomes(passed=1)


def test_the_entry_point_names_the_plugin() -> None:
    text = Path(ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\ndractl = "dractl.pytest_plugin"\n' in text
