"""Pack numbers into bytes, read them back, and check and boost a small table."""

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.utils import check_array


def main(inputs):
    packed = np.array(inputs["numbers"], dtype="u1").tobytes()
    back = np.frombuffer(packed, dtype="u1")
    pairs = np.frombuffer(packed, dtype="<u2")
    table = check_array(
        [[np.nan if cell is None else cell for cell in row] for row in inputs["table"]],
        ensure_all_finite=False,
    )
    missing = np.isnan(table)
    filled = np.where(missing, np.nanmean(table, axis=0), table)
    model = AdaBoostClassifier(n_estimators=5, random_state=0).fit(filled, inputs["labels"])
    return {"length": len(packed), "back": back.tolist(), "pairs": pairs.tolist(),
            "missing": int(missing.sum()), "filled": np.round(filled, 2).tolist(),
            "right": int((model.predict(filled) == inputs["labels"]).sum())}
