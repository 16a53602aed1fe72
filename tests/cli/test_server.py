from __future__ import annotations

import pytest

from dractl.cli.server import UsageError, alpha_note, pieces, replicas_in, server, servers


def test_without_options_it_is_a_default_server_of_which_no_namespace_is_known() -> None:
    found = server("1.37", (), ())
    assert str(found.gates.minor) == "1.37"
    assert found.gates.overrides == {}
    assert found.labels is None


def test_gates_may_be_given_in_parts() -> None:
    found = server("v1.36.1", ["DRAPartitionableDevices=false", "DRADeviceTaints=true,"], ())
    assert found.gates.overrides == {"DRAPartitionableDevices": False, "DRADeviceTaints": True}
    assert "DRAPartitionableDevices" not in found.gates


def test_labels_of_namespaces() -> None:
    texts = ["a:x/y=1,z=", "b:", "a:w=2"]
    assert server("1.37", (), texts).labels == {"a": {"x/y": "1", "z": "", "w": "2"}, "b": {}}


@pytest.mark.parametrize(
    ("version", "gates", "labels", "option"),
    [
        ("1.99", "", "a:b=c", "--kube-version"),
        ("one", "", "a:b=c", "--kube-version"),
        ("1.37", "DRAX=true", "a:b=c", "--feature-gates"),
        ("1.37", "DRADeviceTaints", "a:b=c", "--feature-gates"),
        ("1.37", "DRADeviceTaints=false,DRADeviceTaintRules=true", "a:b=c", "--feature-gates"),
        ("1.37", "", "a", "--namespace-labels"),
        ("1.37", "", ":b=c", "--namespace-labels"),
        ("1.37", "", "a:b", "--namespace-labels"),
        ("1.37", "", "a:=c", "--namespace-labels"),
        ("1.37", "", "X_Y:a=b", "--namespace-labels"),
        ("1.37", "", "x:a b=c", "--namespace-labels"),
        ("1.37", "", "x:a=c d", "--namespace-labels"),
    ],
)
def test_what_makes_no_sense_names_its_option(version: str, gates: str, labels: str, option: str) -> None:
    with pytest.raises(UsageError) as raised:
        server(version, [gates], [labels])
    assert str(raised.value).startswith(f"{option}: ")
    assert "\n" not in str(raised.value)


def test_pieces_of_lists() -> None:
    assert pieces(["a, b", "", "c,,"]) == ["a", "b", "c"]


def test_a_range_is_a_server_for_each_minor() -> None:
    found = servers("1.36..1.37", ["DRAListTypeAttributes=true"], ["a:b=c"])
    assert [str(gates.minor) for gates in found.gates] == ["1.36", "1.37"]
    assert found.labels == {"a": {"b": "c"}}
    assert [str(gates.minor) for gates in servers("1.36", (), ()).gates] == ["1.36"]


@pytest.mark.parametrize(
    ("versions", "gates", "message"),
    [
        ("1.37..1.36", "", "--kube-version: the range '1.37..1.36' is reversed"),
        ("1.36..1.40", "", "--kube-version: unsupported Kubernetes minor '1.40'"),
        ("1.35..1.36", "DRAListTypeAttributes=true", "--feature-gates: for Kubernetes 1.35: "),
    ],
)
def test_a_range_that_makes_no_sense(versions: str, gates: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        servers(versions, [gates], ())
    assert str(raised.value).startswith(message)


def test_numbers_of_pods() -> None:
    assert replicas_in(["web=3,Job/team/train=0", "web=4"]) == {"web": 4, "Job/team/train": 0}


@pytest.mark.parametrize("text", ["web", "web=", "=3", "web=-1", "web=three", "web=1.5", "web=10000000000"])
def test_a_number_of_pods_that_makes_no_sense(text: str) -> None:
    with pytest.raises(UsageError, match="--replicas: "):
        replicas_in([text])


@pytest.mark.parametrize(
    ("versions", "overrides", "note"),
    [
        ("1.37", "DRADeviceTaints=true", ""),
        ("1.37", "DRADerivedAttributes=false", ""),
        ("1.37", "", ""),
        (
            "1.34..1.36",
            "DRADeviceTaints=true",
            ("alpha gates: DRADeviceTaints (in 1.34, 1.35); a rollback may lose what is stored with them"),
        ),
    ],
)
def test_alpha_gates_that_are_set_are_reported(versions: str, overrides: str, note: str) -> None:
    assert alpha_note(servers(versions, [overrides], []).gates) == note
