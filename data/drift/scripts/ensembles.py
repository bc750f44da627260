"""Compare small ensembles on a table of two classes."""

from sklearn.datasets import load_diabetes
from sklearn.ensemble import BaggingClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.inspection import PartialDependenceDisplay
from sklearn.tree import DecisionTreeClassifier


def main(inputs):
    rows, target = load_diabetes(return_X_y=True)
    rows = rows[: inputs["rows"], : inputs["columns"]]
    labels = (target[: inputs["rows"]] > inputs["cut"]).astype(int)
    models = {
        "bagging": BaggingClassifier(
            estimator=DecisionTreeClassifier(max_depth=2), n_estimators=5, random_state=0
        ),
        "forest": RandomForestClassifier(5, max_features="sqrt", random_state=0),
        "boosting": GradientBoostingClassifier(loss="log_loss", n_estimators=5, random_state=0),
    }
    right = {}
    for name, model in models.items():
        right[name] = int((model.fit(rows, labels).predict(rows) == labels).sum())
    shown = PartialDependenceDisplay.from_estimator(models["forest"], rows, [0], grid_resolution=4)
    trees = len(models["bagging"].estimators_) + len(models["forest"].estimators_)
    return {"right": right, "trees": trees, "curves": len(shown.pd_results),
            "best": max(right, key=right.get), "positive": int(labels.sum())}
