"""Build a calendar, read mixed dates, append readings and look at weeks."""

import io

import pandas as pd


def main(inputs):
    calendar = pd.date_range(inputs["start"], inputs["end"], inclusive="left")
    weeks = pd.DatetimeIndex(calendar).isocalendar().week
    dates = pd.to_datetime(inputs["dates"], format="mixed")
    readings = pd.Series(inputs["readings"], index=dates)
    readings = pd.concat([readings, pd.Series([0.0], index=[pd.Timestamp("2024-12-31")])])
    ordered = readings.sort_index()
    single = pd.read_csv(io.StringIO(inputs["column"])).squeeze("columns")
    pairs = [(stamp.day, value) for stamp, value in ordered.items()]
    return {"days": len(calendar), "weeks": sorted({int(week) for week in weeks}),
            "rising": bool(ordered.is_monotonic_increasing), "pairs": pairs, "single": single.tolist(),
            "sorted": bool(single.is_monotonic_increasing), "last": str(ordered.index[-1].date())}
