"""Links from examples to the playground, made when the site is built so that the pages stay readable.

A link is made only where the playground shows what the page says: each world is tried first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

import dractl
from dractl.admission.framework.rule import Rule
from dractl.advisories.table import Advisory, advisories
from dractl.api import release
from dractl.lint.base.lint_rule import OwnRule
from dractl.lint.pages import page_of
from dractl.sharing.fragment import SharedFile, SharedWorld, View, encode
from dractl.source.document import Document
from dractl.source.dump import printed
from dractl.source.load import load_text
from dractl.versions.table import tables
from tests.admission.excerpts import Case, cases_of_rule

__all__ = ["advisory_world", "block_world", "link", "rule_worlds", "with_links"]

_PLAYGROUND = "play/"
_NAME = "example.yaml"
_LONGEST = 30_000
_AFTER = "\n---\n# after\n"
_NEWEST_FIRST = (release.NEWEST, *(minor for minor in reversed(release.KNOWN) if minor != release.NEWEST))
_BLOCK = re.compile(
    r"(?:^<!-- file: (?P<file>\S+) -->\n)?^```yaml\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
_ADVISORY = re.compile(r"^## `(?P<id>[a-z0-9-]+)`\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_OF_ADVISORIES = "<!-- advisories: "


def link(world: SharedWorld, depth: int) -> str:
    """The link to the playground of the same site, from a page so many folders deep; empty if too long."""
    address = f"{'../' * depth}{_PLAYGROUND}#{encode(world)}"
    return f'<a class="try-it" href="{address}">Try it</a>' if len(address) <= _LONGEST else ""


def with_links(text: str, depth: int) -> str:
    """A page of the docs with a link behind each YAML block of DRA manifests, and in each advisory."""

    def of_block(block: re.Match[str]) -> str:
        world = block_world(block["text"], (block["file"] or _NAME).rpartition("/")[2])
        return block[0] if world is None else f"{block[0]}\n\n{link(world, depth)}"

    def of_advisory(section: re.Match[str]) -> str:
        found = {advisory.id: advisory for advisory in advisories()}[section["id"]]
        return f"{section[0].rstrip()}\n\n{link(advisory_world(found), depth)}\n\n"

    text = _BLOCK.sub(of_block, text)
    return _ADVISORY.sub(of_advisory, text) if _OF_ADVISORIES in text else text


def block_world(text: str, name: str) -> SharedWorld | None:
    """A YAML block as the world of a link, for the newest minor that has its kinds; None for other YAML."""
    kinds = set()
    for document in load_text(text):
        value: object = document.value if isinstance(document, Document) else None
        if not isinstance(value, dict) or not {"apiVersion", "kind"} <= value.keys():
            return None
        if str(value["apiVersion"]).startswith("resource.k8s.io/"):
            kinds.add((str(value["apiVersion"]), str(value["kind"])))
    having = (minor for minor in _NEWEST_FIRST if kinds <= tables(minor).kinds.keys())
    minor = next(having, None) if kinds else None
    return None if minor is None else SharedWorld((SharedFile(name, text),), str(minor), {}, "findings")


def advisory_world(advisory: Advisory) -> SharedWorld:
    """The manifests that show a fault, in the newest release that has it."""
    minor = release.at(advisory.affected[-1].last)
    waits = any(" is Pending " in line for line in advisory.before)
    files = (SharedFile(f"{advisory.id}.yaml", advisory.reproduction),)
    gates = advisory.gates_in(minor).overrides
    return SharedWorld(files, minor.version, gates, "why" if waits else "placements")


@cache
def rule_worlds(rule: str) -> Mapping[tuple[int, int], SharedWorld]:
    """The worlds of the bad examples of a rule that report it, by the number of the row and the example."""
    found = {}
    for number, row in enumerate(page_of(rule).rows):
        for position, example in enumerate(row.examples()):
            if not example.good:
                world = next((each for each in _candidates(row, position) if _reports(each, rule)), None)
                if world is not None:
                    found[number, position] = world
    return found


def _candidates(row: Rule, position: int) -> Iterator[SharedWorld]:
    """The worlds that an example may mean: a whole text in each minor, an excerpt as it is tried by tests."""
    if not isinstance(row, OwnRule):
        case = list(cases_of_rule(row))[position]
        if case.old is None:
            gates = case.gates
            yield SharedWorld((SharedFile(_NAME, _manifests(case)),), str(case.minor), gates, "findings")
        return
    text = list(row.examples())[position].expanded_text
    if _AFTER in f"\n{text}":
        return
    views: tuple[View, ...] = ("findings", "placements")
    for view in views:
        for minor in _NEWEST_FIRST:
            yield SharedWorld((SharedFile(_NAME, text),), str(minor), {}, view)


def _manifests(case: Case) -> str:
    spaces = [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
        for name, labels in case.namespaces.items()
    ]
    return "---\n".join(map(printed, (*spaces, case.manifest)))


def _reports(world: SharedWorld, rule: str) -> bool:
    """Whether the playground reports the rule in the view of the world."""
    texts = [file.text for file in world.files]
    run = dractl.simulate if world.view == "placements" else dractl.validate
    found = run(texts, kube_version=world.kube_version, feature_gates=world.feature_gates)
    return any(rule in (finding.rule, finding.narrowest) for finding in found.findings)
