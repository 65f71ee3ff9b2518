#!/usr/bin/env python3
"""Finds the shapes of co_await that g++ 12.2 translates into wrong code, or not at all.

Each compiles without a warning and then destroys a value twice, uses one after its end, or takes the
wrong branch; a sanitizer sees it only where it runs. Name the value first:

    co_await f(Agg{a, b});             Agg arg{a, b}; co_await f(std::move(arg));
    x = c ? co_await g() : y;          if (c) x = co_await g(); else x = y;
    switch (co_await g()) {            const auto kind = co_await g(); switch (kind) {
    [&]() -> Task<> { ... }();         auto body = [&]() -> Task<> { ... }; body();

    coroutines.py [SOURCE_DIR]    checks a source tree; status 1 and one line per finding
    coroutines.py --self-test     feeds it one bad snippet per shape and sees each found
"""

import pathlib
import re
import sys

import source

FOLDERS = ["sim", "reports", "tests"]

BRACES = "braces in the same full-expression as co_await"
CONDITIONAL = "co_await inside a conditional operator"
SWITCH = "co_await in the condition of a switch"
INVOKED = "a coroutine lambda with captures, invoked where it stands"

CONDITION_WORDS = ("if", "constexpr", "while", "for", "switch")

_TOKEN = re.compile(r"[A-Za-z_]\w*|[()\[\]{};,?]")
_BLOCK_HEAD = re.compile(
    r"(^|[;{}):]|\b(else|do|try|const|noexcept|mutable|override|final|constexpr)|->[^;{}()=]*|"
    r"\b(struct|class|union|enum|namespace)\b[^;{}()=]*)\s*$")
_LAMBDA_HEAD = re.compile(
    r"\[(?P<captures>[^\[\]]*)\]\s*(<[^{}]*>\s*)?(\((?:[^()]|\([^()]*\))*\)\s*)?"
    r"((mutable|noexcept|constexpr)\s*)*(->[^;{}()=]*)?$")


class Statement:
    """One full-expression: what stands between two block braces or semicolons."""

    def __init__(self):
        self.awaits = []        # positions of co_await
        self.has_braces = False
        self.conditionals = 0   # brackets inside which a `?` is open


class Bracket:
    def __init__(self, kind, position):
        self.kind = kind             # "(", "[", "{" for an initializer, "block"
        self.position = position
        self.conditional = False     # a `?` was met directly in this bracket
        self.is_switch = False
        self.is_condition = False    # of an if, a loop or a switch: a full-expression of its own
        self.statement = None        # what a block interrupted
        self.is_coroutine = False


def check_text(text):
    """Yields (position, message) for a source without comments and literals."""
    statement = Statement()
    brackets = [Bracket("block", 0)]
    previous = ""

    def finish():
        nonlocal statement
        if statement.awaits and statement.has_braces:
            yield statement.awaits[0], BRACES
        statement = Statement()

    def close_conditional(bracket):
        if bracket.conditional:
            bracket.conditional = False
            statement.conditionals -= 1

    for match in _TOKEN.finditer(text):
        token, position = match.group(0), match.start()
        top = brackets[-1]
        if token in ("co_await", "co_return", "co_yield"):
            for bracket in reversed(brackets):
                if bracket.kind == "block" and bracket.statement is not None:
                    bracket.is_coroutine = True
                    if _LAMBDA_HEAD.search(text[max(0, bracket.position - 400):bracket.position]):
                        break
            if token == "co_await":
                statement.awaits.append(position)
                if statement.conditionals > 0:
                    yield position, CONDITIONAL
                for bracket in reversed(brackets):
                    if bracket.kind == "block":
                        break
                    if bracket.is_switch:
                        yield position, SWITCH
        elif token in "([":
            brackets.append(Bracket(token, position))
            brackets[-1].is_switch = token == "(" and previous == "switch"
            brackets[-1].is_condition = token == "(" and previous in CONDITION_WORDS
        elif token == "{":
            # In an initializer or an argument list only a lambda's body is a block.
            head = text[max(0, position - 400):position]
            is_lambda = _LAMBDA_HEAD.search(head) is not None
            is_block = is_lambda or (top.kind == "block" and _BLOCK_HEAD.search(head) is not None)
            if is_block:
                bracket = Bracket("block", position)
                if is_lambda:
                    bracket.statement = statement
                    statement = Statement()
                else:
                    yield from finish()
                    bracket.statement = Statement()
                brackets.append(bracket)
            else:
                statement.has_braces = True
                brackets.append(Bracket("{", position))
        elif token in ")]}":
            if len(brackets) == 1:
                continue  # unbalanced: the preprocessor has split something
            bracket = brackets.pop()
            close_conditional(bracket)
            if bracket.is_condition:
                yield from finish()
            elif bracket.kind == "block":
                yield from finish()
                statement = bracket.statement
                lambda_head = _LAMBDA_HEAD.search(
                    text[max(0, bracket.position - 400):bracket.position])
                if (bracket.is_coroutine and lambda_head and lambda_head.group("captures").strip()
                        and re.match(r"\s*\(", text[match.end():])):
                    yield bracket.position, INVOKED
        elif token == ";":
            close_conditional(top)
            yield from finish()
        elif token == ",":
            close_conditional(top)
        elif token == "?":
            if not top.conditional:
                top.conditional = True
                statement.conditionals += 1
        previous = token


def check(root):
    findings = []
    for path in source.files(root, FOLDERS):
        text = source.strip(path.read_text(encoding="utf-8"))
        if "co_" not in text:
            continue
        for position, message in check_text(text):
            name = path.relative_to(root).as_posix()
            findings.append(f"{name}:{source.line_of(text, position)}: {message}")
    return findings


BAD = [
    (BRACES, "Task<> f() { co_await g(Agg{a, b}); }"),
    (BRACES, "Task<> f() { auto r = co_await g({a, b}); }"),
    (BRACES, "Task<> f() { auto r = co_await g({.key = a}); }"),
    (BRACES, "Task<> f() { if (co_await g({a})) { h(); } }"),
    (BRACES, "Task<> f() { h(Agg{a}, co_await g()); }"),
    (BRACES, "Task<> f() { Agg g{co_await a(), co_await b()}; }"),
    (BRACES, "Task<> f() { co_return {co_await a()}; }"),
    (BRACES, "Task<> f() { auto v = std::vector<int>{co_await a(), 1}; }"),
    (BRACES, "Task<> f() { co_await p.cmd({\"SET\", k, v}); }"),
    (BRACES, "auto f = [&](int n) -> Task<int> { co_return co_await g(Agg{n}); };"),
    (CONDITIONAL, "Task<> f() { auto r = c ? co_await a() : b; }"),
    (CONDITIONAL, "Task<> f() { auto r = c ? b : co_await a(); }"),
    (CONDITIONAL, "Task<> f() { co_return c ? co_await a() : co_await b(); }"),
    (CONDITIONAL, "Task<> f() { g(c ? h(co_await a()) : 0); }"),
    (SWITCH, "Task<> f() { switch (co_await a()) { case 1: break; } }"),
    (SWITCH, "Task<> f() { switch ((co_await a()).kind) { default: break; } }"),
    (INVOKED, "void f() { auto t = [&]() -> Task<> { co_await a(); }(); }"),
    (INVOKED, "Task<> f() { co_await [x](int n) -> Task<int> { co_return n + x; }(1); }"),
]
GOOD = [
    "Task<> f() { Agg arg{a, b}; co_await g(std::move(arg)); }",
    "Task<> f() { auto t = g(Agg{a, b}); co_await std::move(t); }",
    "Task<> f() { if (co_await g()) { h(Agg{a}); } else { h({b}); } }",
    "Task<> f() { if (n > Agg{}) co_await g(); while (h({})) co_await g(); }",
    "Task<> f() { for (auto& x : co_await g()) { h({x}); } }",
    "Task<> f() { const auto kind = co_await g(); switch (kind) { case A: { h({1}); } } }",
    "Task<> f() { const bool yes = (co_await g()).ok ? true : false; }",
    "Task<> f() { auto r = c ? a : b; co_await g(r); }",
    "Task<> f() { int n = 0; while (n < 3) { n += co_await g(c ? 1 : 2); } }",
    "Task<> f() { auto body = [&]() -> Task<> { co_await a(); }; co_await body(); }",
    "auto t = [](int n) -> Task<int> { co_return n; }(1);",
    "auto n = [&] { return Agg{a}; }();",
    "struct A { int n{0}; Task<> f() { co_await g(); } };",
    "Task<std::optional<int>> f() noexcept { co_return co_await g(); }",
]


def self_test():
    missed = []
    for expected, snippet in BAD:
        if expected not in [message for _, message in check_text(source.strip(snippet))]:
            missed.append(f"not found: {expected}, in: {snippet}")
    for snippet in GOOD:
        for _, message in check_text(source.strip(snippet)):
            missed.append(f"wrongly found: {message}, in: {snippet}")
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
