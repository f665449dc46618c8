"""Fails if a C++, Python or CMake file has over 800 lines, or a C++ function over 100 lines. Prints the longest of both."""

import pathlib
import re
import sys

LONGEST_FILE, LONGEST_FUNCTION = 800, 100
TEXT = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
NO_FUNCTION = re.compile(r"(^|\s)(namespace|class|struct|union|enum|extern)\b[^()]*$|[=,(]\s*$|\breturn\s*$|^\s*$")


def functions(text):
    """Yields the name and length in lines of each function with a body. A lambda belongs to its function."""
    code = TEXT.sub(lambda found: "\n" * found[0].count("\n"), text)
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda found: "\n" * found[0].count("\n"), code, flags=re.MULTILINE)
    begin, depth, line, header, header_line, name = None, 0, 1, "", 1, ""
    for character in code:
        line += character == "\n"
        if character == "{":
            if begin is None and "(" in header and not NO_FUNCTION.search(header):
                begin, name = (depth, header_line), re.search(r"([\w~]+|operator\S+)\s*\(", header)
            depth += 1
            header = ""
        elif character == "}":
            depth -= 1
            if begin is not None and begin[0] == depth:
                yield (name[1] if name else "?"), line - begin[1] + 1
                begin = None
            header = ""
        elif character == ";":
            header = ""
        else:
            if not header.strip():
                header, header_line = "", line
            header += character


def test_finds_a_planted_function():
    text = 'namespace a {\nstruct B {\n  int f(int x) const {\n    auto g = [&] { return "}"; };\n    return g();\n  }\n};\n}\n'
    assert list(functions(text)) == [("f", 4)], list(functions(text))


def main():
    test_finds_a_planted_function()
    root = pathlib.Path(sys.argv[1])
    patterns = ("*.[ch]pp", "*.[ch]", "*.py", "*.cmake", "CMakeLists.txt", "*.in")
    names = sorted({file.relative_to(root).as_posix() for pattern in patterns for file in root.rglob(pattern)})
    names = [name for name in names if not name.startswith("build/")]
    files, bodies = [], []
    for name in names:
        text = (root / name).read_text(encoding="utf-8")
        files.append((text.count("\n"), name))
        if name.endswith((".cpp", ".hpp")):
            bodies += [(lines, f"{name}: {function}") for function, lines in functions(text)]
    print(sum(lines for lines, _ in files), "lines in", len(files), "files,", len(bodies), "functions")
    wrong = 0
    for what, all_of, longest in (("file", files, LONGEST_FILE), ("function", bodies, LONGEST_FUNCTION)):
        for lines, name in sorted(all_of, reverse=True)[:5]:
            print(f"{lines:5} {name}")
        for lines, name in all_of:
            if lines > longest:
                print(f"{name}: length of a {what}: got {lines} lines, expected at most {longest}", file=sys.stderr)
                wrong += 1
    return wrong > 0


sys.exit(main())
