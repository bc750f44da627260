"""Settings of a service, checked by pydantic models."""

import json
from typing import List, Literal, Optional, Union

from pydantic import BaseModel, Field, ValidationError, field_validator


class Service(BaseModel):
    model_config = {"populate_by_name": True, "str_strip_whitespace": True}
    name: str = Field(pattern="^[a-z]+$")
    port: int = Field(8080, alias="service_port")
    kind: Literal["http"] = "http"
    owner: Optional[str] = None
    tags: List[str] = Field([])
    limit: Union[int, str] = Field(0, union_mode="left_to_right")
    retries: int = 3

    @field_validator("name")
    def known(cls, value, info):
        return f"{info.field_name}:{value}"


def main(inputs):
    made, errors = [], []
    for row in inputs["services"]:
        try:
            made.append(Service(**row))
        except ValidationError as error:
            errors.append(error.errors()[0]["type"])
    required = [name for name, field in Service.model_fields.items() if field.is_required()]
    return {"made": [json.dumps(one.model_dump()) for one in made], "errors": errors,
            "required": required, "port": Service.model_fields["port"].annotation.__name__}
