"""The sixteen actions of release, with flat fields; why flat is said in `env`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, get_args

from annotated_types import MaxLen
from pydantic import Field, ValidationInfo, field_validator

from env_lib.core import Action

Decision = Literal["ship", "block", "canary", "rollback", "request_owner_approval"]


VALUES = {
    "job_name": "unit-tests|build|deploy",
    "file_path": "SERVICE/api.py",
    "search": "text found once",
    "impacted_services": "all who read the changed field",
    "decision": "|".join(get_args(Decision)),
    "owner_to_notify": "none or a team",
}
"""What the system prompt says, once, that a field may hold."""


class ReleaseAction(Action):
    """One look, edit, test run or submission.

    `reason` and `summary` stand in the stored action alone: no note keeps them, and they are never
    judged. A set of services is one text of names with commas, as in every duty no field is a list;
    a list is read as that text. A name that is too long is cut, and then refused as unknown.
    """

    action_type: Literal[
        "view_log",
        "view_commit_history",
        "view_diff",
        "cat",
        "view_migration_guide",
        "view_security_advisory",
        "replace",
        "run_unit_tests",
        "view_dependency_graph",
        "mark_impacted_service",
        "run_contract_tests",
        "view_ownership_map",
        "submit_causal_change",
        "submit_blast_radius",
        "submit_release_decision",
        "view_reward",
    ]
    job_name: str | None = Field(default=None, max_length=20)
    commit_id: str | None = Field(default=None, max_length=12)
    file_path: str | None = Field(default=None, max_length=60)
    package: str | None = Field(default=None, max_length=30)
    search: str | None = Field(default=None, max_length=400)
    replace: str | None = Field(default=None, max_length=400)
    service: str | None = Field(default=None, max_length=30)
    commit: str | None = Field(default=None, max_length=12)
    impacted_services: str | None = Field(default=None, max_length=200)
    decision: Decision | None = None
    owner_to_notify: str | None = Field(default=None, max_length=30)
    reason: str | None = Field(default=None, max_length=200)
    summary: str | None = Field(default=None, max_length=200)

    nested: ClassVar[str] = "params"
    """The object that may hold the fields instead."""
    optional: ClassVar[tuple[str, ...]] = ("reason", "summary")
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "view_log": ("job_name",),
        "view_commit_history": (),
        "view_diff": ("commit_id",),
        "cat": ("file_path",),
        "view_migration_guide": ("package",),
        "view_security_advisory": ("package",),
        "replace": ("file_path", "search", "replace"),
        "run_unit_tests": ("service",),
        "view_dependency_graph": ("service",),
        "mark_impacted_service": ("service",),
        "run_contract_tests": ("service",),
        "view_ownership_map": (),
        "submit_causal_change": ("commit",),
        "submit_blast_radius": ("impacted_services",),
        "submit_release_decision": ("decision", "owner_to_notify"),
        "view_reward": (),
    }
    purpose: ClassVar[Mapping[str, str]] = {
        "view_log": "unit-tests, build or deploy",
        "view_commit_history": "newest first",
        "view_diff": "what a commit changed",
        "cat": "read service/api.py, tests/service.py or contracts/service.py",
        "view_migration_guide": "of a package",
        "view_security_advisory": "of a package",
        "replace": "exact text, found once",
        "run_unit_tests": "on the code as it is",
        "view_dependency_graph": "who reads what",
        "mark_impacted_service": "a note for yourself",
        "run_contract_tests": "what the service expects of others",
        "view_ownership_map": "owners, protected and hot services",
        "submit_causal_change": "once",
        "submit_blast_radius": "once; all who read the changed field, with commas",
        "submit_release_decision": "ends the episode; owner or none",
        "view_reward": "what was earned so far",
    }

    @field_validator(
        "job_name", "commit_id", "file_path", "package", "service", "commit", "owner_to_notify",
        mode="before",
    )  # fmt: skip
    @classmethod
    def _cut(cls, value: object, info: ValidationInfo) -> object:
        """Cut a name that is longer than any is, so that its refusal lists the valid ones."""
        limits = cls.model_fields[str(info.field_name)].metadata
        longest = next(limit.max_length for limit in limits if isinstance(limit, MaxLen))
        return value[:longest] if isinstance(value, str) else value

    @field_validator("impacted_services", mode="before")
    @classmethod
    def _joined(cls, value: object) -> object:
        """Join a list of names by commas."""
        listed = isinstance(value, list) and all(isinstance(name, str) for name in value)
        return ", ".join(value) if isinstance(value, list) and listed else value


def system_prompt(task: str) -> str:
    """Return the system prompt: the task, then actions with the same fields on one line.

    Shorter than `describe_actions`, so that more of an observation fits beside it.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for kind, needed in ReleaseAction.needs.items():
        groups.setdefault(needed, []).append(kind)
    lines = [task, "Answer with one JSON object: action_type, and the fields of its line."]
    told = dict(VALUES)
    for needed, kinds in groups.items():
        fields = [f"{name}={told.pop(name)}" if name in told else name for name in needed]
        lines.append(": ".join(filter(None, [", ".join(kinds), ", ".join(fields)])))
    return "\n".join(lines)


def act(kind: str, **fields: Any) -> ReleaseAction:
    """Return an action of a type."""
    return ReleaseAction(action_type=kind, **fields)


def decide(decision: str, owner: str = "none", reason: str | None = None) -> ReleaseAction:
    """Return the action of a decision."""
    return act("submit_release_decision", decision=decision, owner_to_notify=owner, reason=reason)
