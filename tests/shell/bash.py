"""The completion script for bash, 3.2 (of macOS) and later."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from tests.shell.model import Command, Value, commands

__all__ = ["script"]

_HEAD = r"""# Completion of dractl for bash, as dractl completion bash prints it.

_dractl() {
  local IFS=$' \t\n'
  local line=${COMP_LINE:0:COMP_POINT} command option='' kind='' values='' options='' lead=''
  local -a words
  # Not COMP_WORDS: bash also splits words at = and :
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words[${#words[@]}]=''
  local count=${#words[@]}
  local full=${words[count-1]}
  local word=$full
  command=${words[1]}
"""
_TAIL = r"""
  COMPREPLY=()
  if [[ -z $option && -n $options && $word == -* ]]; then
    kind=words values=$options
  fi
  case $kind in
    list)
      [[ $word == *,* ]] && lead+=${word%,*}, word=${word##*,}
      ;;
    ref)
      values=$(git for-each-ref --format='%(refname:short)' 2> /dev/null)
      ;;
  esac
  local found
  case $kind in
    words | list | ref)
      found=$(compgen -W "$values" -- "$word")
      ;;
    path)
      compopt -o filenames 2> /dev/null
      found=$(
        compgen -d -- "$word"
        compgen -f -X '!*.yaml' -- "$word"
        compgen -f -X '!*.yml' -- "$word"
        compgen -f -X '!*.json' -- "$word"
      )
      ;;
    file)
      compopt -o filenames 2> /dev/null
      found=$(compgen -f -- "$word")
      ;;
    folder)
      compopt -o filenames 2> /dev/null
      found=$(compgen -d -- "$word")
      ;;
  esac
  # bash replaces only what follows the last = or :
  local begun=${full%"${full##*[=:]}"} each
  while read -r each; do
    each=$lead$each
    [[ -n ${each#"$lead"} ]] && COMPREPLY[${#COMPREPLY[@]}]=${each#"$begun"}
  done <<< "$found"
}

complete -F _dractl dractl
"""


def script() -> str:
    """The text of ``dractl completion bash``."""
    return "".join((_HEAD, *_cases(), _TAIL))


def _cases() -> Iterator[str]:
    start, *rest = commands()
    first = " ".join([*(each.name for each in rest), *_names(start)])
    yield f"  if (( count <= 2 )); then\n    kind=words values={shlex.quote(first)}\n  else\n"
    yield "    if [[ $word == --*=* ]]; then\n      option=${word%%=*} lead=${word%%=*}= word=${word#*=}\n"
    yield "    elif [[ ${words[count-2]} == -* ]]; then\n      option=${words[count-2]}\n    fi\n"
    taken: dict[Value, list[str]] = {}
    for command in rest:
        for option in command.options:
            if option.value is not None:
                taken.setdefault(option.value, []).extend(f"{command.name}:{name}" for name in option.names)
    yield '    case "$command:$option" in\n'
    for value, places in taken.items():
        yield f"      {' | '.join(places)})\n        {_assigned(value)}\n        ;;\n"
    yield "      *)\n        option=''\n        ;;\n    esac\n"
    yield "    if [[ -z $option ]]; then\n      case $command in\n"
    for command in rest:
        options = shlex.quote(" ".join(_names(command)))
        yield f"        {command.name})\n          options={options}\n"
        yield f"          {_assigned(command.argument)}\n          ;;\n"
    yield "      esac\n    fi\n  fi\n"


def _names(command: Command) -> list[str]:
    return [name for option in command.options for name in option.names if name.startswith("--")]


def _assigned(value: Value) -> str:
    return f"kind={value.kind} values={shlex.quote(' '.join(value.words))}"
