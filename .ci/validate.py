#!/usr/bin/python3
"""Validates a JSON document against a JSON Schema: validate.py SCHEMA DOCUMENT."""

import json
import sys

import jsonschema


def main():
    schema, document = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    errors = list(validator(schema).iter_errors(document))
    for error in errors[:20]:
        print("/".join(map(str, error.absolute_path)) + ": " + error.message)
    print(f"{len(document.get('runs', []))} runs, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
