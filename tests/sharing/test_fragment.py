"""The fragment of a link: what goes in comes out, and what strangers write is one plain error."""

from __future__ import annotations

import base64
import json
import re
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dractl.api import budgets
from dractl.sharing.fragment import VIEWS, SharedFile, SharedWorld, ShareError, decode, encode

LIMIT = budgets.SHARED_SIZE.value * 1024 * 1024
FILE = SharedFile("a.yaml", "kind: Pod\n")

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
_NAME = st.sampled_from(["a.yaml", "b/a.yaml", "ä 雪.json", "...a", ".a/-b", "x"])
_WORLDS = st.builds(
    SharedWorld,
    st.lists(
        st.builds(SharedFile, _NAME, _TEXT), min_size=1, max_size=4, unique_by=lambda file: file.name
    ).map(tuple),
    st.sampled_from(["", "1.30", "1.36.1"]),
    st.dictionaries(st.sampled_from(["AllAlpha", "DRAAdminAccess", "X1"]), st.booleans()),
    st.sampled_from(["", *VIEWS]),
)


def packed(data: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    deflated = packer.compress(data) + packer.flush()
    return "v1." + base64.urlsafe_b64encode(deflated).decode().rstrip("=")


def of_document(document: object) -> str:
    return packed(json.dumps(document).encode())


@settings(max_examples=40)
@given(_WORLDS)
def test_a_world_survives_the_link(world: SharedWorld) -> None:
    fragment = encode(world)
    assert re.fullmatch(r"v1\.[A-Za-z0-9_-]+", fragment)
    assert decode(fragment) == decode(f"#{fragment}") == world


@settings(max_examples=40)
@given(st.one_of(st.text(), st.binary().map(packed), st.text(max_size=20).map("v1.".__add__)))
def test_any_text_is_a_world_or_one_plain_error(fragment: str) -> None:
    try:
        decode(fragment)
    except ShareError as error:
        assert str(error).isprintable()


@settings(max_examples=40)
@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.text()),
        lambda inner: st.one_of(
            st.lists(inner),
            st.dictionaries(
                st.sampled_from(["files", "name", "text", "kubeVersion", "featureGates", "view"]), inner
            ),
        ),
    )
)
def test_any_json_is_a_world_or_one_plain_error(document: object) -> None:
    try:
        decode(of_document(document))
    except ShareError as error:
        assert str(error).isprintable()


@settings(max_examples=40)
@given(st.data(), _WORLDS)
def test_a_link_that_was_cut_is_an_error(data: st.DataObject, world: SharedWorld) -> None:
    fragment = encode(world)
    with pytest.raises(ShareError):
        decode(fragment[: data.draw(st.integers(0, len(fragment) - 1))])


def test_the_document_is_compact_json_with_what_was_given() -> None:
    fragment = encode(SharedWorld((SharedFile("ä.yaml", "a: ü"),), "1.36", {"A": False}, "why"))
    data = fragment.removeprefix("v1.")
    raw = zlib.decompress(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4)), -15)
    assert raw.decode() == (
        '{"files":[{"name":"ä.yaml","text":"a: ü"}],"kubeVersion":"1.36","featureGates":{"A":false},'
        '"view":"why"}'
    )
    assert decode(encode(SharedWorld((FILE,)))) == SharedWorld((FILE,), "", {}, "")


@pytest.mark.parametrize(
    ("fragment", "message"),
    [
        ("", "must begin with #v1."),
        ("v2.abc", "made by a newer version"),
        ("v1.a b", "not base64url"),
        ("v1.a+b/", "not base64url"),
        ("v1.YWJj", "damaged"),
        ("v1.a", "damaged"),
        ("v1.", "damaged"),
        ("v1." + "A" * (2 * LIMIT + 1), "longer than any valid one"),
        (packed(b" " * (LIMIT + 1)), "more than 1 MiB"),
        (packed(b"\0" * (200 * LIMIT)), "more than 1 MiB"),
        (packed(b"\xff"), "valid JSON"),
        (packed(b"{"), "valid JSON"),
        (packed(b"[" * 100_000), "valid JSON"),
        (packed(b"9" * 100_000), "valid JSON"),
        (of_document([]), "JSON object"),
        (of_document({}), "files must be a list"),
        (of_document({"files": []}), "must not be empty"),
        (of_document({"files": ["a"]}), "must hold objects"),
        (of_document({"files": [{"name": "a", "text": 1}]}), "must be strings"),
        (of_document({"files": [FILE._asdict(), FILE._asdict()]}), "the same name"),
        (of_document({"files": [{"name": "a", "text": "\ud800"}]}), "UTF-8"),
        (of_document({"files": [FILE._asdict()], "kubeVersion": 1.36}), "kubeVersion must be a string"),
        (of_document({"files": [FILE._asdict()], "kubeVersion": "1.36; rm"}), "kubeVersion must be"),
        (of_document({"files": [FILE._asdict()], "featureGates": {"A": "true"}}), "true and false"),
        (of_document({"files": [FILE._asdict()], "featureGates": {"A=true,B": True}}), "letters and digits"),
        (of_document({"files": [FILE._asdict()], "featureGates": ["A"]}), "true and false"),
        (of_document({"files": [FILE._asdict()], "view": "x"}), "view must be one of findings, "),
        *(
            (of_document({"files": [{"name": name, "text": ""}]}), "relative path")
            for name in ("", "/etc/passwd", "../a", "a/../b", "a//b", "./a", "a\n", "a\\b", "a" * 1001)
        ),
    ],
    ids=str,
)
def test_a_strange_fragment_is_one_plain_error(fragment: str, message: str) -> None:
    with pytest.raises(ShareError, match=re.escape(message)):
        decode(fragment)


def test_what_follows_the_data_is_an_error() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(b'{"files":[{"name":"a","text":""}]}') + packer.flush() + b"more"
    with pytest.raises(ShareError, match="damaged"):
        decode("v1." + base64.urlsafe_b64encode(data).decode().rstrip("="))


@pytest.mark.parametrize(
    ("world", "message"),
    [
        (SharedWorld(()), "must not be empty"),
        (SharedWorld((SharedFile("../a", ""),)), "relative path"),
        (SharedWorld((SharedFile("a", "\ud800"),)), "UTF-8"),
        (SharedWorld((FILE,), "latest"), "kubeVersion"),
        (
            SharedWorld(tuple(SharedFile(str(number), "") for number in range(51))),
            "the link would hold 51 files; it can hold 50",
        ),
        (
            SharedWorld((SharedFile("a", " " * LIMIT),)),
            "the files have 1.0 MiB; a link holds 1 MiB: name fewer",
        ),
    ],
    ids=str,
)
def test_what_no_link_can_hold_is_an_error(world: SharedWorld, message: str) -> None:
    with pytest.raises(ShareError, match=re.escape(message)):
        encode(world)


def test_the_largest_world_fits() -> None:
    world = SharedWorld((SharedFile("a", "x" * (LIMIT - 100)),))
    assert decode(encode(world)) == world
