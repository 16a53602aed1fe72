"""The playground in the Chromium of the system: results, links, offline, keyboard, contrast."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.chromium import MARKS, launched
from tests.paths import ROOT
from tests.play.served import deflated, fragment, served, world_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

playwright = pytest.importorskip("playwright.sync_api")

pytestmark = MARKS

EXAMPLES = ROOT / "testdata" / "examples"
HOSTILE = "</script></style><script>window.ran=1</script><img src=https://example.com/x onerror=window.ran=1>"
SLOW = 60_000
"""Milliseconds for the first result, on a machine that does other things, too."""

_QUICKSTART = [
    {"name": path.name, "text": path.read_text(encoding="utf-8")}
    for path in sorted((EXAMPLES / "quickstart").iterdir())
]
_BROKEN = {"name": "broken.yaml", "text": (EXAMPLES / "broken.yaml").read_text(encoding="utf-8")}

_WORKER = """
postMessage({ ready: true });
onmessage = ({ data: { id, request } }) => {
  const [{ text }] = JSON.parse(request).files;
  const error = { about: "files", message: `answered ${text}` };
  if (text === "break") postMessage({ id, failure: "MemoryError" });
  else if (text !== "hang") postMessage({ id, answer: JSON.stringify({ error }) });
};
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def url(playground: Path) -> Iterator[str]:
    with served(playground) as found:
        yield found


@pytest.fixture(scope="module")
def shared(browser: Browser, url: str) -> Iterator[Page]:
    """A page whose Python has started; tests open their links in it."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(url)
    _expect_status(page, "3 pods with devices", SLOW)
    yield page
    page.close()


def _watch(page: Page, url: str) -> list[str]:
    """What the page complains about, and asks of other hosts, from now on."""
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "request",
        lambda request: None if request.url.startswith((url, "blob:")) else troubles.append(request.url),
    )
    return troubles


def _expect_status(page: Page, text: str, milliseconds: int = 30_000) -> None:
    playwright.expect(page.locator("#status")).to_contain_text(text, timeout=milliseconds)


def _expect_problem(page: Page, text: str) -> None:
    playwright.expect(page.locator("#problem")).to_contain_text(text, timeout=30_000)


def _open(page: Page, link: str) -> None:
    """Follow a link to another world."""
    page.evaluate("fragment => { location.hash = fragment }", link)


def _view(page: Page, name: str) -> Locator:
    page.locator(f"#views-{name}").click()
    panel = page.locator("#view-panel")
    playwright.expect(panel).to_have_attribute("aria-busy", "false", timeout=30_000)
    return panel


def test_the_first_visit_shows_an_example_and_asks_nobody_else(browser: Browser, url: str) -> None:
    page = browser.new_page()
    troubles = _watch(page, url)
    page.goto(url)
    _expect_status(page, "0 errors, 0 warnings; 3 pods with devices, 0 pending.", SLOW)
    assert "gpu.example.com/node-a/gpu-1" in _view(page, "placements").inner_text()
    assert "Nothing is Pending." in _view(page, "why").inner_text()
    assert "3 of 4" in _view(page, "selectors").inner_text()
    _view(page, "picture")
    frame = page.frame_locator("#view-panel iframe")
    playwright.expect(frame.get_by_role("heading", name="node-a")).to_be_visible()
    style = frame.locator("h1").evaluate("element => getComputedStyle(element).fontSize")
    assert float(style.removesuffix("px")) > 20  # the policy of the page lets the style of the picture be
    assert page.locator("iframe").get_attribute("sandbox") == ""
    assert troubles == []
    page.close()


def test_results_follow_while_one_types(shared: Page) -> None:
    page = shared
    _open(page, fragment({"files": [_BROKEN]}))
    _expect_status(page, "9 errors")
    assert page.locator("#marks .mark.error").count() == 8
    page.get_by_role("button", name="broken.yaml:18").click()
    assert page.evaluate("document.activeElement.id") == "editor"
    before = page.evaluate("editor.value.slice(0, editor.selectionStart)")
    assert before.count("\n") + 1 == 18
    page.keyboard.press("Control+a")
    page.keyboard.type("apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: GPU", delay=5)
    _expect_status(page, "1 error,")
    assert "GPU" in page.locator("#view-panel").inner_text()
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("gpu")
    _expect_status(page, "0 errors")
    assert page.locator("#marks .mark.error").count() == 0


def test_a_link_has_the_world_and_the_page_writes_the_same(shared: Page) -> None:
    page = shared
    world = {"files": _QUICKSTART, "kubeVersion": "1.35", "featureGates": {"DRAPartitionableDevices": True}}
    _open(page, fragment({**world, "view": "selectors", "unknown": [1]}))
    _expect_status(page, "3 pods with devices")
    assert page.locator("#files [role=tab]").all_inner_texts() == [file["name"] for file in _QUICKSTART]
    assert page.locator("#minor").input_value() == "1.35"
    assert page.locator("#gates-summary").inner_text() == "Feature gates (1 override)"
    playwright.expect(page.locator("#views-selectors")).to_have_attribute("aria-selected", "true")
    page.locator("#views-why").click()
    playwright.expect(page).to_have_url(re.compile(r"#v1\."))
    page.wait_for_timeout(300)
    assert world_in(page.url) == {**world, "view": "why"}


def test_files_can_be_added_renamed_and_removed(shared: Page) -> None:
    page = shared
    _open(page, fragment({"files": [_BROKEN]}))
    _expect_status(page, "9 errors")
    page.get_by_role("button", name="New file").click()
    page.keyboard.type("kind: [")
    playwright.expect(page.locator("#files-1")).to_contain_text("1", timeout=30_000)
    page.get_by_label("File name").fill("mine.yaml")
    page.keyboard.press("Enter")
    playwright.expect(page.get_by_role("button", name="mine.yaml:1")).to_be_visible(timeout=30_000)
    page.locator("#files-0").click()
    page.get_by_role("button", name="Remove file").click()
    playwright.expect(page.locator("#files [role=tab]")).to_have_count(1)
    assert page.locator("#editor").input_value() == "kind: ["
    assert page.get_by_role("button", name="Remove file").is_disabled()


def test_texts_that_are_too_large_have_a_message_and_no_link(shared: Page) -> None:
    page = shared
    _open(page, fragment({"files": [_BROKEN]}))
    _expect_status(page, "9 errors")
    page.evaluate("editor.value = '#'.repeat(1100000); editor.dispatchEvent(new Event('input'))")
    _expect_problem(page, "Files: all files together must have at most 1,048,576 characters")
    assert page.get_by_role("button", name="Copy link").is_disabled()
    assert "#" not in page.url


def test_line_numbers_follow_the_text(shared: Page) -> None:
    page = shared
    lines = "# line\n" * 5000
    _open(page, fragment({"files": [{"name": "long.yaml", "text": f"{lines}kind: ["}]}))
    _expect_status(page, "1 error")
    assert page.locator("#numbers").inner_text().startswith("1\n2\n3\n")
    page.get_by_role("button", name=re.compile("long.yaml:5001")).click()
    playwright.expect(page.locator("#numbers")).to_contain_text("5001")
    assert page.locator("#numbers").inner_text().count("\n") < 100
    number = page.locator("#marks .mark").bounding_box()
    area = page.locator("#editor").bounding_box()
    assert number is not None
    assert area is not None
    assert area["y"] <= number["y"] <= area["y"] + area["height"]


def test_minor_and_gates_change_the_results(shared: Page) -> None:
    page = shared
    _open(page, fragment({"files": _QUICKSTART[:1]}))
    _expect_status(page, "0 errors")
    page.locator("#minor").select_option("1.32")
    _expect_status(page, "5 errors")  # which has no resource.k8s.io/v1
    page.locator("#minor").select_option("")
    _expect_status(page, "0 errors")
    page.locator("#gates-summary").click()
    box = page.get_by_label(re.compile("^DRADeviceTaints "))
    box.set_checked(checked=not box.is_checked())
    playwright.expect(page.locator("#gates-summary")).to_contain_text("1 override")
    page.get_by_role("button", name="Use the defaults").click()
    playwright.expect(page.locator("#gates-summary")).to_have_text("Feature gates", timeout=30_000)
    page.locator("#gates-summary").click()


@pytest.mark.parametrize(
    ("world", "message"),
    [
        ({"kubeVersion": "9.9"}, "Kubernetes version: unsupported Kubernetes minor '9.9'"),
        ({"featureGates": {"NoGate": True}}, "Feature gates: unknown feature gate NoGate"),
    ],
)
def test_a_server_that_there_is_not_has_a_message(
    shared: Page, world: dict[str, object], message: str
) -> None:
    _open(shared, fragment({"files": _QUICKSTART, **world}))
    _expect_problem(shared, message)
    assert shared.locator("#editor").input_value() == _QUICKSTART[0]["text"]
    _open(shared, fragment({"files": _QUICKSTART}))
    _expect_status(shared, "3 pods with devices")
    playwright.expect(shared.locator("#problem")).to_be_hidden()


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("#v2.abc", "the link does not start with #v1."),
        ("#v1.$$$", "characters that are not base64url"),
        ("#v1.A", "cut off or damaged"),
        (fragment({"files": _QUICKSTART})[:-40], "cut off or damaged"),
        (deflated(b"\xff\xfe"), "cut off or damaged"),
        (deflated(b"files"), "does not hold JSON"),
        (deflated(b" " * (200 << 20)), "holds more than 1 MiB"),
        (fragment([]), "no list of files"),
        (fragment({"files": "x"}), "no list of files"),
        (fragment({"files": [{"name": 1, "text": ""}]}), "must have a name and text"),
        (fragment({"files": [{"name": "", "text": ""}] * 51}), "more than 50 files"),
        (fragment({"files": [], "kubeVersion": {}}), "kubeVersion of the link must be a string"),
        (fragment({"files": [], "featureGates": {"a": 1}}), "featureGates of the link must be true or false"),
    ],
    ids=lambda value: None if value.startswith("#") else value.replace(" ", "-"),
)
def test_a_bad_link_has_a_message_and_the_page_stays(shared: Page, link: str, message: str) -> None:
    _open(shared, "")
    _open(shared, link)
    _expect_problem(shared, message)
    assert shared.locator("#editor").input_value() != ""


def test_nothing_of_a_hostile_link_runs(browser: Browser, url: str) -> None:
    page = browser.new_page()
    troubles = _watch(page, url)
    manifests = json.dumps(
        [
            {"apiVersion": HOSTILE, "kind": HOSTILE, "metadata": {"name": HOSTILE}},
            {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": HOSTILE}},
        ]
    )
    pods = "\n---\n".join(
        file["text"].replace("train", json.dumps(HOSTILE)[1:-1].replace('"', "'")) for file in _QUICKSTART
    )
    slices = _QUICKSTART[0]["text"].replace("node-a", f"'{HOSTILE}'")
    texts = (HOSTILE, manifests, pods, slices, _QUICKSTART[0]["text"])
    files = [{"name": f"{HOSTILE}{index}", "text": text} for index, text in enumerate(texts)]
    gates = {HOSTILE: True}
    page.goto(
        url + fragment({"files": files, "featureGates": gates, "kubeVersion": HOSTILE, "view": HOSTILE})
    )
    playwright.expect(page.locator("#problem")).to_contain_text("Kubernetes version", timeout=SLOW)
    page.locator("#minor").select_option("")
    _expect_problem(page, "unknown feature gate </script>")
    page.locator("#gates-summary").click()
    page.get_by_role("button", name="Use the defaults").click()
    _expect_status(page, "errors")
    for name in ("findings", "placements", "why", "selectors", "picture"):
        _view(page, name)
    assert HOSTILE in _view(page, "findings").inner_text()
    assert page.evaluate("window.ran === undefined")
    assert page.locator("main script, main img").count() == 0
    assert troubles == []
    page.close()


def test_the_second_visit_needs_no_server(browser: Browser, playground: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    with served(playground) as url:
        page.goto(url)
        _expect_status(page, "3 pods with devices", SLOW)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto(url + fragment({"files": [_BROKEN]}))
    page.reload()
    _expect_status(page, "9 errors", SLOW)
    context.close()


@pytest.fixture
def impatient(browser: Browser, url: str) -> Iterator[Page]:
    """A page with a worker that hangs or breaks if told to, and less patience."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route("**/worker.js", lambda route: route.fulfill(body=_WORKER, content_type="text/javascript"))

    def hurried(text: str) -> str:
        return text.replace("20_000", "3_000").replace("2_000", "500")

    page.route(
        "**/engine.js",
        lambda route: route.fulfill(body=hurried(route.fetch().text()), content_type="text/javascript"),
    )
    page.goto(url)
    _expect_problem(page, "answered #")
    yield page
    context.close()


def test_a_run_that_takes_too_long_is_stopped(impatient: Page) -> None:
    impatient.locator("#editor").fill("hang")
    _expect_problem(impatient, "The run took more than 3 seconds and was stopped")
    _expect_status(impatient, "No results.")
    impatient.locator("#editor").fill("next")
    _expect_problem(impatient, "answered next")


def test_a_newer_run_replaces_one_that_hangs(impatient: Page) -> None:
    impatient.locator("#editor").fill("hang")
    impatient.wait_for_timeout(400)
    impatient.locator("#editor").fill("newer")
    _expect_problem(impatient, "answered newer")
    assert "stopped" not in impatient.locator("#problem").inner_text()


def test_a_run_that_breaks_python_has_a_message(impatient: Page) -> None:
    impatient.locator("#editor").fill("break")
    _expect_problem(impatient, "dractl stopped: MemoryError")
    impatient.locator("#editor").fill("again")
    _expect_problem(impatient, "answered again")


def test_a_browser_without_python_has_a_message(browser: Browser, url: str) -> None:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.route("**/pyodide.asm.wasm.packed", lambda route: route.fulfill(status=404))
    page.goto(url)
    playwright.expect(page.locator("#problem")).to_contain_text("dractl cannot start", timeout=SLOW)
    context.close()


def test_all_can_be_reached_with_the_keyboard(shared: Page) -> None:
    page = shared
    page.goto(page.url.partition("#")[0])
    page.reload()
    _expect_status(page, "3 pods with devices", SLOW)
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", reached[-1]
    assert reached == [
        "skip",
        "minor",
        "example",
        "link",
        "gates-summary",
        "files-0",
        "add-file",
        "file-name",
        "remove-file",
        "editor",
        "views-placements",
        "view-panel",
    ]
    page.locator("#views-placements").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "views-why"
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.id") == "views-picture"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "views-findings"
    snapshot = page.locator("body").aria_snapshot()
    for part in (
        "- banner:",
        "- main:",
        "- contentinfo:",
        "- status:",
        '- tablist "Files"',
        '- tablist "Results"',
        "- tabpanel",
        '- textbox "YAML of the file"',
        '- combobox "Kubernetes"',
    ):
        assert part in snapshot


_CONTRASTS = """() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([red, green, blue]) => [red, green, blue].map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const found = channels(getComputedStyle(at).backgroundColor);
      if (found.length < 4 || found[3] === 1) return found;
    }
    return channels(getComputedStyle(document.documentElement).backgroundColor);
  };
  const texts = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility() &&
    !element.disabled && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return texts.map((element) => {
    const [one, other] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
    return [(Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05), element.outerHTML.slice(0, 80)];
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_all_texts_can_be_read(shared: Page, scheme: str, width: int) -> None:
    page = shared
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 900})
    _open(page, fragment({"files": [_BROKEN, *_QUICKSTART], "featureGates": {"NoGate": False}}))
    _expect_problem(page, "unknown feature gate")
    _open(page, fragment({"files": [_BROKEN, *_QUICKSTART], "kubeVersion": "1.36"}))
    _expect_status(page, "9 errors")
    for view in ("findings", "placements", "why", "selectors"):
        _view(page, view)
        page.wait_for_timeout(200)
        contrasts = page.evaluate(_CONTRASTS)
        assert len(contrasts) > 20
        assert [found for found in contrasts if found[0] < 4.5] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})
