"""Orders read from objects and lists, checked, and written as sorted JSON."""

import json
from types import SimpleNamespace

from pydantic import BaseModel, RootModel, SerializeAsAny, validate_call


class Item(BaseModel):
    model_config = {"from_attributes": True, "coerce_numbers_to_str": True}
    sku: str
    price: int = 0


class Gift(Item):
    note: str = ""


class Order(BaseModel):
    model_config = {"frozen": True}
    first: SerializeAsAny[Item]


Prices = RootModel[list[int]]


@validate_call(config={"coerce_numbers_to_str": True})
def label(text: str):
    return text.upper()


def main(inputs):
    items = [Item.model_validate(SimpleNamespace(**row)) for row in inputs["items"]]
    prices = Prices([int(item.price) for item in items])
    order = Order(first=Gift(sku="gift", note=inputs["note"]))
    text = json.dumps(order.model_dump(), sort_keys=True)
    same = items[0].model_dump() == inputs["items"][0]
    return {"skus": [item.sku for item in items], "total": sum(prices.root), "text": text,
            "same": same, "label": label(inputs["label"])}
