"""Cut a log into sessions and describe them by hour."""

import io

import numpy as np
import pandas as pd


def main(inputs):
    log = pd.read_csv(io.StringIO(inputs["log"]), sep=r"\s+")
    log["at"] = pd.to_datetime(log["at"]).astype("datetime64[ns]")
    log = log.sort_values("at", ignore_index=True)
    gap = log.groupby("user")["at"].diff().dt.total_seconds() // 60
    log["session"] = (gap.isna() | (gap > inputs["minutes"])).groupby(log["user"]).cumsum()
    hours = log.set_index("at")["ms"].resample("h").mean().ffill()
    slots = pd.date_range(log["at"].iloc[0], periods=3, freq="30min")
    seconds = log["at"].astype("int64") // 10**9
    wide = log.pivot_table(index="user", columns="session", values="ms", aggfunc="count")
    long = wide.stack().dropna()
    meta = pd.read_json(io.StringIO(inputs["meta"]), typ="series")
    speed = (1000 / log["ms"]).replace(np.inf, np.nan)
    return {"sessions": int(log["session"].max()), "hours": hours.round(1).tolist(),
            "slots": [str(slot.time()) for slot in slots], "span": int(seconds.iloc[-1] - seconds.iloc[0]),
            "long": [int(x) for x in long.to_list()], "shape": list(wide.transpose().shape),
            "meta": {name: int(value) for name, value in meta.items()}, "stalled": int(speed.isna().sum())}
