"""Who works on a project: the file of tokens and roles."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from perceptag.errors import SettingError
from perceptag.server.access import NEVER
from perceptag.workbench.people import holders_in, own_name, parse_person, people_of


def test_a_new_file_has_the_user_as_admin_and_nobody_else_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "p.tokens"
    (first,) = people_of(str(path), [])
    assert (first.name, first.role) == (own_name(), "admin")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(first.token) >= 43
    assert people_of(str(path), []) == [first]
    assert [one.name for one in tmp_path.iterdir()] == ["p.tokens"]


def test_people_are_added_changed_and_removed(tmp_path: Path) -> None:
    path = str(tmp_path / "p.tokens")
    first = people_of(path, [parse_person("anna"), parse_person("ben:read")])
    assert [(p.name, p.role) for p in first[1:]] == [("anna", "annotate"), ("ben", "read")]
    assert len({p.token for p in first}) == 3
    second = people_of(path, [parse_person("ben:annotate"), parse_person("anna:none")])
    assert second == [first[0], type(first[2])("ben", "annotate", first[2].token)]
    with pytest.raises(SettingError, match="expected at least one person with the role admin"):
        people_of(path, [(own_name(), "none")])
    assert people_of(path, []) == second


@pytest.mark.parametrize("word", ["", ":read", "a b", "anna:boss", "x" * 101, "a\nb", "<b>"])
def test_names_and_roles_are_checked(word: str) -> None:
    with pytest.raises(SettingError, match="--annotator"):
        parse_person(word)


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"a": 1}', '{"a": {"token": "short", "role": "read"}}', '{"a b": {"token": "%s", "role": "read"}}',
     '{"a": {"token": "%s", "role": "boss"}}', '{"a": {"token": "%s"}}'],
)  # fmt: skip
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.tokens"
    path.write_text(text.replace("%s", "t" * 43))
    path.chmod(0o600)
    with pytest.raises(SettingError, match=r"p\.tokens: expected"):
        people_of(str(path), [])


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.tokens"
    path.write_text(json.dumps({"a": {"token": "t" * 43, "role": "admin"}}))
    path.chmod(0o640)
    with pytest.raises(SettingError, match="only its owner can read"):
        people_of(str(path), [])
    path.chmod(0o600)
    assert [p.name for p in people_of(str(path), [])] == ["a"]


def test_a_token_may_expire_and_adding_people_keeps_that(tmp_path: Path) -> None:
    path = tmp_path / "p.tokens"
    entries = {
        "a": {"token": "t" * 43, "role": "admin"},
        "b": {"token": "u" * 43, "role": "read", "expires": "2027-01-02"},
    }
    path.write_text(json.dumps(entries))
    path.chmod(0o600)
    people_of(str(path), [("c", "read"), ("b", "annotate")])
    assert json.loads(path.read_text("utf-8"))["b"] == {"token": "u" * 43, "role": "annotate", "expires": "2027-01-02"}
    assert [(h.person.name, h.expires) for h in holders_in(str(path))][:2] == [("a", NEVER), ("b", 1798848000.0)]
    for wrong in ("soon", 7, None):
        path.write_text(json.dumps({"a": {**entries["a"], "expires": wrong}}))
        with pytest.raises(SettingError, match="a day of expiry such as 2027-06-30"):
            people_of(str(path), [])
