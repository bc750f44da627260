"""A monthly sales report: clean the rows, group them, fill the gaps."""

import io

import pandas as pd


def main(inputs):
    sales = pd.read_csv(io.StringIO(inputs["csv"]), parse_dates=["day"], date_format="%Y/%m/%d")
    sales["shop"] = sales["shop"].str.strip()
    whole = sales.set_index("day")["amount"].resample("ME").sum()
    quarters = sales.set_index("day")["amount"].resample("QE").sum()
    share = sales.groupby("shop")["amount"].sum() / sales["amount"].sum()
    table = sales.pivot_table(index="shop", columns="kind", values="amount", aggfunc="sum")
    filled = table.ffill().map(lambda value: round(value, 1))
    counts = sales["kind"].value_counts()
    biggest = sales.groupby(["shop"]).get_group((inputs["shop"],))["amount"].max()
    growth = whole.ffill().pct_change()
    codes = (sales["kind"] == "toys").astype("int64")
    return {"months": whole.tolist(), "quarters": quarters.tolist(), "share": share.round(2).tolist(),
            "first": filled.iloc[-1].tolist(), "counts": counts.to_dict(), "biggest": int(biggest),
            "growth": [round(x, 2) for x in growth.dropna().tolist()], "codes": codes.to_numpy().tolist()}
