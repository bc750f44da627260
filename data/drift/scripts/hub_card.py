"""Write a model card, read it back, and plan how a checkpoint is cut into shards."""

import torch
from huggingface_hub import ModelCard, ModelCardData, split_torch_state_dict_into_shards
from torch.optim.lr_scheduler import LambdaLR


def main(inputs):
    data = ModelCardData(language="en", license="mit", tags=inputs["tags"], model_name="tiny")
    card = ModelCard(f"---\n{data.to_yaml()}\n---\n\n# {inputs['title']}\n")
    layer = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(inputs["layers"])])
    plan = split_torch_state_dict_into_shards(layer.state_dict(), max_shard_size=600)
    optimizer = torch.optim.SGD(layer.parameters(), lr=1.0)
    schedule = LambdaLR(optimizer, lambda step: 0.5**step)
    for _ in range(2):
        optimizer.step()
        schedule.step()
    values = torch.linalg.eigvalsh(torch.diag(torch.tensor(inputs["diagonal"])))
    return {"tags": card.data.tags, "license": card.data.license, "shards": len(plan.filename_to_tensors),
            "rate": schedule.get_last_lr(), "text": card.text.strip(), "values": values.tolist(),
            "rank": int(torch.linalg.matrix_rank(torch.diag(torch.tensor(inputs["diagonal"]))))}
