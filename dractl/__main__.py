"""``python -m dractl`` is ``dractl``."""

from dractl.cli.app import main

main()
