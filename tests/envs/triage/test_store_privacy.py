"""Privacy at the store's door: pseudonyms, their key, and no private text in any column."""

import pytest

from env_lib.envs.triage.pseudonyms import KEY_VARIABLE, ingestion_key, pseudonym
from env_lib.envs.triage.store_build import build_store
from tests.envs.triage.made_records import comment, record


def test_a_pseudonym_depends_on_login_and_key_and_not_on_case():
    assert pseudonym("Jane", b"k") == pseudonym(" jane", b"k")
    assert pseudonym("jane", b"k") != pseudonym("jane", b"l")
    assert pseudonym("jane", b"k") != pseudonym("june", b"k")
    assert len(bytes.fromhex(pseudonym("jane", b"k"))) == 5
    for login, key in (("jane", b""), (" ", b"k")):
        with pytest.raises(ValueError, match="key that is not empty"):
            pseudonym(login, key)


def test_the_key_is_made_once_kept_to_its_owner_and_yields_to_the_environment(
    tmp_path, monkeypatch
):
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    first = ingestion_key(tmp_path)
    assert first == ingestion_key(tmp_path)
    assert first != ingestion_key(tmp_path / "other")
    assert len(first) >= 32
    assert (tmp_path / "pseudonym.key").stat().st_mode & 0o077 == 0
    monkeypatch.setenv(KEY_VARIABLE, "named")
    assert ingestion_key(tmp_path) == b"named"


def test_no_private_text_reaches_any_column_of_the_file(tmp_path):
    secret = "Ask @zebedee or zebedee@mail.com, zebedee/llama-9b, hf_" + "zebe" * 8
    dirty = record(
        1, title=secret, body=secret, labels=[secret], evidence=secret, extra={secret: [secret]}
    )
    event = {"repo": "some/project", "number": 1, "id": 1, "event": "closed", "detail": secret}
    path = build_store(
        [dirty | {"maintainer": {"closed_as": secret}, "note": {"deep": secret}}],
        tmp_path / "a.db",
        source="test",
        comments=[comment(1, 1, body=secret)],
        events=[event],
    )
    assert b"zebe" not in path.read_bytes().lower()


@pytest.mark.parametrize("field", ["author", "assignees"])
def test_a_login_where_a_pseudonym_belongs_is_refused(tmp_path, field):
    value = "zebedee" if field == "author" else ["zebedee"]
    with pytest.raises(ValueError, match="is not a pseudonym") as raised:
        build_store([record(1, **{field: value})], tmp_path / "a.db", source="test")
    assert "zebedee" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []
