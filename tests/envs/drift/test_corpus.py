import ast
import json

import pytest

from env_lib.envs.drift import corpus
from env_lib.envs.drift.corpus import HUGGING, CorpusError, libraries_of, scripts, split_of
from env_lib.envs.drift.pool import expected_file
from env_lib.envs.drift.runner import run
from env_lib.runs import read_json

SCRIPTS = scripts()
each = pytest.mark.parametrize("name", SCRIPTS)


@each
def test_each_script_returns_on_each_input_what_is_written_down(name):
    script = SCRIPTS[name]
    report = run(script.source, script.inputs)
    assert report.ok, report.traceback_end
    assert list(report.values) == read_json(expected_file())[name]


@each
def test_each_script_is_a_short_module_with_one_main_that_leaves_the_hub_alone(name):
    source = SCRIPTS[name].source
    lines = [line for line in source.split("\n") if line.strip()]
    assert 12 <= len(lines) <= 35
    mains = [n for n in ast.parse(source).body if getattr(n, "name", "") == "main"]
    assert [arg.arg for arg in mains[0].args.args] == ["inputs"]
    assert "from_pretrained(" not in source
    assert ast.get_docstring(ast.parse(source))


@each
def test_the_further_inputs_tell_a_script_from_its_visible_answer(name):
    values = [json.dumps(value) for value in read_json(expected_file())[name]]
    assert len(values) == corpus.INPUTS
    assert len(set(values)) > 1


def test_there_are_scripts_of_both_kinds_and_of_every_split():
    hugging = [s for s in SCRIPTS.values() if s.library in HUGGING]
    assert len(hugging) >= 10
    assert len(SCRIPTS) - len(hugging) >= 10
    assert {split_of(name) for name in SCRIPTS} == set(corpus.SPLITS)


@each
def test_a_script_imports_the_library_that_it_is_about(name):
    assert SCRIPTS[name].library in SCRIPTS[name].libraries


def test_only_the_last_split_imports_the_library_that_is_held_out():
    with_trl = {split_of(name) for name, s in SCRIPTS.items() if "trl" in s.libraries}
    assert with_trl == {"test_ood"}


def test_distributions_are_told_by_their_own_names():
    assert libraries_of(
        "import os\nimport sklearn.svm\nfrom PIL import Image\nfrom . import x"
    ) == (
        "pillow",
        "scikit-learn",
    )


def write(folder, told, names=("one",)):
    (folder / "scripts").mkdir()
    for name in names:
        (folder / "scripts" / f"{name}.py").write_text("import json\n")
    (folder / "inputs.json").write_text(json.dumps(told))


GOOD = {"library": "numpy", "split": "train", "inputs": [1, 2, 3]}


@pytest.mark.parametrize(
    ("told", "names", "word"),
    [
        ({"one": GOOD}, ("one", "two"), "two is in only one"),
        ({"one": GOOD, "two": GOOD}, ("one",), "two is in only one"),
        ({"one": GOOD | {"inputs": [1, 2]}}, ("one",), "list of 3 inputs"),
        ({"one": GOOD | {"split": "dev"}}, ("one",), "'dev' is none of"),
    ],
    ids=["script alone", "inputs alone", "two inputs", "unknown split"],
)
def test_a_corpus_that_is_not_whole_is_refused_by_name(tmp_path, told, names, word):
    write(tmp_path, told, names)
    with pytest.raises(CorpusError, match=word):
        scripts(tmp_path)


def test_an_unknown_script_is_told_with_the_known_ones():
    with pytest.raises(CorpusError, match="sales_report"):
        split_of("nothing")
