"""Links to the playground in the pages of the site: each opens what its page shows."""

from __future__ import annotations

import re

import pytest

import dractl
from dractl.advisories.table import advisories
from dractl.api import gates, release
from dractl.sharing.fragment import SharedFile, SharedWorld, decode
from tests.advisories.outcomes import outcome
from tests.paths import ROOT
from tools.site.try_it import block_world, link, rule_worlds, with_links

LINK = re.compile(r'<a class="try-it" href="((?:\.\./)*)play/#([^"]+)">Try it</a>')
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def worlds(text: str) -> list[SharedWorld]:
    """The worlds of all links of a page."""
    return [decode(fragment) for _, fragment in LINK.findall(text)]


def test_each_example_of_the_docs_has_a_link_that_opens_its_text() -> None:
    linked = 0
    for page in PAGES:
        text = with_links(page.read_text(encoding="utf-8"), 2)
        for block, fragment in re.findall(
            r'^```yaml\n((?:(?!```).*\n)+)```\n\n<a class="try-it" href="../../play/#([^"]+)"',
            text,
            re.MULTILINE,
        ):
            world = decode(fragment)
            assert [file.text for file in world.files] == [block]
            report = dractl.validate(block, kube_version=world.kube_version)
            assert "document/skipped" not in {finding.rule for finding in report.findings}
            linked += 1
        blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        of_dra = [block for block in blocks if re.match(r"(#.*\n)?apiVersion: ", block) and "k8s.io" in block]
        assert text.count("Try it</a>") >= len(of_dra), page
    assert linked > 5


def test_a_block_is_named_after_its_file() -> None:
    text = (ROOT / "docs" / "how-to" / "partitions.md").read_text(encoding="utf-8")
    (world,) = worlds(with_links(text, 2))
    assert [file.name for file in world.files] == ["gpus.yaml"]


@pytest.mark.parametrize(
    ("text", "minor"),
    [
        ("apiVersion: resource.k8s.io/v1\nkind: DeviceClass\n", str(release.NEWEST)),
        ("apiVersion: resource.k8s.io/v1alpha3\nkind: DeviceClass\n", "1.33"),
        ("apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClass\n", "1.30"),
        ("apiVersion: v1\nkind: Pod\n", None),
        ("apiVersion: resource.k8s.io/v9\nkind: DeviceClass\n", None),
        ("dractl:\n  script: []\n", None),
        ("a: [\n", None),
    ],
)
def test_a_block_is_for_the_newest_minor_that_has_its_kinds(text: str, minor: str | None) -> None:
    world = block_world(text, "a.yaml")
    assert (None if world is None else world.kube_version) == minor


def test_each_advisory_has_a_link_that_shows_the_fault() -> None:
    text = with_links((ROOT / "docs" / "advisories.md").read_text(encoding="utf-8"), 1)
    found = {world.files[0].name.removesuffix(".yaml"): world for world in worlds(text)}
    assert sorted(found) == [advisory.id for advisory in advisories()]
    for advisory in advisories():
        world = found[advisory.id]
        server = gates.resolve(release.parse(world.kube_version), world.feature_gates)
        assert outcome(world.files[0].text, server) == advisory.before, advisory.id
        assert world.view == ("why" if any("Pending" in line for line in advisory.before) else "placements")


def test_a_link_to_a_rule_opens_an_example_that_reports_it() -> None:
    for rule in (
        "request/name",
        "across/class-missing",
        "decode/syntax",
        "simulate/ignored",
        "admin/namespace",
    ):
        (world,) = rule_worlds(rule).values()
        run = dractl.simulate if world.view == "placements" else dractl.validate
        found = run([world.files[0].text], kube_version=world.kube_version, feature_gates=world.feature_gates)
        assert rule in {name for each in found.findings for name in (each.rule, each.narrowest)}


def test_what_needs_an_earlier_state_has_no_link() -> None:
    for rule in ("claim/update-spec", "alloc/device", "update/gone"):
        assert rule_worlds(rule) == {}


def test_a_link_leads_to_the_playground_of_the_same_site() -> None:
    world = SharedWorld((SharedFile("a.yaml", "kind: Pod\n"),))
    assert link(world, 0).startswith('<a class="try-it" href="play/#v1.')
    assert link(world, 2).startswith('<a class="try-it" href="../../play/#v1.')
    noise = "".join(f"{number * 7919 % 100_003}\n" for number in range(20_000))
    assert link(SharedWorld((SharedFile("a.yaml", noise),)), 0) == ""
