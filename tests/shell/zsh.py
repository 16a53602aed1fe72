"""The completion script for zsh, to be evaluated or put into a folder of ``fpath``."""

from __future__ import annotations

from collections.abc import Iterator

from tests.shell.model import Command, Option, Value, commands, word_lists

__all__ = ["script"]

_HEAD = """\
#compdef dractl
# Completion of dractl for zsh, as dractl completion zsh prints it.

"""
_TAIL = """
if [[ "${funcstack[1]}" == _dractl ]]; then
  _dractl "$@"
else
  compdef _dractl dractl
fi
"""
_REFS = """\
_dractl_refs() {
  local -a words
  words=(${(f)"$(git for-each-ref --format='%(refname:short)' 2> /dev/null)"})
  compadd "$@" -a words
}

"""


def script() -> str:
    """The text of ``dractl completion zsh``."""
    return "".join((_HEAD, *_functions(), _TAIL))


def _functions() -> Iterator[str]:
    start, *rest = commands()
    lists = word_lists(rest)
    for number, words in enumerate(lists):
        yield f"_dractl_words_{number}() {{\n  local -a words\n  words=({' '.join(words)})\n"
        yield '  compadd "$@" -a words\n}\n\n'
    yield _REFS
    yield "_dractl() {\n  local curcontext=$curcontext state line ret=1\n  typeset -A opt_args\n"
    yield f"  _arguments -C {' '.join(_specs(start, lists))} '1: :->command' '*:: :->arguments' && ret=0\n"
    yield "  case $state in\n    (command)\n      local -a commands\n      commands=(\n"
    for command in rest:
        yield f"        {_quoted(command.name + ':' + command.summary.rstrip('.'))}\n"
    yield "      )\n      _describe -t commands 'dractl command' commands && ret=0\n      ;;\n"
    yield "    (arguments)\n      curcontext=${curcontext%:*:*}:dractl-$line[1]:\n      case $line[1] in\n"
    for command in rest:
        argument = f"'*: :{_action(command.argument, lists)}'"
        specs = " \\\n            ".join([*_specs(command, lists), argument])
        yield f"        ({command.name})\n          _arguments -s \\\n            {specs} && ret=0\n"
        yield "          ;;\n"
    yield "      esac\n      ;;\n  esac\n  return ret\n}\n"


def _specs(command: Command, lists: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    for option in command.options:
        for name in option.names:
            yield _quoted(_spec(option, name, lists))


def _spec(option: Option, name: str, lists: tuple[tuple[str, ...], ...]) -> str:
    text = _escaped(option.text).replace("[", r"\[").replace("]", r"\]")
    if option.value is None:
        return f"({' '.join(option.names)}){name}[{text}]"
    stands_for = _escaped(option.metavar) or " "
    repeated = "*" if option.is_repeatable else ""
    return f"{repeated}{name}=[{text}]:{stands_for}:{_action(option.value, lists)}"


def _action(value: Value, lists: tuple[tuple[str, ...], ...]) -> str:
    return {
        "words": f"_dractl_words_{lists.index(value.words)}" if value.words else " ",
        "list": f"_sequence _dractl_words_{lists.index(value.words)}" if value.words else " ",
        "path": '_files -g "*.(yaml|yml|json)(-.)"',
        "file": "_files",
        "folder": "_files -/",
        "ref": "_dractl_refs",
        "none": " ",
    }[value.kind]


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace(":", r"\:")


def _quoted(text: str) -> str:
    inner = text.replace("'", r"'\''")
    return f"'{inner}'"
