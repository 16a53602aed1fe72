"""What one small claim costs: CPU time of ``dractl validate`` beside ``kubernetes-validate --strict``.

    python benchmarks/start.py [--runs N]

kubernetes-validate is installed into a virtual environment of its own in a temporary folder, unless
``--peer PATH`` names its command. Both commands run in turn, so that a busy machine slows both; the medians
and the median of the paired ratios are printed. The exit code is 1 if the ratio is above the target.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

TARGET = 0.75
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
"""


def cpu_time(command: list[str]) -> float:
    """The CPU time of one run of ``command``, which must succeed, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Compiled modules and unbuffered output are what a user has.
    environment = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def install_peer(folder: Path) -> Path:
    """kubernetes-validate in a fresh virtual environment below ``folder``; its command."""
    print("installing kubernetes-validate into a temporary environment …", flush=True)
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "pip", "install", "-q", "kubernetes-validate"], check=True)
    return folder / "bin" / "kubernetes-validate"


def main() -> int:
    """Run both commands and print what they cost."""
    parser = argparse.ArgumentParser(
        description="Compare the start of dractl with that of kubernetes-validate."
    )
    parser.add_argument("--runs", type=int, default=21, help="paired runs (default: 21)")
    parser.add_argument("--peer", type=Path, help="the kubernetes-validate command, if it is installed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        claim = folder / "claim.yaml"
        claim.write_text(CLAIM, encoding="utf-8")
        peer = options.peer or install_peer(folder / "peer")
        ours = [str(Path(sys.executable).parent / "dractl"), "validate", str(claim)]
        theirs = [str(peer), "--strict", str(claim)]
        pairs = [(cpu_time(ours), cpu_time(theirs)) for _ in range(options.runs + 1)][1:]
    ratio = statistics.median(one / other for one, other in pairs)
    print(f"dractl validate               {statistics.median(one for one, _ in pairs):6.0f} ms")
    print(f"kubernetes-validate --strict  {statistics.median(other for _, other in pairs):6.0f} ms")
    print(f"ratio {ratio:.2f} (target: at most {TARGET}), {len(pairs)} paired runs")
    return 0 if ratio <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
