"""Pages in the Chromium of the system: only the filters run, nothing is loaded, nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dractl.report.html.render import render
from tests.chromium import MARKS, launched
from tests.report.html.samples import CASES, filled_with, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("jinja2")
playwright = pytest.importorskip("playwright.sync_api")

pytestmark = MARKS

HOSTILE = "</script><script>window.ran=1</script><img src=https://example.com/x onerror=window.ran=1>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    texts = {name: page_of(*CASES[name]) for name in ("simulate", "partitions", "upgrade")}
    texts["hostile"] = render(filled_with(lambda: HOSTILE))
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


def _open(page: Page, path: Path) -> list[str]:
    """Open a page, and return what it complains about or asks of the network from then on."""
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: troubles.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    return troubles


@pytest.mark.parametrize("width", [320, 1600])
@pytest.mark.parametrize("name", ["simulate", "partitions", "upgrade", "hostile"])
def test_nothing_else_runs_and_nothing_is_cut_off(
    browser: Browser, pages: dict[str, Path], name: str, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    troubles = _open(page, pages[name])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("window.ran === undefined")
    assert page.locator("#filters").is_visible() == (name != "upgrade")  # which has nothing to filter
    assert troubles == []
    page.close()


def test_filters_hide_what_is_of_no_interest(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.new_page()
    _open(page, pages["simulate"])
    every = page.locator("#devices .device.leaf").count()
    page.get_by_label("Node", exact=True).fill("NODE-B")
    playwright.expect(page.locator("#filter-result")).to_contain_text("entries shown")
    assert page.locator("#devices .place:visible h3").all_inner_texts() == ["node-b"]
    page.get_by_label("Claim or pod").fill("default/chat")
    playwright.expect(page.locator("#placements tbody tr:visible")).to_have_count(1)
    page.get_by_role("button", name="Show all").click()
    playwright.expect(page.locator("#devices .device.leaf:visible")).to_have_count(every)
    page.close()


def test_the_keyboard_reaches_the_content(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.new_page()
    _open(page, pages["simulate"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    seen = page.locator("body").aria_snapshot()
    for part in (
        "- banner:",
        "- main:",
        "- search",
        "- navigation",
        "- contentinfo:",
        "- table",
        "- article",
    ):
        assert part in seen
    page.close()


def test_without_scripts_all_is_there_and_in_print_as_well(browser: Browser, pages: dict[str, Path]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    _open(page, pages["simulate"])
    assert not page.locator("#filters").is_visible()
    assert page.get_by_text("gpu-1 on node-a").first.is_visible()
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.get_by_text("published in slices").first.is_visible()
    context.close()
