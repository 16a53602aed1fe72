"""Expectation files in folders, and what only looks like one."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from dractl.testing.folders import expectation_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.yaml").write_text("schema: dractl.test/1\n", encoding="utf-8")
    return tmp_path


def test_files_of_a_folder_are_found_by_their_schema(folder: Path) -> None:
    good = str(folder / "good.yaml")
    assert expectation_files([str(folder), good]) == ([good], [], [])
    assert expectation_files([good]).files == [good]


def test_a_folder_without_one_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n", encoding="utf-8")
    found = expectation_files([str(tmp_path), str(tmp_path / "missing")])
    assert found.errors == [(str(tmp_path), "no file in this folder has schema: dractl.test/1")]
    assert found.files == [str(tmp_path / "missing")]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "schema: dractl.test/2\n",
            "schema: dractl.tests/1\n",
            "schema: dractl.tset/1\n",
            "Schema: dractl.test/1\n",
        ),
        *(
            "schema: dractl/test/1\n",
            "schema: Dractl.Test/1\n",
            "schema: dractl.test\n",
            "SCHEMA : dractl.test/1\n",
        ),
        *(
            "schema: dractl.test/1\nx: [\n",
            "# why\nschema: 'dractl.test/1'\n\tx\n",
            '{"schema": "dractl.test/1", }x',
        ),
        *("a: 1\n---\nschema: dractl.test/1\n", "schema: dractl.test/1\n---\n[\n"),
        *("shcema: dractl.test/1\n", "schemas: dractl.test/1\n", "- schema: dractl.test/1\n  cases: []\n"),
    ],
)
def test_what_is_meant_as_one_is_not_passed_over(folder: Path, text: str) -> None:
    (folder / "meant.yaml").write_text(text, encoding="utf-8")
    assert expectation_files([str(folder)]).files == [str(folder / "good.yaml"), str(folder / "meant.yaml")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_text_in_a_broken_encoding_may_be_meant(folder: Path, encoding: str) -> None:
    (folder / "meant.yaml").write_bytes("schema: dractl.test/1\n".encode(encoding) + b"\xff\xff\xff")
    assert str(folder / "meant.yaml") in expectation_files([str(folder)]).files


@pytest.mark.parametrize(
    "text",
    [
        *(
            "schema: dractl.test-results/1\n",
            "schema: dractl.scenario/1\n",
            "schema: dractl.why/1\n",
            "schema: 1\n",
        ),
        *("a: {schema: dractl.test/1}\n", "- schema\n", "schema: https://example.com/test/1\n", "hello\n"),
    ],
)
def test_other_documents_are_passed_over(folder: Path, text: str) -> None:
    (folder / "other.yaml").write_text(text, encoding="utf-8")
    assert expectation_files([str(folder)]) == ([str(folder / "good.yaml")], [], [])


def test_other_texts_that_cannot_be_read_are_reported(folder: Path) -> None:
    (folder / "chart.yaml").write_text("a: {{ .Values.a }}\n", encoding="utf-8")
    found = expectation_files([str(folder)])
    assert found.files == [str(folder / "good.yaml")]
    assert [item.file for item in found.unread] == [str(folder / "chart.yaml")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_nobody_may_read_is_an_error(folder: Path) -> None:
    (folder / "locked.yaml").touch(mode=0)
    assert [error.path for error in expectation_files([str(folder)]).errors] == [str(folder / "locked.yaml")]


def test_a_link_to_nothing_is_an_error(folder: Path) -> None:
    (folder / "link.yaml").symlink_to(folder / "nothing.yaml")
    assert [error.path for error in expectation_files([str(folder)]).errors] == [str(folder / "link.yaml")]


def test_a_text_of_line_breaks_takes_no_time(folder: Path) -> None:
    (folder / "a.yaml").write_text("[" + "\n" * 60_000 + " " * 60_000, encoding="utf-8")
    start = time.process_time()
    assert len(expectation_files([str(folder)]).unread) == 1
    assert time.process_time() - start < 5
