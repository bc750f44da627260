"""The Hugging Face helper, started once: training on a CPU, overlays, rows of the facts."""

import pytest

pytest.importorskip("trl", reason="the train extra is not installed")

from env_lib.envs.drift import verify
from env_lib.envs.drift.overlays import why_invalid
from env_lib.envs.drift.records import Change, Overlay
from env_lib.envs.drift.runner import NONE, kind_of, run
from env_lib.envs.drift.signature import signature

HEAD = (verify.folder() / "tiny.py").read_text("utf-8")
SFT = """
from trl import SFTConfig, SFTTrainer


def main(inputs):
    settings = SFTConfig(
        output_dir="out", max_steps=1, use_cpu=True, bf16=False, report_to="none",
        save_strategy="no", max_length=32, logging_strategy="no",
    )
    trainer = SFTTrainer(
        model=model(), args=settings, train_dataset=text_ds(), processing_class=tok()
    )
    return round(trainer.train().training_loss, 3)
"""


def test_trl_trains_on_a_cpu_with_the_loss_of_the_plain_model():
    plain = """
import torch


def main(inputs):
    batch = [tok()(text + " </s>")["input_ids"] for text in text_ds()["text"]]
    lost, count = 0.0, 0
    for ids in batch:
        ids = torch.tensor([ids])
        logs = model()(input_ids=ids).logits[:, :-1].log_softmax(-1)
        lost -= float(logs.gather(-1, ids[:, 1:, None]).sum())
        count += ids.shape[1] - 1
    return round(lost / count, 3)
"""
    report = run(HEAD + SFT, [0])
    assert report.ok, report.traceback_end
    assert any(name.endswith("SFTTrainer") for name in report.work)
    assert any(name.endswith("Trainer.train") for name in report.work)
    [wanted] = run(HEAD + plain, [0]).values
    assert report.values[0] == pytest.approx(wanted, abs=0.15)


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (
            Change("rename_kwarg", "transformers.Trainer", "processing_class", "text_processor"),
            "processing_class=",
            "text_processor=",
        ),
        (
            Change("rename_kwarg", "transformers.TrainingArguments", "save_strategy", "keep_when"),
            "save_strategy=",
            "keep_when=",
        ),
        (
            Change("rename_symbol", "trl.SFTTrainer", "SFTTrainer", "TextTrainer"),
            "SFTTrainer",
            "TextTrainer",
        ),
        (
            Change("rename_symbol", "transformers.Trainer.train", "train", "learn"),
            "trainer.train(",
            "trainer.learn(",
        ),
        (Change("rename_column", "trl.SFTTrainer", "text", "content"), '"text"', '"content"'),
    ],
    ids=lambda value: f"{value.primitive}-{value.old}" if isinstance(value, Change) else "",
)
def test_overlays_drift_whole_class_trees(change, old, new):
    healthy = HEAD + SFT
    assert why_invalid(healthy, healthy.replace(old, new), [0], Overlay((change,))) == ""


def test_a_tokenizer_gives_and_takes_other_words():
    source = f'{HEAD}\n\ndef main(inputs):\n    return tok()("hello world")["input_ids"]\n'
    call = "transformers.PreTrainedTokenizerFast.__call__"
    renamed = Overlay((Change("rename_column", call, "input_ids", "token_ids"),))
    assert why_invalid(source, source.replace("input_ids", "token_ids"), [0], renamed) == ""
    dropped = Overlay((Change("remove_kwarg", call, "padding", "False"),))
    padded = source.replace('world")', 'world", padding=False)')
    assert why_invalid(padded, source, [0], dropped) == ""


def test_signatures_of_subclasses_show_the_drift():
    change = Change("rename_kwarg", "transformers.TrainingArguments", "eval_strategy", "judge_when")
    shown = signature("trl.SFTConfig", Overlay((change,)), "judge_when", 200)
    assert "judge_when=" in shown
    assert "eval_strategy=" not in signature("trl.SFTConfig", Overlay((change,)), budget=20_000)


def test_a_sample_of_rows_holds():
    found = [row for row in verify.rows() if not verify.unfit(row)]
    found = [row for row in found if kind_of(row["old_snippet"], NONE) == "hugging"]
    verdicts = verify.verify(found[:: len(found) // 8])
    assert [verdict for verdict in verdicts if verdict.reason] == []
