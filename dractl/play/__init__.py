"""Answers of the playground: what a page in a browser asks of dractl, as plain data."""

from dractl.play.run import run, run_text

__all__ = ["run", "run_text"]
