"""``dractl possible``: what it says of pools that do not exist."""

from __future__ import annotations

import pytest

from dractl.cli.cluster.possible import possible
from dractl.cli.cluster_options import PossibleOptions
from tests.paths import ROOT

EXAMPLES = ROOT / "testdata" / "examples"


@pytest.mark.parametrize(
    ("path", "driver", "pool", "said"),
    [
        (
            "quickstart",
            "gpu",
            None,
            "--driver: no pool of driver gpu; choose from gpu.example.com, nic.example.com",
        ),
        ("quickstart", "gpu.exmple.com", None, "did you mean gpu.example.com?"),
        ("quickstart", None, "node-aa", "--pool: no pool node-aa; did you mean node-a?"),
        (
            "quickstart",
            "nic.example.com",
            "x",
            "--pool: no pool x of driver nic.example.com; the only one is node-a",
        ),
        ("pending.yaml", None, "node-a", "no pools in the input"),
    ],
)
def test_an_unknown_pool_gets_the_known_ones(
    path: str, driver: str | None, pool: str | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert possible(PossibleOptions([str(EXAMPLES / path)], driver=driver, pool=pool)) == 2
    assert said in capsys.readouterr().err
