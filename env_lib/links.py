"""Puts the public address of the repository where readers click: `make links REPO=owner/name`.

Writes badges that open a notebook on Colab or Kaggle into the head cell of each notebook and below
the title of the README, the `REPO` line of each set-up cell, and `repository-code` in CITATION.cff.
Running it again with another address replaces what it wrote; with the same one changes nothing.
"""

import argparse
import json
import re
from pathlib import Path

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")
BLOCK = re.compile(r"\n*<!-- links -->.*?<!-- /links -->", re.DOTALL)
REPO_LINE = re.compile(r'^REPO = "[^"\n]*"', re.MULTILINE)
CODE_LINE = re.compile(r"^repository-code: .*\n", re.MULTILINE)
BRANCH = "main"


def badges(repo: str, notebook: str) -> str:
    """One marked line of Markdown with the Colab and the Kaggle badge of a notebook."""
    path = f"{repo}/blob/{BRANCH}/notebooks/{notebook}"
    colab = "https://colab.research.google.com"
    kaggle = "https://kaggle.com"
    return (
        "<!-- links -->\n"
        f"[![Open in Colab]({colab}/assets/colab-badge.svg)]({colab}/github/{path}) "
        f"[![Open in Kaggle]({kaggle}/static/images/open-in-kaggle.svg)]"
        f"({kaggle}/kernels/welcome?src=https://github.com/{path})\n"
        "<!-- /links -->"
    )


def with_block(text: str, block: str) -> str:
    """The Markdown with the block below its first line, in place of an earlier one."""
    title, _, rest = BLOCK.sub("", text).partition("\n")
    return f"{title}\n\n{block}\n{rest}".rstrip("\n") + "\n" * text.endswith("\n")


def linked_notebook(text: str, repo: str, name: str) -> str:
    """The notebook's JSON with badges in its first cell and the address in its set-up cell."""
    notebook = json.loads(text)
    for index, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if index == 0 and cell["cell_type"] == "markdown":
            source = with_block(source, badges(repo, name))
        elif "setup" in cell.get("metadata", {}).get("tags", []):
            source = REPO_LINE.sub(f'REPO = "{repo}"', source)
        cell["source"] = source.splitlines(keepends=True)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def linked_citation(text: str, repo: str) -> str:
    """CITATION.cff with the address as its `repository-code`."""
    return (
        CODE_LINE.sub("", text).rstrip("\n") + f'\nrepository-code: "https://github.com/{repo}"\n'
    )


def write_links(root: Path, repo: str) -> list[Path]:
    """Write the links below `root` and return the files that changed.

    Raises ValueError when `repo` is not of the form owner/name.
    """
    if not NAME.fullmatch(repo):
        raise ValueError(f"{repo!r} is no repository name: owner/name was expected, without a host")
    notebooks = sorted((root / "notebooks").glob("*.ipynb"))
    new: dict[Path, str] = {}
    for path in notebooks:
        new[path] = linked_notebook(path.read_text(encoding="utf-8"), repo, path.name)
    if (readme := root / "README.md").exists() and notebooks:
        block = badges(repo, notebooks[0].name)
        new[readme] = with_block(readme.read_text(encoding="utf-8"), block)
    if (citation := root / "CITATION.cff").exists():
        new[citation] = linked_citation(citation.read_text(encoding="utf-8"), repo)
    changed = [path for path, text in new.items() if path.read_text(encoding="utf-8") != text]
    for path in changed:
        half = path.with_name(path.name + ".tmp")
        half.write_text(new[path], encoding="utf-8")
        half.replace(path)
    return changed


def main() -> None:
    """Command line: one argument, the repository as owner/name."""
    parser = argparse.ArgumentParser(prog="env_lib.links", description=__doc__)
    parser.add_argument("repo", help="owner/name of the public repository")
    arguments = parser.parse_args()
    try:
        changed = write_links(Path(__file__).resolve().parents[1], arguments.repo)
    except ValueError as error:
        parser.error(str(error))
    for path in changed:
        print(f"linked {path.name}")
    if not changed:
        print("nothing to change")


if __name__ == "__main__":
    main()
