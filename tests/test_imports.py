"""What may be imported by what, looked at in fresh interpreters."""

import subprocess
import sys

import pytest

HEAVY = (
    "torch",
    "openenv",
    "transformers",
    "sklearn",
    "unsloth",
    "trl",
    "gradio",
    "fastapi",
    "matplotlib",
    "pandas",
)
PURE = (
    "env_lib",
    "env_lib.core",
    "env_lib.rubric",
    "env_lib.language",
    "env_lib.rollout",
    "env_lib.registry",
    "env_lib.evaluation",
    "env_lib.audit",
    "env_lib.intervals",
    "env_lib.reverify",
    "env_lib.agreement",
    "env_lib.cli",
    "env_lib.commands",
    "env_lib.doctor",
    "env_lib.validation",
    "env_lib.envs.triage.env",
    "env_lib.envs.triage.policies",
    "env_lib.envs.triage.leaks",
    "env_lib.envs.release.env",
    "env_lib.envs.release.policies",
    "env_lib.envs.release.leaks",
    "env_lib.envs.release.data",
    "env_lib.envs.release.evidence",
    "env_lib.envs.drift.env",
    "env_lib.envs.drift.policies",
    "env_lib.envs.drift.leaks",
    "env_lib.envs.drift.runner",
    "env_lib.envs.supervise.env",
    "env_lib.envs.supervise.policies",
    "env_lib.envs.supervise.leaks",
)


def loaded_by(statement):
    script = f"import sys; {statement}; print(' '.join(sys.modules))"
    return set(
        subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        ).stdout.split()
    )


@pytest.mark.parametrize("module", PURE)
def test_a_pure_module_loads_nothing_heavy(module):
    assert loaded_by(f"import {module}") & set(HEAVY) == set()


def test_playing_an_episode_needs_neither_torch_nor_sklearn_nor_openenv():
    statement = "import env_lib as e; e.run_episode(e.make('triage'), e.policy('triage', 'oracle'))"
    assert (
        loaded_by(statement) & {"torch", "openenv", "transformers", "sklearn", "unsloth", "trl"}
        == set()
    )


def test_the_core_needs_pydantic_and_the_standard_library_alone():
    before = loaded_by("import pydantic")
    new = {name.split(".")[0] for name in loaded_by("import env_lib.core") - before}
    foreign = new - set(sys.stdlib_module_names) - {"env_lib"}
    assert {name for name in foreign if not name.startswith("_")} <= {
        "annotated_types",
        "pydantic",
        "pydantic_core",
        "typing_extensions",
        "typing_inspection",
    }
