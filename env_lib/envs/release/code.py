"""The Python that an episode's services, tests and contracts are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from env_lib.envs.release.sketch import Sketch

HEAD = '''"""{name}: see the ownership map."""

{imports}REGION = "{region}"
TRIES = {tries}
BATCH = {batch}


def label():
    return "{name}:" + REGION


'''


@dataclass(frozen=True)
class Read:
    """One edge of the graph: `consumer` reads `field` of `provider` and passes it on as `alias`."""

    consumer: str
    provider: str
    field: str
    alias: str
    exact: bool = True
    """Whether its contract asks for the value, or only that there is one."""


@dataclass(frozen=True)
class Constants:
    """Three settings of a service, which nothing that is tested depends on."""

    region: str
    tries: int
    batch: int


@dataclass(frozen=True)
class Check:
    """One test. `@` in the statement stands for the function that is called."""

    id: str
    kind: str
    """"unit", "contract", "hidden_unit", "hidden" (contract) or "safety" (hidden too)."""
    service: str
    """Whose unit test, or which consumer's contract, it is."""
    function: str
    statement: str
    cases: str = ""
    """The cases of a flaky test, a list as text; `next(CASES)` takes another one at each try."""


AGAIN = "_again"
"""Ends the name of a flaky test's second try."""


def path_of(service: str) -> str:
    """Return the file of a service."""
    return f"{service}/api.py"


def provider_source(name: str, sketch: Sketch, body: str, c: Constants, imports: str) -> str:
    """Return the provider's file with one body of its function."""
    spaced = imports + "\n" if imports else ""
    head = HEAD.format(name=name, imports=spaced, region=c.region, tries=c.tries, batch=c.batch)
    return f"{head}def {sketch.function}({sketch.param}):\n{body}"


def consumer_source(
    name: str, reads: Sequence[Read], functions: dict[str, str], param: str, c: Constants
) -> str:
    """Return the file of a service that reads others, or of one that reads none."""
    lines = [
        f"from {r.provider}.api import {functions[r.provider]} as get_{r.provider}" for r in reads
    ]
    imports = "\n".join(lines) + "\n\n" if lines else ""
    head = HEAD.format(name=name, imports=imports, region=c.region, tries=c.tries, batch=c.batch)
    if not reads:
        answer = f'{{"level": len(str({param})), "tag": "{name}"}}'
        return f"{head}def view({param}):\n    return {answer}\n"
    pairs = ", ".join(f'"{r.alias}": {r.provider}["{r.field}"]' for r in reads)
    calls = ", ".join(f"get_{r.provider}({param})" for r in reads)
    return (
        f"{head}def shape({', '.join(r.provider for r in reads)}):\n"
        f'    return {{{pairs}, "tag": "{name}"}}\n\n\n'
        f"def view({param}):\n    return shape({calls})\n"
    )


def test_file(checks: Sequence[Check], module: str) -> str:
    """Return a readable test file of checks on one module."""
    names = sorted({check.function for check in checks})
    tests = [test_text(check) for check in checks]
    return f"from {module}.api import {', '.join(names)}\n\n\n" + "\n\n\n".join(tests) + "\n"


def batch(checks: Sequence[Check]) -> str:
    """Return one test file of any checks, functions named after their service.

    At its end every flaky test is tried once more, in the process of its first try, as a pipeline
    does that retries what is marked so; `run_checks` counts that only where the first try failed.
    """
    wanted = sorted({(check.service, check.function) for check in checks})
    imports = [f"from {s}.api import {f} as {s}_{f}" for s, f in wanted]
    tests = [_test(check, f"{check.service}_{check.function}") for check in checks]
    tests += [f"def {check.id}{AGAIN}():\n    {check.id}()" for check in checks if check.cases]
    return "\n".join(imports) + "\n\n\n" + "\n\n\n".join(tests) + "\n"


def test_text(check: Check) -> str:
    """Return one test as it stands in its service's test file."""
    return _test(check, check.function)


def _test(check: Check, name: str) -> str:
    lines = check.statement.replace("@", name).splitlines()
    test = f"def {check.id}():\n" + "\n".join(f"    {line}" for line in lines)
    head = f"CASES = iter({check.cases})  # flaky: another one at each try\n\n\n"
    return head + test if check.cases else test
