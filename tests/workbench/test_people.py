"""Who works on a project: the file of tokens and roles."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from perceptag.errors import SettingError
from perceptag.server.access import Person
from perceptag.server.service import Access
from perceptag.workbench.people import own_name, parse_person, people_of


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


def test_each_token_finds_its_person() -> None:
    access = Access(frozenset(), people={"a" * 40: Person("anna", "admin"), "b" * 40: Person("ben", "read")})
    assert access.find(b"b" * 40) == Person("ben", "read")
    assert access.find(b"b" * 39) is None and access.find(b"") is None and access.find("é".encode()) is None
    assert not access.is_open and Access(frozenset()).is_open
    assert Access(frozenset()).find(b"") is None


def test_roles_are_ordered() -> None:
    may = {role: [Person("a", role).may(other) for other in ("read", "annotate", "admin")]
           for role in ("read", "annotate", "admin")}  # fmt: skip
    assert may == {"read": [True, False, False], "annotate": [True, True, False], "admin": [True, True, True]}
