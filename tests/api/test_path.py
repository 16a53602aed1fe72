from dractl.api.path import FieldPath, path_text, shortened_key


def test_paths_print_as_the_server_prints_them() -> None:
    path = FieldPath("spec").child("devices").index(0).child("attributes").key("a.example/model")
    assert str(path.child("version")) == "spec.devices[0].attributes[a.example/model].version"


def test_several_fields_at_once() -> None:
    assert str(FieldPath("spec").at("pool", "name")) == "spec.pool.name"


def test_steps_are_keys_and_indices_from_the_root() -> None:
    path = FieldPath("spec").child("devices").index(2).child("attributes").key("x")
    assert path.steps() == ("spec", "devices", 2, "attributes", "x")


def test_a_shortened_key_stands_in_the_text_only() -> None:
    path = FieldPath("capacity").key("k" * 100, shown="kk...kk")
    assert str(path) == "capacity[kk...kk]"
    assert path.steps() == ("capacity", "k" * 100)


def test_a_path_is_not_changed_by_its_children() -> None:
    root = FieldPath("spec")
    root.child("a")
    root.index(1)
    assert str(root) == "spec"


def test_keys_up_to_the_limit_stay_as_they_are() -> None:
    assert shortened_key("k" * 96, 96) is None


def test_long_keys_keep_their_two_ends() -> None:
    key = "a" * 60 + "b" * 60
    assert shortened_key(key, 96) == "a" * 47 + "..." + "b" * 46


def test_a_limit_under_sixteen_counts_as_sixteen() -> None:
    assert shortened_key("x" * 16, 3) is None
    assert shortened_key("x" * 17, 3) == "x" * 7 + "..." + "x" * 6


def test_paths_are_written_as_strict_decoding_does() -> None:
    assert path_text(("spec", "devices", 0, "attributes", "a/b")) == "spec.devices[0].attributes.a/b"
