import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAPERS = ROOT / "papers"
CITED = re.compile(r"\[((?:@[\w:-]+)(?:\s*;\s*@[\w:-]+)*)\]|papers key:?\s*`?([a-z][\w-]*\d{4}\w*)")
PLACES = ("papers/*.md", "README.md", "data/**/*.md", "env_lib/**/*.py", "notebooks/*.ipynb")


def entries(text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Kind, key and fields of each BibTeX entry; raises ValueError where braces do not balance."""
    for match in re.finditer(r"^@(\w+)\{([^,\s]+),", text, re.MULTILINE):
        kind, key = match.groups()
        end, depth = match.end(), 1
        while depth:
            if end == len(text) or text.startswith("\n@", end):
                raise ValueError(f"entry {key!r} has {depth} brace(s) left open")
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        body = text[match.end() : end - 1]
        fields = re.findall(r"^\s*(\w+)\s*=\s*\{(.*)\},?$", body, re.MULTILINE)
        left = re.sub(r"^\s*\w+\s*=\s*\{.*\},?$", "", body, flags=re.MULTILINE).strip()
        if left:
            raise ValueError(f"entry {key!r} has a line that is no field: {left[:60]!r}")
        yield kind, key, dict(fields)


def text_of(path: Path) -> str:
    """The text that a reader sees: a notebook's cells, any other file whole."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    return "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])


def keys_in(text: str) -> set[str]:
    found = set()
    for group, single in CITED.findall(text):
        found |= {key.strip().lstrip("@") for key in group.split(";") if key.strip()}
        found |= {single} - {""}
    return found


BIB = list(entries((PAPERS / "references.bib").read_text(encoding="utf-8")))
KEYS = {key for _, key, _ in BIB}
CITING = sorted({path for place in PLACES for path in ROOT.glob(place)})


def test_every_entry_of_the_bibliography_is_parsed_and_keys_are_unique() -> None:
    text = (PAPERS / "references.bib").read_text(encoding="utf-8")
    assert len(BIB) == len(re.findall(r"^@", text, re.MULTILINE)) > 0
    assert len(KEYS) == len(BIB)


@pytest.mark.parametrize(("kind", "key", "fields"), BIB, ids=[key for _, key, _ in BIB])
def test_an_entry_names_its_work_and_where_to_find_it(
    kind: str, key: str, fields: dict[str, str]
) -> None:
    assert fields.get("title"), key
    assert fields.get("author") or "Author list missing" in fields.get("note", ""), key
    assert re.fullmatch(r"\d{4}", fields.get("year", "")) or "Undated" in fields.get("note", "")
    venue = {"article": "journal", "inproceedings": "booktitle", "misc": "title"}
    assert fields.get(venue[kind]), f"{kind} {key} needs {venue[kind]}"


@pytest.mark.parametrize("path", CITING, ids=[str(path.relative_to(ROOT)) for path in CITING])
def test_every_key_that_a_text_cites_is_in_the_bibliography(path: Path) -> None:
    assert keys_in(text_of(path)) - KEYS == set()


def test_every_entry_is_cited_by_the_reading_notes_or_the_report() -> None:
    cited = set().union(*(keys_in(text_of(path)) for path in PAPERS.glob("*.md")))
    assert KEYS - cited == set()


def test_every_figure_in_the_notes_by_work_carries_the_mark_of_its_source() -> None:
    notes = (PAPERS / "reading_notes.md").read_text(encoding="utf-8")
    by_work = notes.split("## 5. Notes by work")[1].split("## 6.")[0]
    claims = [line.split("*Used:*")[0] for line in by_work.splitlines() if line.startswith("* [@")]
    figures = [claim for claim in claims if re.search(r"\d+(\.\d+)? %|\+\d", claim)]
    assert len(claims) == len(KEYS)
    assert figures
    assert [claim for claim in figures if not re.search(r"\[[PSO]", claim)] == []


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("@misc{a2020b,\n  title = {Open\n}\n\n@misc{c2021d,\n  title = {T}\n}\n", "left open"),
        ("@misc{a2020b,\n  title = {T},\n  stray words\n}\n", "no field"),
    ],
)
def test_a_broken_bibliography_is_refused(broken: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        list(entries(broken))
