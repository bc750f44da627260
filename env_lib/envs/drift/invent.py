"""Further drifts of what the seed scripts use: invented names, and defaults that changed.

Nothing here is checked: `making` runs each and keeps what breaks a script and can be mended. Only
drifts are offered that an agent can find out: by the traceback, by `inspect`, or by trying. A
symbol that moved is none, since nothing tells where to, and no return with an invented key.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from env_lib.envs.drift import proposals, reading
from env_lib.envs.drift.looking import bindings
from env_lib.envs.drift.proposals import invented
from env_lib.envs.drift.records import Change
from env_lib.envs.drift.runner import LIBRARIES

_TEXT = "sklearn.feature_extraction.text"
METHODS = {
    "groupby": "pandas.DataFrame.groupby",
    "pivot_table": "pandas.DataFrame.pivot_table",
    "sort_values": "pandas.DataFrame.sort_values",
    "set_index": "pandas.DataFrame.set_index",
    "to_csv": "pandas.DataFrame.to_csv",
    "corr": "pandas.DataFrame.corr",
    "drop": "pandas.DataFrame.drop",
    "resample": "pandas.Series.resample",
    "value_counts": "pandas.Series.value_counts",
    "pct_change": "pandas.Series.pct_change",
    "sort_index": "pandas.Series.sort_index",
    "squeeze": "pandas.DataFrame.squeeze",
    "apply_chat_template": "transformers.PreTrainedTokenizerFast.apply_chat_template",
    "generate": "transformers.LlamaForCausalLM.generate",
    "get_seq_length": "transformers.DynamicCache.get_seq_length",
    "predict": "transformers.Trainer.predict",
    "evaluate": "transformers.Trainer.evaluate",
    "shard": "datasets.Dataset.shard",
    "train_test_split": "datasets.Dataset.train_test_split",
    "from_dict": "datasets.Dataset.from_dict",
    "from_list": "datasets.Dataset.from_list",
    "with_format": "datasets.Dataset.with_format",
    "to_pandas": "datasets.Dataset.to_pandas",
    "get_nb_trainable_parameters": "peft.PeftModel.get_nb_trainable_parameters",
    "merge_and_unload": "peft.tuners.lora.LoraModel.merge_and_unload",
    "get_feature_names_out": f"{_TEXT}.CountVectorizer.get_feature_names_out",
    "model_dump": "pydantic.BaseModel.model_dump",
    "model_validate": "pydantic.BaseModel.model_validate",
    "autocast": "accelerate.Accelerator.autocast",
    "legend": "matplotlib.axes.Axes.legend",
    "stem": "matplotlib.axes.Axes.stem",
    "contour": "matplotlib.axes.Axes.contour",
    "sharex": "matplotlib.axes.Axes.sharex",
    "set_xlim": "matplotlib.axes.Axes.set_xlim",
}
"""Method as scripts call it -> where it lives; told by hand, since a script does not say it."""

_LLAMA = (
    ("transformers.LlamaConfig", "initializer_range", "0.02", "0.6"),
    ("transformers.LlamaConfig", "tie_word_embeddings", "False", "True"),
    ("transformers.LlamaConfig", "hidden_act", "'silu'", "'relu'"),
    ("transformers.LlamaConfig", "attention_bias", "False", "True"),
    ("transformers.LlamaConfig", "mlp_bias", "False", "True"),
)
DEFAULTS = (
    *_LLAMA,
    ("transformers.TrainingArguments", "learning_rate", "5e-05", "0.5"),
    ("transformers.TrainingArguments", "dataloader_drop_last", "False", "True"),
    ("transformers.TrainingArguments", "weight_decay", "0.0", "30.0"),
    ("transformers.TrainingArguments", "max_grad_norm", "1.0", "0.0001"),
    ("pandas.DataFrame.groupby", "sort", "True", "False"),
    ("pandas.DataFrame.pivot_table", "dropna", "True", "False"),
    ("pandas.DataFrame.pivot_table", "fill_value", "None", "0"),
    ("pandas.DataFrame.sort_values", "ascending", "True", "False"),
    ("pandas.DataFrame.to_csv", "index", "True", "False"),
    ("pandas.DataFrame.to_csv", "header", "True", "False"),
    ("pandas.DataFrame.corr", "method", "'pearson'", "'spearman'"),
    ("pandas.Series.value_counts", "normalize", "False", "True"),
    ("pandas.Series.value_counts", "ascending", "False", "True"),
    ("pandas.Series.pct_change", "periods", "1", "2"),
    ("pandas.Series.resample", "closed", "None", "'left'"),
    ("pandas.Series.sort_index", "ascending", "True", "False"),
    ("pandas.to_datetime", "dayfirst", "False", "True"),
    ("pandas.api.typing.SeriesGroupBy.diff", "periods", "1", "2"),
    ("numpy.isin", "invert", "False", "True"),
    ("numpy.trapezoid", "dx", "1.0", "0.5"),
    ("sklearn.feature_extraction.text.CountVectorizer", "ngram_range", "(1, 1)", "(1, 2)"),
    ("sklearn.feature_extraction.text.CountVectorizer", "binary", "False", "True"),
    ("sklearn.feature_extraction.text.CountVectorizer", "min_df", "1", "2"),
    ("sklearn.feature_extraction.text.CountVectorizer", "max_features", "None", "2"),
    ("sklearn.linear_model.LinearRegression", "fit_intercept", "True", "False"),
    ("sklearn.linear_model.LinearRegression", "positive", "False", "True"),
    ("sklearn.preprocessing.OneHotEncoder", "drop", "None", "'first'"),
    ("sklearn.datasets.load_diabetes", "scaled", "True", "False"),
    ("sklearn.ensemble.RandomForestClassifier", "max_depth", "None", "1"),
    ("sklearn.ensemble.RandomForestClassifier", "min_samples_leaf", "1", "9"),
    ("sklearn.ensemble.RandomForestClassifier", "bootstrap", "True", "False"),
    ("sklearn.ensemble.GradientBoostingClassifier", "max_depth", "3", "1"),
    ("sklearn.ensemble.GradientBoostingClassifier", "learning_rate", "0.1", "0.01"),
    ("sklearn.ensemble.GradientBoostingClassifier", "subsample", "1.0", "0.3"),
    ("sklearn.ensemble.BaggingClassifier", "max_samples", "None", "0.2"),
    ("sklearn.ensemble.BaggingClassifier", "bootstrap", "True", "False"),
    ("sklearn.ensemble.BaggingClassifier", "max_features", "1.0", "0.3"),
    ("sklearn.linear_model.LogisticRegression", "fit_intercept", "True", "False"),
    ("sklearn.linear_model.LogisticRegression", "C", "1.0", "0.01"),
    ("sklearn.manifold.TSNE", "n_components", "2", "3"),
    ("scipy.signal.windows.hann", "sym", "True", "False"),
    ("scipy.integrate.cumulative_trapezoid", "initial", "None", "0"),
    ("scipy.stats.binomtest", "p", "0.5", "0.4"),
    ("scipy.stats.binomtest", "alternative", "'two-sided'", "'greater'"),
    ("torch.nn.Linear", "bias", "True", "False"),
    ("torch.utils.data.DataLoader", "drop_last", "False", "True"),
    ("datasets.Dataset.sort", "null_placement", "'at_end'", "'at_start'"),
    ("peft.LoraConfig", "use_dora", "False", "True"),
    ("peft.LoraConfig", "init_lora_weights", "True", "False"),
    ("pydantic.BaseModel.model_dump", "by_alias", "None", "True"),
    ("pydantic.BaseModel.model_dump", "exclude_none", "False", "True"),
    ("pydantic.BaseModel.model_dump", "exclude_defaults", "False", "True"),
    ("pydantic.BaseModel.model_dump", "exclude_unset", "False", "True"),
    ("trl.SFTConfig", "learning_rate", "2e-05", "0.5"),
    ("trl.SFTConfig", "packing", "False", "True"),
    ("trl.SFTConfig", "dataset_text_field", "'text'", "'prompt'"),
    ("trl.DPOConfig", "learning_rate", "1e-06", "0.9"),
    ("trl.RewardConfig", "learning_rate", "0.0001", "5.0"),
    ("trl.GRPOConfig", "max_completion_length", "512", "64"),
)
"""Callable, keyword, its default, another one: what may change a result and raise nothing."""

KEPT = {"random_state", "seed", "use_cpu", "bf16", "report_to", "save_strategy"}
"""Keywords without which a script would depend on chance or on the machine: never removed."""


def names(source: str, rng: random.Random) -> list[tuple[Change, str]]:
    """Return (breakage, "") of keywords, names and returns that a script uses, in random order."""
    found: list[Change] = []
    for call in reading.calls(source):
        path = _path(call, source)
        if not path:
            continue
        for word in call.keywords:
            if word.arg:
                found.append(Change("rename_kwarg", path, word.arg, invented(word.arg, rng)))
                if isinstance(word.value, ast.Constant) and word.arg not in KEPT:
                    found.append(Change("remove_kwarg", path, word.arg, ""))
        last = path.rpartition(".")[2]
        if last[:1].islower() and last not in ("main", "seed", "manual_seed"):
            found.append(Change("change_return", path, last, "[0]"))
            if path in METHODS.values():
                found.append(Change("rename_symbol", path, last, invented(last, rng)))
    for name, path in bindings(source).items():
        if path.rpartition(".")[2] == name and "." in path:
            found.append(Change("rename_symbol", path, name, invented(name, rng)))
    found += others(source, rng)
    made = [one for one in dict.fromkeys(found) if one.target.partition(".")[0] in LIBRARIES]
    rng.shuffle(made)
    return [(change, "") for change in made]


def others(source: str, rng: random.Random) -> list[Change]:
    """Return removals, columns, tokenizer keywords, and places that become keywords."""
    found = proposals.removed(source) + proposals.renamed_columns(source, rng)
    found += proposals.tokenizer_keywords(source)
    for call in reading.calls(source):
        path = _path(call, source)
        if path:
            found += proposals.keyword_alone(call, path)
    return found


def _path(call: ast.Call, source: str) -> str:
    path = reading.path_of(call, source)
    if "." in path and path.partition(".")[0] in bindings(source).values():
        return path
    if "." in path and path in bindings(source).values():
        return path
    if isinstance(call.func, ast.Attribute):
        root = METHODS.get(call.func.attr, "")
        return root if root.partition(".")[0] in _imported(source) else ""
    return ""


def _imported(source: str) -> set[str]:
    return {path.partition(".")[0] for path in bindings(source).values()}


def defaults(source: str) -> Iterator[tuple[Change, str]]:
    """Yield (breakage, old default) of keywords that a script leaves to their defaults."""
    words: dict[str, set[str]] = {}
    for call in reading.calls(source):
        name = ast.unparse(call.func).rpartition(".")[2]
        words.setdefault(name, set()).update(word.arg or "" for word in call.keywords)
    for target, keyword, was, new in DEFAULTS:
        last = target.rpartition(".")[2]
        known = target.partition(".")[0] in _imported(source)
        if known and keyword not in words.get(last, {keyword}):
            yield Change("change_default", target, keyword, new), was
