#!/usr/bin/env python3
"""Prints a random sample of comments, messages or test names with their places. Readers then judge their language.

usage: sample_comments.py SEED N [--comments | --messages | --tests]

Without a kind, prints N of each kind. The same seed and the same files give the same sample.
"""

import argparse
import ast
import io
import pathlib
import random
import re
import subprocess
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
C_SUFFIXES = {".cpp", ".hpp", ".c", ".h", ".in"}
C_TOKEN = re.compile(r'''(?P<raw>R"(?P<tag>[^\s()\\]{0,16})\(.*?\)(?P=tag)")|(?P<string>"(?:\\.|[^"\\\n])*")'''
                     r"""|(?P<char>(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)""", re.DOTALL)
HASH_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|(?P<line>(?<![^\s;(])#[^\n]*)')
# Names of functions whose string arguments a user reads.
PRINTING = re.compile(r"print|tell|complain|fail|error|format|wrong|refuse|problem|reason|warn|note|say|message|"
                      r"^(flag|option|positional|verb|command|add|throw|return|field|about|example|missing|painted)$", re.IGNORECASE)
TEST = re.compile(r"^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P)\((\w+),\s*(\w+)\)", re.MULTILINE)
CMAKE_TEST = re.compile(r"add_test\(NAME\s+([\w.${}]+)")


def all_files_of(root):
    """Returns the files that git knows, or all files if there is no git. The paths are sorted and relative to root."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True, check=False)
    names = listed.stdout.split("\0") if listed.returncode == 0 else \
        [file.relative_to(root).as_posix() for file in pathlib.Path(root).rglob("*")]
    return sorted(name for name in names if name and not name.startswith("build/") and (pathlib.Path(root) / name).is_file())


def files_of(root):
    """Returns the source files and pages of the tree. The paths are sorted and relative to root."""
    suffixes = C_SUFFIXES | {".py", ".cmake", ".md", ".txt", ".sh", ""}
    return [name for name in all_files_of(root) if not name.startswith((".", "tests/fuzz/corpus/"))
            and pathlib.PurePosixPath(name).suffix in suffixes]


def is_prose(text):
    """Returns whether a comment has at least two words, and is neither a line of dashes nor a directive of a tool."""
    return len(re.findall(r"[A-Za-z]{2,}", text)) >= 2 and not re.search(r"-{10}|clang-format|NOLINT|^!|^namespace [\w:]+$", text)


def joined(lines):
    """Joins comments on successive lines. Takes tuples (line, column, alone, mark, text), returns pairs (line, text)."""
    blocks = []
    for line, column, alone, mark, text in lines:
        previous = blocks[-1] if blocks else None
        if previous and line == previous["end"] + 1 and alone and mark == previous["mark"] and column == previous["column"]:
            previous["text"] += "\n" + text
            previous["end"] = line
        else:
            blocks.append({"line": line, "end": line, "column": column, "mark": mark, "text": text})
    return [(block["line"], block["text"]) for block in blocks if is_prose(block["text"])]


def place_of(text, at):
    """Returns the line and column of a position, and whether only white space precedes the position in its line."""
    begin = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at) + 1, at - begin, not text[begin:at].strip()


def c_comments(text):
    lines = []
    for token in C_TOKEN.finditer(text):
        if token["line"] is None and token["block"] is None:
            continue
        line, column, alone = place_of(text, token.start())
        if token["block"]:
            inner = "\n".join(part.strip(" *") for part in token["block"][2:-2].strip().split("\n"))
            lines.append((line, column, True, "/*", inner))
        else:
            mark = re.match(r"/+<?!?", token["line"])[0]
            lines.append((line, column, alone, mark.rstrip("<"), token["line"][len(mark):].strip()))
    return joined(lines)


def python_comments(text):
    lines = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            lines.append((*token.start, not token.line[:token.start[1]].strip(), "#", token.string.lstrip("# ")))
    blocks = joined(lines)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            blocks.append((node.body[0].lineno, ast.get_docstring(node)))
    return sorted(blocks)


def hash_comments(text):
    return joined([(*place_of(text, token.start("line")), "#", token["line"].lstrip("# "))
                   for token in HASH_TOKEN.finditer(text) if token["line"]])


def comments_of(root, name):
    """Returns the comments of a file as pairs (line, text). Successive comment lines are one comment."""
    path = pathlib.PurePosixPath(name)
    text = (pathlib.Path(root) / name).read_text(encoding="utf-8", errors="replace")
    if path.suffix in C_SUFFIXES:
        return c_comments(text)
    if path.suffix == ".py":
        return python_comments(text)
    if path.suffix in (".cmake", ".sh") or path.name == "CMakeLists.txt" or text.startswith("#!"):
        return hash_comments(text)
    return []


def messages_of(root, name):
    """Returns the strings of a C++ file that may be printed, as pairs (line, text).

    These are strings that are arguments of a printing call, or that a function returns or throws.
    """
    text = (pathlib.Path(root) / name).read_text(encoding="utf-8", errors="replace")
    found, calls, at, end = [], [], 0, -1
    for token in C_TOKEN.finditer(text):
        for piece in re.finditer(r"(\w*)\s*([(){};])", text[at:token.start()]):
            if piece[2] == "(":
                calls.append(piece[1])
            elif piece[2] == ")" and calls:
                calls.pop()
            elif piece[2] in "{};":
                calls = [call for call in calls if call] if piece[2] == "}" else calls
        statement = re.search(r"\b(return|throw)\b[^;{}]*$", text[max(0, token.start() - 200):token.start()])
        between, at = text[at:token.start()], token.end()
        if token["string"] is None or text[text.rfind("\n", 0, token.start()) + 1:].startswith("#include"):
            continue
        content = token["string"][1:-1]
        if end >= 0 and not between.strip() and found and found[-1][2] == end:
            found[-1] = (found[-1][0], found[-1][1] + content, token.end())
        elif any(PRINTING.search(call) for call in calls) or statement:
            found.append((place_of(text, token.start())[0], content, token.end()))
        end = token.end()
    words = re.compile(r"[A-Za-z]{2,}[^A-Za-z]* [^A-Za-z]*[A-Za-z]{2,}.* ")
    return [(line, content) for line, content, _ in found if words.search(content) and "</" not in content]


def tests_of(root, name):
    """Returns the names of the tests that a file defines, as pairs (line, name)."""
    text = (pathlib.Path(root) / name).read_text(encoding="utf-8", errors="replace")
    if name.endswith("CMakeLists.txt"):
        return [(place_of(text, test.start())[0], test[1]) for test in CMAKE_TEST.finditer(text)]
    return [(place_of(text, test.start(1))[0], f"{test[1]}.{test[2]}") for test in TEST.finditer(text)]


def collect(kind, root):
    """Returns all comments, messages or tests of the tree as tuples (file, line, text)."""
    rooms = [name for name in files_of(root) if name.count("/") or name in ("CMakeLists.txt", "run")]
    if kind == "comments":
        return [(name, *block) for name in rooms if not name.endswith(".md") for block in comments_of(root, name)]
    if kind == "messages":
        shown = [name for name in rooms if not name.startswith(("tests/", "docs/")) and name.endswith((".cpp", ".hpp"))]
        return [(name, *message) for name in shown for message in messages_of(root, name)]
    tests = [name for name in rooms if name.startswith("tests/") and name.endswith((".cpp", ".hpp", "CMakeLists.txt"))]
    return [(name, *test) for name in tests for test in tests_of(root, name)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int, metavar="N")
    kinds = parser.add_mutually_exclusive_group()
    for kind in ("comments", "messages", "tests"):
        kinds.add_argument("--" + kind, action="store_const", const=kind, dest="kind")
    arguments = parser.parse_args()
    for kind in [arguments.kind] if arguments.kind else ["comments", "messages", "tests"]:
        pool = collect(kind, ROOT)
        print(f"{kind}: {min(arguments.count, len(pool))} of {len(pool)}, seed {arguments.seed}")
        for name, line, text in random.Random(arguments.seed).sample(pool, min(arguments.count, len(pool))):
            print(f"{name}:{line}:\n    " + text.replace("\n", "\n    "))


if __name__ == "__main__":
    main()
