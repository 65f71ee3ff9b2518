#!/usr/bin/env python3
"""Holds a JSON document against a JSON Schema (draft-07).

    validate_json.py SCHEMA DOCUMENT

Prints every error with its place. Exit status: 0 valid, 1 not valid, 77 no jsonschema module here.
"""

import json
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed", file=sys.stderr)
    sys.exit(77)


def main(schema_path, document_path):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    with open(document_path, encoding="utf-8") as file:
        document = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    errors = list(jsonschema.Draft7Validator(schema).iter_errors(document))
    for error in errors:
        place = "/".join(str(part) for part in error.absolute_path)
        print(f"{place}: {error.message[:500]}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
