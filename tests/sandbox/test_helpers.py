"""What an owner gives its helpers beside libraries: variables and trusted modules."""

import pickle

import pytest

from env_lib.sandbox import Sandbox, SandboxError
from tests.sandbox.conftest import linux

TRUSTED = {
    "beside": '"""A package."""\n',
    "beside.words": "import json\nWORD = json.dumps('trusted')\n",
    "beside.doing": "import os\nfrom . import words\n"
    "def told(name):\n    return [words.WORD, os.environ.get(name), globals().get('__file__')]\n",
}


def made(**more):
    return Sandbox(preload=(), environment={"SWITCH": "on"}, modules=TRUSTED, **more)


@pytest.fixture(scope="module")
def helped():
    with made() as box:
        yield box


@pytest.mark.parametrize("without", [(), ("zygote", "monty")], ids=["zygote", "plain"])
def test_a_run_has_the_variables_and_the_trusted_modules(without):
    with made(without=without) as box:
        out = box.run_call({}, "beside.doing", "told", ["SWITCH"])
    assert (out.error, out.value) == ("", ['"trusted"', "on", None])


def test_a_script_may_import_a_trusted_module_and_its_changes_end_with_the_run(helped):
    script = "import beside.words\ndef main():\n    beside.words.WORD = 'changed'\n"
    assert helped.run_call({"script.py": script}, "script").error == ""
    assert helped.run_call({}, "beside.doing", "told", ["SWITCH"]).value[0] == '"trusted"'


@linux
def test_trusted_modules_open_no_file_and_no_path_to_a_run(helped):
    script = (
        "import sys\ndef main():\n"
        "    import beside.doing\n"
        "    try:\n        import env_lib\n    except ImportError:\n        return sys.path\n"
    )
    out = helped.run_call({"script.py": script}, "script")
    assert out.error == ""
    assert not [path for path in out.value if "site-packages" in path]


@pytest.mark.parametrize("without", [(), ("zygote", "monty")], ids=["zygote", "plain"])
def test_a_trusted_module_that_fails_is_our_failure(without):
    box = Sandbox(preload=(), modules={"broken": "raise ValueError('no')"}, without=without)
    with box, pytest.raises(SandboxError):
        box.run_call({"script.py": "def main():\n    return 1\n"}, "script")


def test_a_pickled_sandbox_gives_the_same():
    copied = pickle.loads(pickle.dumps(made()))
    with copied:
        assert copied.run_call({}, "beside.doing", "told", ["SWITCH"]).value[1] == "on"
