"""Runs one command and writes what it cost as JSON: ``python launch.py OUTPUT COMMAND...``.

The peak memory that Linux reports of a process is at least that of the process that started it. So this one
starts commands, and loads nothing.
"""

import os
import sys


def main() -> None:
    """Run the command with ``OUTPUT`` as its standard output."""
    output, *command = sys.argv[1:]
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, f"{output}.err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
    _, status, used = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f'{{"code": {code}, "cpu": {cpu}, "memory": {memory}}}')


main()
