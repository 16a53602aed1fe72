from __future__ import annotations

import re

from dractl.cluster.uids import stable_uid, uid_of


def test_an_object_keeps_its_uid() -> None:
    assert uid_of({"kind": "Pod", "metadata": {"name": "p", "uid": "its-own"}}) == "its-own"


def test_another_gets_one_by_kind_namespace_and_name() -> None:
    pod = {"kind": "Pod", "metadata": {"name": "p"}}
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}", uid_of(pod))
    assert uid_of(pod) == uid_of({**pod, "metadata": {"name": "p", "uid": "", "namespace": "default"}})
    others = [
        {**pod, "metadata": {"name": "p", "namespace": "ns"}},
        {**pod, "metadata": {"name": "q"}},
        {**pod, "kind": "Job"},
    ]
    assert len({uid_of(pod), *map(uid_of, others)}) == 4


def test_no_text_is_too_odd() -> None:
    assert stable_uid("\ud800") != stable_uid("")
