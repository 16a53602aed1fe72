"""The Go toolchain: download the go.mod of a release, and build programs of its code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.kubernetes import modules
from tools.kubernetes.releases import Release

_VERSION_PACKAGE = "k8s.io/component-base/version"


class BuildError(RuntimeError):
    """No Go toolchain, or one that failed.

    ``output`` is what Go printed, which is on standard error too.
    """

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class Go:
    """A Go toolchain, with the folder in which it keeps the go.mod of each minor."""

    def __init__(self, program: str, folder: Path) -> None:
        """Raise BuildError if there is no such program."""
        found = shutil.which(program)
        if found is None:
            raise BuildError(
                f"no Go toolchain: install Go, or name the program with --go (not found: {program})"
            )
        self._program = found
        self._folder = folder.resolve()

    def module_file(self, release: Release, *, name: str) -> Path:
        """The go.mod, with its go.sum next to it, of a module ``name`` that is built of ``release``.

        Written once: Go adds to it, and a second build finds it complete.
        """
        path = self._folder / f"{release.version}.mod"
        if not path.is_file():
            self._folder.mkdir(parents=True, exist_ok=True)
            source = self.download(modules.KUBERNETES, f"v{release.version}")
            stubs = self._folder / "stubs"
            modules.write_stubs(release, stubs)
            shutil.copyfile(source / "go.sum", path.with_suffix(".sum"))
            published = (source / "go.mod").read_text(encoding="utf-8")
            path.write_text(modules.derived(published, release, name=name, stubs=stubs), encoding="utf-8")
        return path

    def download(self, module: str, version: str) -> Path:
        """The folder in the module cache with the source of a module; raises BuildError if Go has none."""
        self._folder.mkdir(parents=True, exist_ok=True)
        code, text, _ = self._finished("mod", "download", "-json", f"{module}@{version}", folder=self._folder)
        answer = json.loads(text) if text else {}
        if code != 0:
            error = answer.get("Error") or f"go mod download {module}@{version} failed"
            raise BuildError(f"{error}; name a newer one with --go" if "requires go >=" in error else error)
        return Path(answer["Dir"])

    def module_text(self, module: str, version: str) -> str:
        """The go.mod of a module; raises BuildError if that version is not published."""
        rows = self._listed(f"{module}@{version}")
        if "GoMod" not in rows[0]:
            raise BuildError(_error_of(rows[0]) or f"no go.mod of {module}@{version}")
        return Path(rows[0]["GoMod"]).read_text(encoding="utf-8")

    def versions(self, module: str) -> list[str]:
        """The published versions of a module, oldest first."""
        found: list[str] = self._listed("-versions", module)[0].get("Versions") or []
        return found

    def unpublished(self, wanted: Sequence[str]) -> set[str]:
        """Which of ``wanted``, each MODULE@VERSION, are not published."""
        rows = self._listed(*wanted)
        return {f"{row['Path']}@{row['Version']}" for row in rows if _error_of(row)}

    def _listed(self, *arguments: str) -> list[dict[str, Any]]:
        """What ``go list -m`` writes about modules: an object each, with an error if it does not find one."""
        self._folder.mkdir(parents=True, exist_ok=True)
        text = self._run("list", "-m", "-e", "-json", *arguments, folder=self._folder)
        rows, decoder, start = [], json.JSONDecoder(), 0
        while text[start:].strip():
            row, end = decoder.raw_decode(text, start)
            rows.append(row)
            start = end + 1
        return rows

    def run_program(self, source: Path, arguments: Sequence[str]) -> str:
        """Run the program in the folder ``source``, and return its output; raises BuildError if it fails."""
        return self._run("run", ".", *arguments, folder=source)

    def build(
        self,
        release: Release,
        packages: Sequence[str],
        *,
        source: Path,
        module_file: Path,
        target: Path,
        variables: Sequence[str] = (),
    ) -> None:
        """Build ``packages`` as seen from the folder ``source`` into ``target``, a file or a folder.

        ``variables`` are NAME=VALUE of texts that the linker sets, besides the version of Kubernetes.
        Raises BuildError if Go fails.
        """
        major, minor = release.minor.split(".")
        texts = [
            f"{_VERSION_PACKAGE}.gitVersion=v{release.version}",
            f"{_VERSION_PACKAGE}.gitMajor={major}",
            f"{_VERSION_PACKAGE}.gitMinor={minor}",
            f"{_VERSION_PACKAGE}.gitTreeState=clean",
            *variables,
        ]
        self._run(
            "build",
            f"-modfile={module_file}",
            f"-tags={','.join(release.tags)}",
            "-ldflags=-s -w " + " ".join(f"-X {text}" for text in texts),
            f"-o={target.resolve()}",
            *packages,
            folder=source,
        )

    def vet(self, release: Release, *, source: Path, module_file: Path) -> None:
        """Look for suspicious code in all packages of the folder ``source``; raises BuildError for any."""
        self._run("vet", f"-modfile={module_file}", f"-tags={','.join(release.tags)}", "./...", folder=source)

    def _run(self, *arguments: str, folder: Path) -> str:
        code, text, errors = self._finished(*arguments, folder=folder)
        if code != 0:
            raise BuildError(f"go {arguments[0]} failed with exit code {code}", errors)
        return text

    def _finished(self, *arguments: str, folder: Path) -> tuple[int, str, str]:
        """The exit code of Go, its output, and what it wrote to standard error, where it appears at once."""
        # The derived go.mod and go.sum lack what only the new module needs; -mod=mod lets Go add it.
        environment = os.environ | {"GOFLAGS": "-mod=mod -buildvcs=false"}
        errors = []
        with (
            tempfile.TemporaryFile("w+", encoding="utf-8") as output,
            subprocess.Popen(
                [self._program, *arguments],
                cwd=folder,
                env=environment,
                stdout=output,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            ) as process,
        ):
            for line in process.stderr or ():
                sys.stderr.write(line)
                errors.append(line)
            code = process.wait()
            output.seek(0)
            return code, output.read(), "".join(errors)


def _error_of(row: Mapping[str, Any]) -> str:
    return str(row["Error"]["Err"]) if "Error" in row else ""
