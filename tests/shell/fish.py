"""The completion script for fish."""

from __future__ import annotations

from collections.abc import Iterator

from tests.shell.model import Option, Value, commands, word_lists

__all__ = ["script"]

_HEAD = """\
# Completion of dractl for fish, as dractl completion fish prints it.

function __dractl_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and contains -- $words[2] $argv
end

function __dractl_no_command
    test (count (commandline -opc)) -eq 1
end

function __dractl_list
    set -l lead (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '.*,')
    printf '%s\\n' "$lead"$argv
end

"""

_FILES = ("path", "file", "folder")
"""What fish completes by itself."""


def script() -> str:
    """The text of ``dractl completion fish``."""
    return "".join((_HEAD, *_lines()))


def _lines() -> Iterator[str]:
    start, *rest = commands()
    lists = word_lists(rest)
    for number, words in enumerate(lists):
        yield f"function __dractl_words_{number}\n    printf '%s\\n' {' '.join(words)}\nend\n\n"
    yield "complete -c dractl -f\n"
    for option in start.options:
        yield f"complete -c dractl -n __dractl_no_command{_option(option, lists)}\n"
    for command in rest:
        text = _quoted(command.summary.rstrip("."))
        yield f"complete -c dractl -n __dractl_no_command -a {command.name} -d {text}\n"
    for command in rest:
        place = f"complete -c dractl -n '__dractl_command {command.name}'"
        if argument := _taken(command.argument, lists):
            yield f"{place}{argument}\n"
        for option in command.options:
            yield f"{place}{_option(option, lists)}\n"


def _option(option: Option, lists: tuple[tuple[str, ...], ...]) -> str:
    names = "".join(
        f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option.names
    )
    takes = "r" if option.value and option.value.kind in _FILES else "x"
    taken = "" if option.value is None else f" -{takes}{_taken(option.value, lists)}"
    return f"{names}{taken} -d {_quoted(option.text)}"


def _taken(value: Value, lists: tuple[tuple[str, ...], ...]) -> str:
    """What follows: files only where they are wanted, which ``complete -f`` leaves out elsewhere."""
    words = f"(__dractl_words_{lists.index(value.words)})" if value.words else ""
    return {
        "words": f" -a {_quoted(words)}",
        "list": f" -a {_quoted(f'(__dractl_list {words})')}",
        **dict.fromkeys(_FILES, " -F"),
        "ref": """ -a "(git for-each-ref --format='%(refname:short)' 2>/dev/null)\"""",
        "none": "",
    }[value.kind]


def _quoted(text: str) -> str:
    inner = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{inner}'"
