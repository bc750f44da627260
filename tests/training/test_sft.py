"""The warm start goes on from its own checkpoints alone."""

from env_lib.training.sft import last_checkpoint


def saved(folder, *steps):
    for step in steps:
        (folder / f"checkpoint-{step}").mkdir(parents=True)
        (folder / f"checkpoint-{step}" / "trainer_state.json").write_text("{}")


def test_the_newest_whole_checkpoint_is_gone_on_from(tmp_path):
    assert last_checkpoint(tmp_path, {"data": "a"}) is None
    saved(tmp_path, 9, 10)
    (tmp_path / "checkpoint-11").mkdir()  # cut short while it was written
    assert last_checkpoint(tmp_path, {"data": "a"}) == str(tmp_path / "checkpoint-10")


def test_a_checkpoint_of_other_inputs_is_removed(tmp_path):
    last_checkpoint(tmp_path, {"data": "a"})
    saved(tmp_path, 10)
    assert last_checkpoint(tmp_path, {"data": "b"}) is None
    assert not (tmp_path / "checkpoint-10").exists()


def test_a_checkpoint_of_unknown_inputs_is_removed(tmp_path):
    saved(tmp_path, 10)
    assert last_checkpoint(tmp_path, {"data": "a"}) is None
    assert not (tmp_path / "checkpoint-10").exists()
