"""What libraries find out once about their process, found out before the walls stand."""

from __future__ import annotations

import sys


def thread_pools() -> None:
    """Let scikit-learn see which pools of threads there are: it reads them from /proc."""
    parallel = sys.modules.get("sklearn.utils.parallel")
    find = getattr(parallel, "_get_threadpool_controller", None)
    if find is not None:
        find()


thread_pools()
