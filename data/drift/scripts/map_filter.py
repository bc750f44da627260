"""Clean a small table of reviews: map, filter, sort, split, shard."""

import datasets
from datasets import Dataset, DownloadConfig
from datasets.download import DownloadManager


def main(inputs):
    datasets.disable_caching()
    manager = DownloadManager(download_config=DownloadConfig(max_retries=inputs["retries"]))
    data = Dataset.from_dict({"text": inputs["texts"], "stars": inputs["stars"]})
    data = data.filter(lambda row: row["stars"] != 3)
    data = data.map(lambda row: {"words": len(row["text"].split()), "good": row["stars"] > 3})
    data = data.sort("words", reverse=True)
    part = data.shard(num_shards=2, index=0, contiguous=True)
    split = data.train_test_split(test_size=0.5, seed=0, shuffle=False)
    return {"texts": list(data["text"]), "good": sum(data["good"]), "part": list(part["words"]),
            "held": len(split["test"]), "columns": data.column_names,
            "retries": manager.download_config.max_retries}
