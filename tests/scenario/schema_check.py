#!/usr/bin/env python3
"""Validates every scenarios/**/*.yaml against scenarios/schema.json.

Also sees that the schema refuses the malformed scenarios whose mistake a schema can express, so that it
does not pass by allowing everything.

    schema_check.py SOURCE_DIR     status 1 and one line per finding; 77 when a module is missing
"""

import json
import pathlib
import sys

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"schema_check: {error}", file=sys.stderr)
    sys.exit(77)

REFUSED = """
unknown-key unknown-lock-key unknown-client-key lock-is-text clients-is-list client-is-nothing no-clients
clients-empty title-is-list title-empty no-unit zero-without-unit unknown-unit no-duration duration-is-map
exponent client-name unknown-strategy unknown-guard guard-none-joined topology-later token-unknown
token-without-constant stock-fraction stock-negative db-out-of-range rounds-zero drift-without-unit flag-quoted
latency-without-max call-without-takes retry-word faults-is-map fault-without-kind fault-two-kinds
fault-without-length fault-misspelt-kind step-malformed step-unknown-phase step-of-a-span message-end
message-of-work flushall-false fault-is-text expect-unknown-strategy expect-empty expect-unknown-key
expect-unknown-cause expect-cause-twice expect-no-pair expect-outcome expect-range-empty expect-told
expect-commands expect-guard expect-guards-in-guard expect-damage expect-stuck expect-is-list
""".split()


def main(root):
    schema = json.loads((root / "scenarios/schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    findings = []
    for path in sorted((root / "scenarios").rglob("*.yaml")):
        for error in validator.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8"))):
            where = ".".join(str(part) for part in error.absolute_path)
            findings.append(f"{path}: {where}: {error.message[:200]}")
    for name in REFUSED:
        path = root / "tests/scenario/malformed" / f"{name}.yaml"
        if validator.is_valid(yaml.safe_load(path.read_text(encoding="utf-8"))):
            findings.append(f"{path}: the schema allows it")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
