#!/usr/bin/env python3
"""Holds the folders to their layers, and the layers that must be deterministic to determinism.

A folder is a layer and includes only its own files and layers above it in LAYERS. Up to reports/,
nothing may depend on sockets, files, threads, the machine's clocks or the standard library's random
numbers, or walk a container whose order is not the same everywhere. Time, worlds and locks know no
floating point.

    layers.py [SOURCE_DIR]     checks a source tree; status 1 and one line per finding
    layers.py --self-test      feeds it one bad snippet per rule and sees each found
"""

import pathlib
import re
import sys
import tempfile

import source

LAYERS = ["sim/core", "sim/redis", "sim/world", "sim/locks", "sim/history", "reports",
          "sim/scenario", "sim/explore", "sim/live", "sim/cli"]
# Verdicts and pictures are made from histories alone, wherever these come from.
NARROWER = {"sim/history": ["sim/core"], "reports": ["sim/core", "sim/history"]}
DETERMINISTIC = LAYERS[: LAYERS.index("reports") + 1]
NO_FLOATING_POINT = ["sim/core", "sim/world", "sim/locks"]

BANNED_INCLUDES = re.compile(
    r"boost/asio.*|asio.*|thread|mutex|shared_mutex|condition_variable|future|stop_token|semaphore|"
    r"fstream|filesystem|random|chrono|ctime|time\.h|sys/time\.h|sys/socket\.h|pthread\.h")
BANNED_CODE = [
    (re.compile(r"\b\w+_distribution\b"), "differs between standard libraries"),
    (re.compile(r"\brandom_device\b|\bstd::s?rand\b|\bmt19937\w*"), "is not the simulator's random"),
    (re.compile(r"\b(system|steady|high_resolution)_clock\b|\b(gettimeofday|clock_gettime)\s*\(|"
                r"\bstd::time\s*\("), "reads the machine's clock"),
    (re.compile(r"\b(unordered_)?(map|set|multimap|multiset)<\s*(const\s+)?[\w:]+\s*\*"),
     "is ordered by addresses"),
]
FLOATING_POINT = re.compile(r"\b(float|double)\b")
INCLUDE = re.compile(r"^\s*#\s*include\s*([<\"])([^>\"]+)[>\"]", re.MULTILINE)
UNORDERED = re.compile(r"\bunordered_(?:multi)?(?:map|set)\s*<")


def layer_of(name):
    """The layer that a path relative to the source tree belongs to, or None."""
    matches = [layer for layer in LAYERS if name.startswith(layer + "/")]
    return matches[0] if matches else None


def may_include(layer, other):
    if layer == other:
        return True
    return other in NARROWER.get(layer, LAYERS[: LAYERS.index(layer)])


def unordered_names(text):
    """Names declared as unordered containers."""
    names = set()
    for match in UNORDERED.finditer(text):
        depth, i = 1, match.end()
        while i < len(text) and depth > 0:
            depth += {"<": 1, ">": -1}.get(text[i], 0)
            i += 1
        declared = re.match(r"\s*[&*]?\s*(\w+)", text[i:])
        if declared:
            names.add(declared.group(1))
    return names


def check_file(root, path):
    name = path.relative_to(root).as_posix()
    layer = layer_of(name)
    if layer is None:
        return
    text = source.strip(path.read_text(encoding="utf-8"))

    def finding(position, message):
        return f"{name}:{source.line_of(text, position)}: {message}"

    for match in INCLUDE.finditer(text):
        other = layer_of(match.group(2)) if match.group(1) == '"' else None
        if other is not None and not may_include(layer, other):
            yield finding(match.start(1), f"{layer} may not include {other}")
        if layer in DETERMINISTIC and BANNED_INCLUDES.fullmatch(match.group(2)):
            yield finding(match.start(1), f"{layer} may not include <{match.group(2)}>")
    if layer in DETERMINISTIC:
        for pattern, reason in BANNED_CODE:
            for match in pattern.finditer(text):
                yield finding(match.start(), f"{match.group(0).strip()} {reason}")
        twin = path.with_suffix(".h" if path.suffix == ".cc" else ".cc")
        names = unordered_names(text)
        if twin.exists():
            names |= unordered_names(source.strip(twin.read_text(encoding="utf-8")))
        for unordered in sorted(names):
            walk = re.compile(rf"for\s*\([^;()]*:\s*\*?(this->)?{unordered}\s*\)|"
                              rf"\b{unordered}(\.|->)c?begin\s*\(")
            for match in walk.finditer(text):
                yield finding(match.start(), f"{unordered} is unordered: its order is not the same "
                                             "everywhere")
    if layer in NO_FLOATING_POINT:
        for match in FLOATING_POINT.finditer(text):
            yield finding(match.start(), f"{layer} knows no floating point")


def check(root):
    findings = []
    for path in source.files(root, LAYERS):
        findings.extend(check_file(root, path))
    return findings


# Each is a file that must be found at fault, and what the finding must say.
BAD = [
    ("sim/core/a.h", '#include "sim/redis/server.h"\n', "sim/core may not include sim/redis"),
    ("sim/world/a.h", '#include "sim/history/history.h"\n', "sim/world may not include sim/history"),
    ("sim/locks/a.h", '#include "sim/history/history.h"\n', "sim/locks may not include sim/history"),
    ("sim/history/a.cc", '#include "sim/world/world.h"\n', "sim/history may not include sim/world"),
    ("reports/a.cc", '#include "sim/redis/server.h"\n', "reports may not include sim/redis"),
    ("reports/a.cc", '#include "sim/scenario/read.h"\n', "reports may not include sim/scenario"),
    ("sim/core/a.cc", "#include <boost/asio.hpp>\n", "may not include <boost/asio.hpp>"),
    ("sim/redis/a.cc", "#include <thread>\n", "may not include <thread>"),
    ("reports/a.cc", "#include <fstream>\n", "may not include <fstream>"),
    ("sim/world/a.cc", "#include <random>\n", "may not include <random>"),
    ("sim/world/a.cc", "#include <chrono>\n", "may not include <chrono>"),
    ("sim/core/a.cc", "std::uniform_int_distribution<int> d;\n", "differs between"),
    ("sim/core/a.cc", "std::random_device d;\n", "is not the simulator's random"),
    ("sim/core/a.cc", "auto t = std::chrono::system_clock::now();\n", "reads the machine's clock"),
    ("sim/locks/a.cc", "std::map<const Client*, int> m;\n", "is ordered by addresses"),
    ("sim/redis/a.cc", "std::unordered_map<std::string, std::vector<int>> m;\n"
                       "void f() { for (auto& [k, v] : m) g(v); }\n", "a.cc:2: m is unordered"),
    ("sim/redis/a.cc", "std::unordered_set<int> m;\nauto i = m.begin();\n", "a.cc:2: m is unordered"),
    ("sim/core/a.h", "double seconds;\n", "sim/core knows no floating point"),
    ("sim/world/a.h", "float drift;\n", "sim/world knows no floating point"),
    ("sim/locks/a.h", "double jitter;\n", "sim/locks knows no floating point"),
]
GOOD = [
    ("sim/core/a.h", "// a double release on a thread; std::map<A*, int>\n"
                     'const char* text = "double system_clock #include <thread>";\n'),
    ("sim/redis/a.h", '#include "sim/core/time.h"\ndouble score;\nint n = 1\'000\'000;\n'),
    ("sim/redis/b.h", "std::unordered_map<int, int> m;\nint f() { return m.at(1); }\n"),
    ("sim/history/a.h", '#include "sim/core/event.h"\n'),
    ("reports/a.h", '#include "sim/history/verdict.h"\n'),
    ("sim/cli/a.cc", '#include <fstream>\n#include "reports/text.h"\n'),
]


def self_test():
    missed = []
    for name, text, expected in BAD:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            if not any(expected in finding for finding in check(pathlib.Path(folder))):
                missed.append(f"not found: {expected}, in {name}: {text!r}")
    for name, text in GOOD:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            missed.extend(f"wrongly found: {f}" for f in check(pathlib.Path(folder)))
    return missed


def main():
    if sys.argv[1:] == ["--self-test"]:
        findings = self_test()
    else:
        findings = check(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else source.SOURCE_DIR)
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
