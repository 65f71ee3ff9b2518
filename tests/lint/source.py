"""C++ sources as the lints see them: the files of some folders, without comments and literals."""

import pathlib
import re

SOURCE_DIR = pathlib.Path(__file__).resolve().parents[2]

_SKIPPED = re.compile(
    r"""//[^\n]*                                      # a comment to the end of the line
      | /\*.*?\*/                                     # a comment
      | R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"          # a raw string
      | "(?:\\.|[^"\\\n])*"                           # a string
      | (?<![0-9a-zA-Z])'(?:\\.|[^'\\\n])+'           # a character (not a digit separator)
    """,
    re.DOTALL | re.VERBOSE,
)


def strip(text):
    """Replaces comments by blanks and literals by empty ones; every line keeps its number."""

    def blank(match):
        skipped = match.group(0)
        newlines = "\n" * skipped.count("\n")
        if skipped.startswith("//") or skipped.startswith("/*"):
            return " " + newlines
        return ("''" if skipped.startswith("'") else '""') + newlines

    # An #include keeps its name: it is no literal.
    lines = text.split("\n")
    includes = {i: line for i, line in enumerate(lines) if re.match(r"\s*#\s*include\b", line)}
    for i in includes:
        lines[i] = ""
    stripped = _SKIPPED.sub(blank, "\n".join(lines)).split("\n")
    for i, line in includes.items():
        stripped[i] = line
    return "\n".join(stripped)


def files(root, folders):
    """Every C++ file below some folders of a source tree, in a fixed order."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                yield path


def line_of(text, position):
    return text.count("\n", 0, position) + 1
