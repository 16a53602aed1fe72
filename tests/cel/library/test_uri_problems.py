"""Why a text is no URI. The sentences are those of the real evaluator."""

from __future__ import annotations

from dractl.cel.library.uri import is_request_uri
from dractl.cel.library.uri_problems import problem_of
from tests.rows import each_row

SAYS: list[tuple[str, str]] = [
    ("", "empty url"),
    ("a", "invalid URI for request"),
    ("?a", "invalid URI for request"),
    (":a", "missing protocol scheme"),
    ("\x01", "net/url: invalid control character in URL"),
    ("http://a b", 'invalid character " " in host name'),
    ("http://u@a b/", 'invalid character " " in host name'),
    ("http://<>/é^", ""),
    ("http://é^", 'invalid character "^" in host name'),
    ("http://[::1", "missing ']' in host"),
    ("http://a[b]", "invalid IP-literal"),
    ("http://[::1]a", 'invalid port "a" after host'),
    ("http://[a]", 'invalid host: ParseAddr("a"): unable to parse IP'),
    ("http://a:b", 'invalid port ":b" after host'),
    ("http://a:1:2", 'invalid port ":1:2" after host'),
    ("x://a:1:2", ""),
    ("http://%zz/", 'invalid URL escape "%zz"'),
    ("http://%41/", 'invalid URL escape "%41"'),
    ("http://u%zz@a/", 'invalid URL escape "%zz"'),
    ("http://u^@a/", "net/url: invalid userinfo"),
    ("/%z", 'invalid URL escape "%z"'),
    ("//a%", 'invalid URL escape "%"'),
]


@each_row(("text", "reason"), SAYS)
def test_the_sentences_are_those_of_go(text: str, reason: str) -> None:
    assert is_request_uri(text) == (not reason)
    if reason:
        shown = text.replace("\x01", "\\x01")
        assert problem_of(text) == f'parse "{shown}": {reason}'


def test_the_text_is_quoted() -> None:
    assert problem_of('a"\\') == 'parse "a\\"\\\\": invalid URI for request'
