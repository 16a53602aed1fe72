"""A server for the playground that tests can stop, and fragments as Python writes them."""

from __future__ import annotations

import base64
import functools
import http.server
import json
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self'; connect-src 'self'; worker-src 'self'; frame-src blob:"
)
"""For all files, so that it also holds in the worker, which a policy in the page does not reach."""


class _Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


class _Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Print nothing: a browser may leave before a file ends."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine under the URL that is yielded."""
    handler = functools.partial(_Handler, directory=str(folder))
    with _Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def deflated(content: bytes) -> str:
    """The fragment of these bytes, whatever they are."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    return "#v1." + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def fragment(world: object) -> str:
    """The fragment of a world, or of another JSON value."""
    return deflated(json.dumps(world, ensure_ascii=False, separators=(",", ":")).encode())


def world_in(url: str) -> object:
    """The world in the fragment of a URL."""
    text = url.partition("#v1.")[2]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), -15))
