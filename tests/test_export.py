import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import env_lib
from env_lib.export import ExportError, export, follow
from tests.serving import ROOT, free_port, serving, wait_until_healthy

PYTHON = sys.executable
FORBIDDEN = 97
GUARD = f"""
import os, sys
ROOT = os.environ["FORBIDDEN_ROOT"] + os.sep
def refuse(event, args):
    if event == "open" and isinstance(args[0], (str, bytes)):
        path = os.path.abspath(os.fsdecode(args[0]))
        if path.startswith(ROOT) and not path.startswith(sys.prefix + os.sep):
            os.write(2, ("opened " + path).encode())
            os._exit({FORBIDDEN})
sys.addaudithook(refuse)
"""
"""A `sitecustomize` that ends an interpreter which opens any file of this checkout."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return export("triage", tmp_path_factory.mktemp("exported") / "triage_env")


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which no file of the checkout can be opened."""
    folder = tmp_path_factory.mktemp("guard")
    (folder / "sitecustomize.py").write_text(GUARD)
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    guarded = {"PYTHONPATH": str(folder), "FORBIDDEN_ROOT": str(ROOT)}
    return {**kept, **guarded, "PYTHONDONTWRITEBYTECODE": "1"}


def listing(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


# The folder -----------------------------------------------------------------------------------


def test_the_folder_holds_what_openenvs_tools_ask_for(package: Path) -> None:
    expected = (
        *("openenv.yaml", "__init__.py", "client.py", "README.md", "pyproject.toml", "LICENSE"),
        *("server/__init__.py", "server/app.py", "server/Dockerfile", "server/requirements.txt"),
        *("validation/runtime.json", "server/vendor/data/triage/peft.jsonl"),
    )
    files = listing(package)
    assert [name for name in expected if name not in files] == []
    text = b"".join(content for name, content in files.items() if not name.endswith(".db"))
    assert b"<<" not in files["README.md"] + files["openenv.yaml"] + files["client.py"]
    assert str(ROOT).encode() not in text


def test_the_library_is_vendored_without_training_notebooks_and_keys(package: Path) -> None:
    vendor = package / "server" / "vendor"
    names = {path.relative_to(vendor).as_posix() for path in vendor.rglob("*.*")}
    assert {"env_lib/server.py", "env_lib/core.py", "env_lib/envs/triage/env.py"} <= names
    assert [n for n in names if "training" in n or "policies" in n or n.endswith(".key")] == []
    for name in ("env_lib/server.py", "env_lib/envs/triage/env.py", "data/triage/trl.jsonl"):
        assert (vendor / name).read_bytes() == (ROOT / name).read_bytes()


def test_following_imports_skips_what_only_type_checkers_and_shortcuts_need() -> None:
    modules, foreign = follow(["env_lib.envs.triage.env"])
    assert {"env_lib", "env_lib.envs.triage", "env_lib.language", "env_lib.core"} <= set(modules)
    assert "env_lib.evaluation" not in modules
    assert "pydantic" in foreign
    assert not {"pandas", "torch", "openenv"} & foreign


def test_requirements_are_pinned(package: Path) -> None:
    lines = (package / "server" / "requirements.txt").read_text().split()
    assert all("==" in line for line in lines)
    assert {"openenv", "pydantic", "uvicorn"} <= {line.split("==")[0] for line in lines}


@pytest.mark.parametrize(
    ("duty", "sent", "needed"),
    [
        ("repair", ["sandbox/zygote.py", "sandbox/checker.py"], {"libcst", "hypothesis"}),
        ("release", ["sandbox/zygote.py", "envs/release/families/rounding.py"], {"numpy"}),
        ("drift", ["sandbox/zygote.py", "envs/drift/child/launcher.py"], {"trl", "scikit-learn"}),
    ],
)
def test_a_duty_with_a_sandbox_brings_what_runs_in_it(
    duty: str, sent: list[str], needed: set[str], tmp_path: Path
) -> None:
    out = export(duty, tmp_path / duty)  # makes a step from the folder alone
    assert [name for name in sent if not (out / "server/vendor/env_lib" / name).is_file()] == []
    lines = (out / "server" / "requirements.txt").read_text().split()
    assert needed <= {line.split("==")[0] for line in lines}
    assert "pydantic-monty" not in str(lines)


def test_exporting_again_replaces_the_export(package: Path, tmp_path: Path) -> None:
    out = Path(shutil.copytree(package, tmp_path / "triage_env"))
    (out / "README.md").write_text("changed")
    for left in ("server/__pycache__/app.pyc", "build/lib/app.py"):
        (out / left).parent.mkdir(parents=True)
        (out / left).write_text("")
    assert export("triage", out) == out
    assert listing(out).keys() == listing(package).keys()
    assert (out / "README.md").read_text() == (package / "README.md").read_text()
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("inside", [".git/HEAD", "notes.txt"])
def test_a_folder_with_anything_else_in_it_is_refused(tmp_path: Path, inside: str) -> None:
    out = tmp_path / "mine"
    (out / inside).parent.mkdir(parents=True)
    (out / inside).write_text("precious")
    with pytest.raises(ExportError, match=f"{inside} is of no earlier export"):
        export("triage", out)
    assert listing(tmp_path) == {f"mine/{inside}": b"precious"}


def test_a_file_is_refused_and_so_is_an_unknown_duty(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="is a file"):
        export("triage", tmp_path / "file")
    with pytest.raises(KeyError, match="known: triage"):
        export("gardening", tmp_path / "new")
    assert not (tmp_path / "new").exists()


# openenv's own checks -------------------------------------------------------------------------


class LocalSubject:
    """A served package in a process of its own."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process, self.base_url = process, url

    def inspect(self) -> dict[str, Any]:
        return {"pid": self.process.pid}

    def logs(self, max_bytes: int = 65536) -> str:
        return ""

    def exec(self, argv: list[str], timeout_s: float) -> Any:
        raise NotImplementedError("no check of openenv 0.10 runs a command")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    def measure_network(self) -> dict[str, Any]:
        """Reach a sink on loopback from here, and from a process in the server's namespace."""
        here, there = (Path(f"/proc/{pid}/ns/net") for pid in ("self", self.process.pid))
        assert here.readlink() == there.readlink()
        with socket.create_server(("127.0.0.1", 0)) as sink:
            port = sink.getsockname()[1]
            threading.Thread(target=accept_two, args=(sink,), daemon=True).start()
            reach = f"import socket; socket.create_connection(('127.0.0.1', {port}), 5).close()"
            exec(reach, {})
            done = subprocess.run([PYTHON, "-IS", "-c", reach], check=False)
        found = {"result": "inconclusive" if done.returncode else "reachable"}
        return {
            "requested_mode": "public", "subject_network_mode": "host",
            "namespace": {
                "interfaces": [name for _, name in socket.if_nameindex()],
                "default_route": False, "ipv6_non_loopback": 0,
            },
            "probes": [{"kind": "tcp", "control": {"result": "reachable"}, "subject": found}],
        }  # fmt: skip


def accept_two(sink: socket.socket) -> None:
    for _ in range(2):
        sink.accept()[0].close()


class LocalProvider:
    """Builds by copying, as a Dockerfile would, and runs without a container: for tests alone."""

    name = "local-process"
    supported_network_modes = frozenset({"public"})

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        from openenv.validation import ProviderCapability

        kinds = ProviderCapability
        self.capabilities = frozenset({kinds.IMAGE_BUILD, kinds.NETWORK_POLICY})
        self.folder, self.environment = folder, environment

    def build(self, root: Path, execution: Any) -> str:
        shutil.copytree(root, self.folder)
        assert (self.folder / execution.dockerfile).is_file()
        return "sha256:" + "0" * 64

    def start(self, spec: Any) -> LocalSubject:
        port = free_port()
        command = [PYTHON, "-m", "server.app", "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment)
        url = f"http://127.0.0.1:{port}"
        wait_until_healthy(process, url)
        return LocalSubject(process, url)


def without_syntax_of_urls(folder: Path) -> str:
    """An interpreter for openenv's schema check, which grants itself three seconds of processor.

    Beside Jupyter, jsonschema spends most of them on building a grammar that nothing here needs.
    """
    script = folder / "python"
    script.write_text(
        f"#!{sys.executable} -I\nimport runpy, sys\nsys.modules['rfc3987_syntax'] = None\n"
        "runpy.run_path(sys.argv[2], run_name='__main__')\n"
    )
    script.chmod(0o755)
    return str(script)


def test_openenv_passes_every_check_that_it_implements(
    package: Path, clean: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("env_lib.openenv_parts", reason="the serve extra is not installed")
    from openenv.validation import run_validation

    provider = LocalProvider(tmp_path / "image", clean)
    monkeypatch.setattr(sys, "executable", without_syntax_of_urls(tmp_path))
    report = run_validation(package, provider=provider)
    judged = {
        result.check_id: (result.status.value, result.evidence)
        for result in report.results
        if result.evidence != ["grader not implemented in this build"]
    }
    assert {name for name, (status, _) in judged.items() if status == "pass"} == {
        *("static.manifest", "runtime.startup", "runtime.reward_well_formed"),
        *("runtime.observation_schema", "runtime.state_contract", "runtime.network_policy"),
    }, judged
    assert [name for name, (status, _) in judged.items() if status != "pass"] == []


def test_the_packages_own_client_plays_on_its_own_server(
    package: Path, clean: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("env_lib.openenv_parts", reason="the serve extra is not installed")
    monkeypatch.syspath_prepend(package.parent)
    settings = {"scenario": "E1", "split": "test", "steps": 8}
    env = env_lib.make("triage", **settings)
    first, move = env.reset(seed=3), env.oracle_action()
    second, third = env.step(move), env.step(env.parse("no action"))
    command = [PYTHON, "-m", "server.app", "--host", "127.0.0.1", "--port"]
    with serving(command, cwd=package, env=clean) as url:
        client = import_module(package.name).TriageClient
        with client(base_url=url).sync() as session:
            told = [session.reset(seed=3, **settings)]
            told += [session.step(move.model_dump(exclude_none=True)), session.step("no action")]
            state = session.state()
    here = [(obs.prompt, obs.reward, obs.done) for obs in (first, second, third)]
    assert [(result.observation["prompt"], result.reward, result.done) for result in told] == here
    assert (state["step_count"], state["scenario"]) == (2, "E1")


def test_the_guard_would_end_a_server_that_reads_the_checkout(clean: dict[str, str]) -> None:
    code = f"open({str(ROOT / 'pyproject.toml')!r})"
    done = subprocess.run([sys.executable, "-c", code], env=clean, capture_output=True, check=False)
    assert done.returncode == FORBIDDEN, done.stderr


def test_openenvs_command_finds_the_folder_valid(package: Path) -> None:
    pytest.importorskip("env_lib.openenv_parts", reason="the serve extra is not installed")
    from openenv.cli.__main__ import app
    from openenv.cli._cli_utils import validate_env_structure
    from typer.testing import CliRunner

    done = CliRunner().invoke(app, ["validate", str(package), "--level", "static", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["verdict"] == "pass"
    assert validate_env_structure(package) == ["Recommended directory missing: outputs/"]


def test_the_plan_that_validation_plays_holds_malformed_actions_too(package: Path) -> None:
    plan = json.loads((package / "validation" / "runtime.json").read_text())
    assert len(plan["actions"]) >= 10
    assert {"text": "This looks like a bug."} in plan["actions"]
