"""A new file that its owner alone reads, to be filled and then renamed into place."""

import os
import tempfile
from pathlib import Path


def new_file(path: Path) -> Path:
    """A new empty file beside `path`, readable by its owner alone."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    os.close(handle)
    return Path(name)
