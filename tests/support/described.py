"""Whether JSON values are as a description of an API says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

KINDS = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict}


def complaints(value: Any, schema: dict[str, Any], schemas: dict[str, Any], where: str = "reply") -> Iterator[str]:
    """What is wrong with a value, by the few words of JSON Schema that the file uses."""
    if "$ref" in schema:
        yield from complaints(value, schemas[schema["$ref"].rpartition("/")[2]], schemas, where)
        return
    if "anyOf" in schema:
        if all(list(complaints(value, one, schemas, where)) for one in schema["anyOf"]):
            yield f"{where}: none of the schemas fits"
        return
    kinds = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [])
    if kinds and not any(value is None if kind == "null" else isinstance(value, KINDS[kind]) for kind in kinds):
        yield f"{where}: expected {kinds}, found {value!r}"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{where}: expected one of {schema['enum']}, found {value!r}"
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from complaints(one, schema.get("items", {}), schemas, f"{where}[{i}]")
    elif isinstance(value, dict):
        yield from (f"{where}: {name} is missing" for name in schema.get("required", ()) if name not in value)
        for name, one in value.items():
            rest = schema.get("additionalProperties", True)
            own = schema.get("properties", {}).get(name, rest)
            if own is False:
                yield f"{where}: {name} is not described"
            elif own is not True:
                yield from complaints(one, own, schemas, f"{where}.{name}")
