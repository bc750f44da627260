"""Two releases of a package that the test makes itself: nothing is downloaded here."""

import zipfile

import pytest

from env_lib.envs.drift import compare
from env_lib.envs.drift.compare import Candidate, asked, candidates, confirmed, unpacked

OLD = {
    "trl/__init__.py": "from trl.core import Config, train, moved\nfrom trl.core import kept\n",
    "trl/core.py": (
        "class Config:\n    def __init__(self, rate=0.1, steps=3, gone=None): ...\n\n\n"
        "def train(model, tokenizer=None): ...\n\n\ndef moved(): ...\n\n\n"
        "def kept(x, y=1): ...\n\n\n"
        "def swallowed(a, b=2): ...\n\n\ndef _private(): ...\n"
    ),
}
NEW = {
    "trl/__init__.py": "from trl.core import Config, train\nfrom trl.core import kept\n",
    "trl/core.py": (
        "class Config:\n    def __init__(self, rate=0.2, steps=3): ...\n\n\n"
        "def train(model): ...\n\n\ndef kept(x, y=1): ...\n\n\n"
        "def swallowed(a, **more): ...\n\n\n"
        "def _late(): ...\n\n\nglobals()['mo' + 'ved'] = _late\n"
    ),
}


def wheel(folder, version, files):
    path = folder / f"trl-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    folder = tmp_path_factory.mktemp("releases")
    made = [("1.0", OLD), ("2.0", NEW)]
    return tuple(unpacked(wheel(folder, v, files), folder / v) for v, files in made)


def test_candidates_are_removed_objects_parameters_and_changed_defaults(trees):
    found = candidates("trl", *trees)
    assert Candidate("removed_kwarg", "trl.core.train", "tokenizer") in found
    assert Candidate("removed_api", "trl.core.moved") in found
    assert any(one.kind == "changed_default" and one.name == "rate" for one in found)
    assert not any("_private" in one.target or "kept" in one.target for one in found)


def test_running_keeps_what_is_so_and_drops_what_only_reads_so(trees):
    facts = {(f.kind, f.target.removesuffix(".__init__"), f.name): f for f in
             confirmed("trl", ("1.0", "2.0"), trees)[0]}  # fmt: skip
    assert set(facts) == {
        ("removed_kwarg", "trl.core.train", "tokenizer"),
        ("removed_kwarg", "trl.core.Config", "gone"),
        ("changed_default", "trl.core.Config", "rate"),
    }
    rate = facts["changed_default", "trl.core.Config", "rate"]
    assert (rate.old, rate.new) == ("0.1", "0.2")
    assert (rate.old_version, rate.new_version) == ("1.0", "2.0")


def test_each_release_is_asked_in_a_process_of_its_own(trees):
    target = [Candidate("removed_kwarg", "trl.core.train", "tokenizer")]
    old, new = (compare._seen(tree, target) for tree in trees)
    assert old == [{"model": "", "tokenizer": "None"}]
    assert new == [{"model": ""}]


def test_a_release_that_cannot_be_asked_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(compare, "_CHILD", "raise SystemExit('no such release')")
    with pytest.raises(RuntimeError, match="no such release"):
        compare._seen(tmp_path, [])


def test_a_comparison_is_asked_for_in_one_word():
    assert asked("trl==0.24.0..1.0.0") == ("trl", "0.24.0", "1.0.0")
    assert asked("huggingface-hub==1.0..1.1")[0] == "huggingface_hub"


@pytest.mark.parametrize(
    ("text", "word"),
    [("trl", "trl==0.24.0"), ("numpy==1.0..2.0", "one of: trl, peft")],
    ids=["form", "library"],
)
def test_what_cannot_be_compared_is_refused_with_what_can(text, word):
    with pytest.raises(ValueError, match=word):
        asked(text)
