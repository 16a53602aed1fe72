"""Reference pages made from what dractl itself prints: commands, rules, gates, documents, Python."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from dractl.api import release
from tests.output import printed
from tests.paths import ROOT
from tools.site.try_it import link, rule_worlds

__all__ = ["pages", "toctree"]

Rule = Mapping[str, object]
_SECTION = re.compile(r"^## `dractl ([a-z]+)`\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ABBREVIATED = re.compile(r"<\d+ times ")


def pages() -> dict[str, str]:
    """Every page of the reference by its path under the site's folder ``reference``."""
    found = {
        **_commands(),
        **_rules(),
        "gates.md": _gates(),
        "documents.md": _documents(),
        "python.md": _PYTHON,
    }
    return {**found, "index.md": _index(found)}


def _index(found: Mapping[str, str]) -> str:
    names = [name.removesuffix(".md") for name in found]
    lists = {
        "Commands": sorted(name for name in names if name.startswith("commands/")),
        "Rules": sorted(name for name in names if name.startswith("rules/")),
        "Tables": [name for name in names if "/" not in name],
    }
    return "# Reference\n\nGenerated from dractl itself.\n\n" + "".join(
        toctree(caption, listed) for caption, listed in lists.items()
    )


def toctree(caption: str, names: list[str]) -> str:
    """The directive that lists pages, by their paths without suffix, in the navigation."""
    listed = "\n".join(names)
    return f"```{{toctree}}\n:caption: {caption}\n:maxdepth: 1\n\n{listed}\n```\n\n"


# Commands.


def _commands() -> dict[str, str]:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    return {f"commands/{name}.md": _command(name, section) for name, section in _SECTION.findall(text)}


def _command(name: str, section: str) -> str:
    # The page is two folders away from the one that its links start in.
    section = re.sub(r"\]\((?!https?:|#|\.\./)", "](../../docs/", section)
    section = re.sub(r"\]\(\.\./(?!\.\./)", "](../../", section)
    section = re.sub(r"\]\(#", "](../../docs/commands.md#", section)
    shown = printed(name, "--help").strip("\n")
    block = f"```console\n$ dractl {name} --help\n{shown}\n```"
    return f"# dractl {name}\n\n{section.strip()}\n\n## Help text\n\n{block}\n"


# Rules.


def _rules() -> dict[str, str]:
    groups: defaultdict[str, list[Rule]] = defaultdict(list)
    for rule in json.loads(printed("rules", "--format", "json"))["rules"]:
        groups[rule["id"].partition("/")[0]].append(rule)
    return {f"rules/{name}.md": _group(name, rules) for name, rules in groups.items()}


def _group(name: str, rules: list[Rule]) -> str:
    kinds = sorted({kind for rule in rules for kind in _texts(rule["kinds"])})
    head = f"# {name}\n\n{len(rules)} {'rule' if len(rules) == 1 else 'rules'} for {', '.join(kinds)}.\n\n"
    rows = "".join(map(_row, rules))
    table = f"| rule | severity | summary |\n|---|---|---|\n{rows}\n"
    return head + table + "\n".join(map(_rule, rules))


def _row(rule: Rule) -> str:
    name = str(rule["id"])
    return f"| [`{name}`](#{_anchor(name)}) | {rule['severity']} | {_cell(str(rule['summary']))} |\n"


def _rule(rule: Rule) -> str:
    return "\n".join(_rule_lines(rule)) + "\n"


def _rule_lines(rule: Rule) -> Iterator[str]:
    yield f"({_anchor(str(rule['id']))})=\n## {rule['id']}\n"
    history = rule["history"]
    assert isinstance(history, list)
    worlds = rule_worlds(str(rule["id"]))
    for number, part in enumerate(history):
        if number == 0 or part["explanation"] != history[number - 1]["explanation"]:
            yield f"{part['summary']}\n\n{part['explanation']}\n"
        yield f"- Severity: {rule['severity']}; kinds: {', '.join(_texts(rule['kinds']))}"
        yield f"- Minors: {_minors(part)}{_gates_of(part)}"
        if part["places"]:
            yield f"- Fields: {', '.join(f'`{place}`' for place in part['places'])}"
        if part["upstream"]:
            yield f"- Kubernetes source: `{part['upstream']}`"
        yield ""
        for position, example in enumerate(part["examples"]):
            # A list of a thousand entries is abbreviated, which no YAML lexer reads.
            language = "text" if _ABBREVIATED.search(example["yaml"]) else "yaml"
            verdict = "Good" if example["good"] else "Bad"
            yield f"{verdict}:\n\n```{language}\n{example['yaml'].rstrip()}\n```\n"
            if (number, position) in worlds:
                yield f"{link(worlds[number, position], depth=2)}\n"
    see = _texts(rule["seeAlso"])
    if see:
        yield "See also " + ", ".join(f"{{ref}}`{other} <{_anchor(other)}>`" for other in see) + ".\n"


def _minors(part: Mapping[str, object]) -> str:
    since, until = part["since"], part["until"]
    if until is None:
        return "all" if since is None else f"{since} and newer"
    return f"up to {until}" if since is None else f"{since} to {until}"


def _gates_of(part: Mapping[str, object]) -> str:
    words = {"gate": "needs", "onlyWith": "only with", "onlyWithout": "only without"}
    return "".join(f"; {word} `{part[key]}`" for key, word in words.items() if part[key])


def _anchor(rule: str) -> str:
    return f"rule-{rule.replace('/', '-')}"


def _texts(value: object) -> list[str]:
    assert isinstance(value, list)
    return [str(entry) for entry in value]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# Gates and documents.


def _gates() -> str:
    purpose: dict[str, str] = {}
    spans: defaultdict[str, list[list[str]]] = defaultdict(list)
    for minor in map(str, release.KNOWN):
        for gate in json.loads(printed("gates", "--kube-version", minor, "--format", "json"))["gates"]:
            needs = f"; needs {', '.join(gate['dependsOn'])}" if gate["dependsOn"] else ""
            purpose[gate["name"]] = f"{gate['purpose']}{needs}"
            default = "on" if gate["default"] else "off"
            state = f"{gate['stage']}, {default}{' and locked' if gate['locked'] else ''}"
            entries = spans[gate["name"]]
            if entries and entries[-1][0] == state:
                entries[-1][2] = minor
            else:
                entries.append([state, minor, minor])
    rows = "".join(
        f"| `{name}` | {'<br>'.join(map(_span, spans[name]))} | {_cell(purpose[name])} |\n"
        for name in sorted(spans)
    )
    return (
        "# Feature gates\n\nStage and default of each gate that affects DRA, by minor. Override gates with "
        f"`--feature-gates`.\n\n| gate | default | purpose |\n|---|---|---|\n{rows}"
    )


def _span(entry: list[str]) -> str:
    state, first, last = entry
    return f"{first if first == last else f'{first} to {last}'}: {state}"


def _documents() -> str:
    text = "# Documents\n\nThe JSON documents that dractl reads and prints, with their JSON Schemas.\n\n"
    text += "| document | what it is | schema |\n|---|---|---|\n"
    for path in sorted((ROOT / "schemas" / "documents").glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        name = "/".join(path.stem.rsplit(".", 1))
        meaning = _cell(schema.get("description") or schema.get("title") or "")
        text += f"| `{name}` | {meaning} | [{path.name}](../schemas/documents/{path.name}) |\n"
    return text


_PYTHON = """# Python API

[Use dractl from Python](../docs/python.md) explains the functions by example. Signatures and docstrings:

```{eval-rst}
.. automodule:: dractl
   :members:
   :imported-members:
```

## Findings

```{eval-rst}
.. automodule:: dractl.finding
   :members:
   :exclude-members: Finding
```

## Simulation results

```{eval-rst}
.. automodule:: dractl.simulation.pods.outcome
   :members:
```

## Conversion results

```{eval-rst}
.. automodule:: dractl.conversion.result
   :members:
   :exclude-members: Conversion
```
"""
