"""Nothing that strangers write becomes markup or runs, and nothing of it is hidden."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from dractl.report.html.model import Page
from dractl.report.html.render import render
from tests.fuzz.faults import ORDER, STEERING
from tests.paths import ROOT
from tests.report.html.samples import filled_with
from tests.report.html.structure import structure_of
from tests.rows import each_row

pytest.importorskip("jinja2")

TEMPLATES = ROOT / "dractl" / "report" / "html" / "templates"
HOSTILE = {
    "<script>alert(1)</script>": "<script>alert(1)</script>",
    '"onload="alert(1)': '"onload="alert(1)',
    "' onmouseover='alert(1)": "' onmouseover='alert(1)",
    "</style><img src=x onerror=alert(1)>": "</style><img src=x onerror=alert(1)>",
    "--></title></script><svg onload=alert(1)>": "--></title></script><svg onload=alert(1)>",
    "&lt;b&gt;&#60;": "&lt;b&gt;&#60;",
    "{{ 7 * 7 }}{% raw %}": "{{ 7 * 7 }}{% raw %}",
    "a\u202egnp.exe": "a\ufffdgnp.exe",
    "a\x00b\x1b[31m\x7fc": "a\u2400b\u241b[31m\ufffdc",
    "a\nb\rc\u2028d\x85e": "a\u240ab\u240dc\ufffdd\ufffde",
    "\n::error::x": "\u240a::error::x",
    "javascript:alert(1)": "javascript:alert(1)",
    "##vso[task.complete]": "\ufffd#vso[task.complete]",
    "\u2066\u200b\ufeff\U000e0041": "\ufffd\ufffd\ufffd\ufffd",
}
"""Texts, and how a page shows each."""

TAGS = re.compile(
    "html|head|meta|title|style|body|a|header|p|h[1-5]|dl|div|dt|dd|nav|ul|ol|li|form|label|input|button|datalist"
    "|main|section|small|b|span|code|del|ins|pre|table|caption|thead|tbody|tr|th|td|article|details|summary"
    "|svg|rect|path|footer|script|wbr"
)
EXECUTABLE = re.compile(r"on\w+|style|src|srcdoc|action|formaction|xlink:href|background|data")


@each_row("hostile", HOSTILE)
def test_a_text_in_every_place_stays_a_text(hostile: str) -> None:
    document = render(filled_with(lambda: hostile))
    found = structure_of(document)
    assert found.problems == []
    assert [element.tag for element in found.elements if not TAGS.fullmatch(element.tag)] == []
    names = {name for element in found.elements for name in element.attributes}
    assert [name for name in names if EXECUTABLE.fullmatch(name)] == []
    assert {element.attributes["href"][0] for element in found.all("a")} == {"#"}
    assert len(found.all("script")) == len(found.all("style")) == 1
    assert not STEERING.search(document)
    assert not ORDER.search(document)
    assert HOSTILE[hostile] in {text for _, text in found.texts}


def test_every_text_of_a_page_is_shown() -> None:
    names: list[str] = []

    def name() -> str:
        names.append(f"text{len(names)}.")
        return names[-1]

    document = render(filled_with(name))
    assert [text for text in names if text not in document] == []


def test_what_runs_and_styles_is_named_by_its_hash() -> None:
    found = structure_of(render(Page("simulate", "", "fine", "ok", (), ())))
    texts = {tag: text for tag, text in found.texts if tag in ("style", "script")}
    hashes = {
        tag: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for tag, text in texts.items()
    }
    policy = next(
        e.attributes["content"]
        for e in found.all("meta")
        if e.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_templates_print_into_quotes_or_text_and_switch_no_escaping_off() -> None:
    for path in sorted(TEMPLATES.glob("*.j2")):
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape|Markup", source), path.name
        bare = re.sub(r"\{%.*?%\}", "", source, flags=re.DOTALL)
        assert not re.search(r"=\s*\{\{", bare), path.name
        for block in re.findall(r"<(?:script|style)>(.*?)</", source, re.DOTALL):
            assert block in ("{{ style }}", "{{ script }}"), path.name


def test_the_files_of_the_page_name_nothing_outside() -> None:
    for name in ("page.css", "page.js"):
        source = (TEMPLATES / name).read_text(encoding="utf-8")
        assert not re.search(r"url\(|@import|https?:|//|fetch|XMLHttp|innerHTML|eval|</", source), name
