"""Score a regression and a classification model in several ways."""

from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.manifold import TSNE
from sklearn.metrics import brier_score_loss, log_loss, make_scorer, root_mean_squared_error
from sklearn.model_selection import cross_val_score


def main(inputs):
    rows = [[float(x)] for x in inputs["x"]]
    model = LogisticRegression().fit(rows, inputs["y"])
    chances = model.predict_proba(rows)[:, 1]
    error = root_mean_squared_error(inputs["y"], chances)
    brier = brier_score_loss(y_true=inputs["y"], y_proba=chances)
    scorer = make_scorer(log_loss, response_method="predict_proba", greater_is_better=False)
    loss = scorer(model, rows, inputs["y"])
    base = cross_val_score(DummyClassifier(), rows, inputs["y"], cv=2, params={})
    settings = TSNE(max_iter=inputs["iterations"]).get_params()
    return {"error": round(float(error), 2), "brier": round(float(brier), 2),
            "loss": round(float(loss), 2), "folds": len(base), "base": round(float(base.mean()), 2),
            "components": settings["n_components"], "right": int((model.predict(rows) == inputs["y"]).sum())}
