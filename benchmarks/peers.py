"""The programs that dractl is compared with: found or installed, with their versions, or skipped by name."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from functools import cache, cached_property
from importlib import metadata
from pathlib import Path

from dractl.api import release
from tests import oracle

__all__ = [
    "CHECK_JSONSCHEMA",
    "CONTROL_PLANE",
    "KUBECONFORM",
    "KUBECTL_VALIDATE",
    "KUBERNETES_VALIDATE",
    "Peers",
]

KUBERNETES_VALIDATE = "kubernetes-validate"
CHECK_JSONSCHEMA = "check-jsonschema"
KUBECONFORM = "kubeconform"
KUBECTL_VALIDATE = "kubectl-validate"
CELPY = "cel-python"
GO_CODE = "Kubernetes' Go code"
CONTROL_PLANE = "kube-scheduler"

_GO_PACKAGES = {
    KUBECONFORM: "github.com/yannh/kubeconform/cmd/kubeconform@latest",
    KUBECTL_VALIDATE: "sigs.k8s.io/kubectl-validate@latest",
}
_PYPI = (KUBERNETES_VALIDATE, CHECK_JSONSCHEMA)


class Peers:
    """The programs, looked for when a benchmark wants them; ``skipped`` says why one is missing."""

    def __init__(self, folder: Path, *, control_plane: Path, etcd: str) -> None:
        """``folder`` keeps what is installed; ``control_plane`` has a folder with programs for each minor."""
        self.skipped: dict[str, str] = {}
        self.versions: dict[str, str] = {}
        self.etcd = etcd
        self._folder = folder
        self._control_plane = control_plane

    def from_pypi(self, name: str) -> Path | None:
        """The command of a package from PyPI, in a virtual environment for all of them."""
        if (reason := self._pypi_fault) is not None:
            self.skipped[name] = reason
            return None
        bin_folder = self._folder / "pypi" / "bin"
        listed = subprocess.run(
            [bin_folder / "pip", "list", "--format", "json"], capture_output=True, text=True, check=True
        )
        self.versions |= {
            row["name"]: row["version"] for row in json.loads(listed.stdout) if row["name"] == name
        }
        return bin_folder / name

    @cached_property
    def _pypi_fault(self) -> str | None:
        folder = self._folder / "pypi"
        if all((folder / "bin" / name).exists() for name in _PYPI):
            return None
        print("installing", *_PYPI, file=sys.stderr)
        venv.create(folder, with_pip=True)
        done = subprocess.run(
            [folder / "bin" / "pip", "install", "-q", *_PYPI], capture_output=True, text=True, check=False
        )
        return f"pip: {done.stderr.strip().splitlines()[-1]}" if done.returncode else None

    def from_go(self, name: str) -> Path | None:
        """The command of a Go module, built by ``go install``; the first time that takes minutes."""
        folder = self._folder / "go"
        if not (folder / name).exists():
            if shutil.which("go") is None:
                self.skipped[name] = "Go is not installed"
                return None
            print("installing", name, file=sys.stderr)
            done = subprocess.run(
                ["go", "install", _GO_PACKAGES[name]],
                env={**os.environ, "GOBIN": str(folder.resolve())}, capture_output=True, text=True,
                check=False,
            )  # fmt: skip
            if done.returncode:
                self.skipped[name] = f"go install: {done.stderr.strip().splitlines()[-1]}"
                return None
        if shutil.which("go"):
            shown = subprocess.run(
                ["go", "version", "-m", folder / name], capture_output=True, text=True, check=True
            )
            lines = [line.split() for line in shown.stdout.splitlines()]
            self.versions[name] = next(words[2] for words in lines if words[:1] == ["mod"])
        return folder / name

    def openapi(self) -> Path | None:
        """A folder with the OpenAPI of the newest release, if Go has its source: for kubectl-validate.

        That brings those up to 1.30, which know nothing of resource.k8s.io/v1.
        """
        source = _kubernetes_source()
        if source is None:
            self.skipped[KUBECTL_VALIDATE] = "no source of Kubernetes in Go's module cache"
            return None
        group = self._folder / "openapi" / "apis" / "resource.k8s.io"
        group.mkdir(parents=True, exist_ok=True)
        document = source / "api" / "openapi-spec" / "v3" / "apis__resource.k8s.io__v1_openapi.json"
        shutil.copyfile(document, group / "v1.json")
        return self._folder / "openapi"

    def go_code(self) -> Path | None:
        """The program with the real allocator and the real CEL, see tools/oracle."""
        program = oracle.binary(str(release.NEWEST))
        if program is None:
            self.skipped[GO_CODE] = f"${oracle.ENVIRONMENT} names no folder with oracle-{release.NEWEST}"
            return None
        self.versions[GO_CODE] = oracle.version(program)
        return program

    def has_celpy(self) -> bool:
        """Whether cel-python is installed."""
        try:
            self.versions[CELPY] = metadata.version("cel-python")
        except metadata.PackageNotFoundError:
            self.skipped[CELPY] = "cel-python is not installed"
            return False
        return True

    def control_plane(self) -> Path | None:
        """The folder with a control plane of the newest minor, see tools/control_plane."""
        programs = self._control_plane / str(release.NEWEST)
        if not (programs / CONTROL_PLANE).exists() or shutil.which(self.etcd) is None:
            self.skipped[CONTROL_PLANE] = "no control plane or no etcd (--control-plane, --etcd)"
            return None
        shown = subprocess.run(
            [programs / CONTROL_PLANE, "--version"], capture_output=True, text=True, check=True
        )
        self.versions[CONTROL_PLANE] = shown.stdout.split()[-1]
        return self._control_plane


@cache
def _kubernetes_source() -> Path | None:
    if shutil.which("go") is None:
        return None
    shown = subprocess.run(["go", "env", "GOMODCACHE"], capture_output=True, text=True, check=True)
    folders = (Path(shown.stdout.strip()) / "k8s.io").glob(f"kubernetes@v{release.NEWEST}.*")
    return max((folder for folder in folders if (folder / "api").is_dir()), default=None)
