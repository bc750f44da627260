import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NOT_FOR_A_WHEEL = ("*.db", "*.db-*", "*.key", "*.pyc", "*.tmp")


def name_of(requirement: str) -> str:
    return re.split(r"[\s\[<>=!~;]", requirement)[0].lower().replace("_", "-")


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_every_dependency_has_a_tested_version() -> None:
    project = PROJECT["project"]
    wanted = sum(project["optional-dependencies"].values(), project["dependencies"])
    assert {name_of(requirement) for requirement in wanted} - set(pinned()) == set()


def test_every_group_of_versions_says_why() -> None:
    groups = (ROOT / "constraints.txt").read_text(encoding="utf-8").strip().split("\n\n")
    assert [group for group in groups if not group.startswith("# ")] == []


def test_every_ignored_lint_rule_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    rules = re.findall(r'^  "[A-Z]+\d*",.*$', text, re.MULTILINE)
    assert rules
    assert [rule for rule in rules if "#" not in rule] == []


def test_a_wheel_would_hold_every_fact_and_nothing_secret() -> None:
    globs = PROJECT["tool"]["setuptools"]["package-data"]["env_lib_data"]
    kinds = [glob.removeprefix("**/") for glob in globs]
    files = [path for path in (ROOT / "data").rglob("*") if path.is_file()]
    facts = [
        path.name
        for path in files
        if not any(fnmatch(path.name, pattern) for pattern in NOT_FOR_A_WHEEL)
        and not any(part.startswith((".", "__")) or part == "cache" for part in path.parts)
    ]
    assert facts
    assert [name for name in facts if not any(fnmatch(name, kind) for kind in kinds)] == []
    assert not {"*.db", "*.key"} & set(kinds)


def test_the_citation_names_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['project']['version']}\n" in citation


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_alone_explains_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    shown = subprocess.run(["make", "-C", ROOT], capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^  make (\S+) +\S", shown, re.MULTILINE) == phony.split()
