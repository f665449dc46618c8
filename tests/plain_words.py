"""Fails if comments, pages or commit titles break the rules of docs/style.md that a program can check.

usage: plain_words.py ROOT [--command DEMETER]
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from printed_names import FENCE, Tree, broken_links, unknown_commands, unknown_names
from sample_comments import comments_of, files_of

# Folders and files whose comments are checked.
CLEAN_ROOMS = ["CMakeLists.txt", "base/", "bench/", "check/", "cli/", "cmake/", "docs/example_kernel/", "fast/", "kernels/",
               "mutants/", "oracles/", "properties/", "reference/", "reports/", "simulator/", "subjects/", "tests/"]
# Pages that quote bad language on purpose. They are not checked.
QUOTING_PAGES = {"docs/style.md"}
# This page is checked up to this heading. The rest is the output of a command.
PRINTED = r"^## What every key means$.*"
# Only titles of commits after this one are checked.
TITLES_SINCE = "18ba282"
LONGEST_TITLE = 72
# For each page: the heading of a section ("" is the whole page), its largest number of lines, and its longest line.
SIZES = {"README.md": ("", 150, 400), "CHANGELOG.md": ("", 40, 120), "CONTRIBUTING.md": ("## Add a kernel", 30, 132)}

EACH = (r"(?:case|kernel|page|regime|pair|body|member|step|sweep|ball|clump|subject|field|family|component|contact|second|"
        r"metre|coordinate|output|change|verb|peer|row|column|call|line)")
MANY = (r"(?:cases|rows|pairs|lines|files|ns|us|µs|ms|nanoseconds|microseconds|seconds|digits|times|once|twice|thrice|calls|"
        r"bytes|pages|sweeps|steps|roundings|operations|regimes|terms|subjects|tests|processes|(?:one|a) (?:line|hash|entry))")
# Comparisons such as "is no larger than" are plain.
NOT_NOUN = r"(?:longer|more|less|fewer|larger|greater|smaller|higher|lower|wider|nearer|faster|slower|later|better|worse|one)\b"
PATTERNS = [  # what is refused, and what to write instead
    (rf"\b{MANY} an? {EACH}\b", '"per" or "each"'),
    (r"\bfor want of\b", '"because there is no"'),
    (r"\bstands? in\b", '"is in"'),
    (r"\b(?:is|are|was|were) told\b|\btold of\b|\btells? of\b", '"reported"'),
    (r"\b(?:is|are|was|were|be) taken for\b", '"treated as"'),
    (r"\bso (?:many|much)\b", '"the number of", "the amount by which"'),
    (r"\botherwise than\b", '"differently from"'),
    (rf"(?<!there[ \n])\b(?:is|are|was|were) no (?!{NOT_NOUN})[a-z]", '"is not a"'),
    (r"\b(?:has|have) not\b(?=[.,;:)]|$)", '"does not have"'),
    (r"\bthat (?:of|is) (?:that|those|what)\b", "the noun"),
    (r"\b(?:yardstick|hasty)\b", "the word of docs/style.md"),
]
BEGINNINGS = [(r"(?:What|Of|For want|That which|Those|That of)\b(?![^.]*\?)", "subject, verb, object")]
COMPILED = [(re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), pattern, advice) for pattern, advice in PATTERNS]
COMPILED += [(re.compile(r"(?:\A|(?<=\n\n))\s*(?:[*-] |\d+\. )?" + pattern), "begins with What, Of, That", advice)
             for pattern, advice in BEGINNINGS]

# Words of this project. Each needs an entry in docs/glossary.md if CONTRIBUTING.md or a page of docs/ uses the word.
PROJECT_WORDS = """adapter baseline bundle capsule case certified clump contract deed enclosure erratum estimated family footing
hook keeper kernel laboratory ladder law ledger level method mutant observable oracle patience peer poetry profile
reference regime scene shrinking stream subject superquadric survey tolerance truth undecided verdict vector
workload yardstick budget""".split()
# Glossary words that also have an ordinary meaning: their first use on a page need not link to the glossary.
ORDINARY = {"case", "family", "law", "level", "method", "vector", "truth", "u", "s", "digits", "stream", "reference",
            "estimated", "certified", "profile", "unsupported", "scene", "hook", "ladder", "undecided"}


def plural(word):
    return r"\b" + {"erratum": "errat(?:um|a)", "laboratory": "laborator(?:y|ies)", "family": "famil(?:y|ies)"}.get(
        word, re.escape(word).replace(r"\ ", r"\s+") + "s?") + r"\b"


def blank(text, pattern):
    """Replaces matches by spaces, so that lines and columns do not change."""
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.MULTILINE | re.DOTALL)


def prose_of(page):
    """Returns the text of a page without code, quotations, formulas and comments."""
    for pattern in (r"^```.*?^```", r"^> [^\n]*", r"^\$\$.*?\$\$", r"<!--.*?-->", r"`[^`]*`", r"\$[^$\n]*\$"):
        page = blank(page, pattern)
    return page


def bad_patterns(text):
    for expression, pattern, advice in COMPILED:
        for match in expression.finditer(text):
            yield text.count("\n", 0, match.start()), f'"{" ".join(match[0].split())}": write {advice}'


def page_faults(tree, page, text, terms):
    """Yields the faults of a page as pairs (line, fault)."""
    prose = prose_of(text)
    shown = blank(prose, r"\]\([^)]*\)")
    for line, fault in bad_patterns(shown):
        yield line + 1, fault
    for word in PROJECT_WORDS:
        used = re.search(plural(word), shown, re.IGNORECASE)
        if used and word not in terms:
            yield prose.count("\n", 0, used.start()) + 1, f'"{word}" is not in docs/glossary.md'
    running = blank(prose, r"^#[^\n]*$|\[[^\]]*\]\((?![^)]*glossary)[^)]*\)")
    for term in sorted(terms - ORDINARY) if page not in ("docs/glossary.md", "CHANGELOG.md") else []:
        longer = "|".join(plural(other) for other in terms if term != other and term in other.split())
        first = re.search(plural(term), blank(running, r"\]\([^)]*\)" + (f"|(?i:{longer})" if longer else "")), re.IGNORECASE)
        anchor = term.replace(" ", "-")
        if first and not re.match(rf"[^\]]*\]\([^)]*glossary\.md#{anchor}\)", running[first.start():]):
            yield running.count("\n", 0, first.start()) + 1, f'first use of "{term}" without link to glossary.md#{anchor}'
    for fault in [*broken_links(tree, page, text), *unknown_commands(tree, text), *unknown_names(tree, text)]:
        yield 1, fault


def size_faults(tree):
    """Yields the pages and sections that are too long or have lines that are too long."""
    for page, (heading, lines, columns) in SIZES.items():
        part = re.search(re.escape(heading) + (r".*?(?=^## |\Z)" if heading else ".*"), tree.read(page), re.DOTALL | re.MULTILINE)
        found = part[0].rstrip().split("\n") if part else []
        if not 0 < len(found) <= lines or max(map(len, found)) > columns:
            yield f"{page}: {heading or 'all'}: got {len(found)} lines, expected 1 to {lines}, each at most {columns} characters"


def faults(tree):
    """Returns the faults of the comments and pages of a tree as strings."""
    terms = {term.lower() for term in re.findall(r"^### (.*)$", tree.read("docs/glossary.md"), re.MULTILINE)}
    found = []
    for name in tree.files:
        if name.startswith(tuple(CLEAN_ROOMS)) and not name.endswith(".md"):
            found += [f"{name}:{line + offset}: {fault}" for line, text in comments_of(tree.root, name)
                      for offset, fault in bad_patterns(prose_of(text))]
        is_page = name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md") or re.fullmatch(r"docs/(mathematics/)?[\w-]+\.md", name)
        if is_page and name not in QUOTING_PAGES:
            found += [f"{name}:{line}: {fault}" for line, fault in page_faults(tree, name, blank(tree.read(name), PRINTED), terms)]
    return found


def long_titles(root):
    """Returns the titles of commits since TITLES_SINCE that are too long. Returns none if there is no history."""
    log = subprocess.run(["git", "-C", root, "log", "--no-merges", "--format=%h %s", f"{TITLES_SINCE}..HEAD"],
                         capture_output=True, text=True, check=False)
    lines = log.stdout.splitlines() if log.returncode == 0 else []
    return [f"commit {line}: title of more than {LONGEST_TITLE} characters" for line in lines
            if len(line.split(" ", 1)[1]) > LONGEST_TITLE]


PLANTED = {  # texts with a fault, and a word that its report must contain
    "Draws 300 cases a\nregime.": "per", "What fails is shown.": "subject, verb", "* Of the two.": "subject, verb",
    "This is no failure.": "is not a", "Nothing was told.": "reported", "It ends for want of time.": "because",
    "It stands in a file.": "is in", "A point is taken for a line.": "treated", "There are so many.": "number of",
    "It is otherwise than here.": "differently", "A mutant dies.": "without link", "A yardstick.": "glossary",
    "See `core/none.cpp`.": "no path", "See `none.hpp`.": "no file", "`demeter nothing x`": "no verb",
    "```sh\ndemeter list --none\n```": "no option", "`--nothing`": "no option", "`Suite.TheTestThatIsGone`": "no identifier",
    "[x](none.md)": "no file", "[x](#none)": "no heading", "`./run nothing`": "no verb",
}
PLAIN = """# Page\n\nWhat is a [mutant](docs/glossary.md#mutant)? Two mutants per kernel. There is no case. It is no larger than 3.
See `core/some.cpp`, `core/<name>.cpp`, [Page](#page), `TheTestThatIs`.\n\n```sh\ndemeter list --json  # --none\n```\n"""


def test_finds_planted_faults():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {"docs/glossary.md": "# Glossary\n\n### mutant\n\n### kernel\n\n### case\n", "run": "  build)\n",
                           "cli/list.cpp": 'flag("--json"); TheTestThatIs', "core/some.cpp": "// Of all.\n"}.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        (root / "README.md").write_text(PLAIN.replace(" per kernel", ""), encoding="utf-8")
        assert faults(Tree(folder)) == [], faults(Tree(folder))
        for fault, report in PLANTED.items():
            (root / "README.md").write_text(fault + "\n", encoding="utf-8")
            found = faults(Tree(folder))
            assert any(report in each for each in found), f"{fault!r} was not found: {found}"
        (root / "CHANGELOG.md").write_text("line\n" * 41, encoding="utf-8")
        (root / "CONTRIBUTING.md").write_text("# Page\n\n## Add a kernel\n\n" + "-" * 133 + "\n", encoding="utf-8")
        assert [fault.split(":")[0] for fault in size_faults(Tree(folder))] == ["CHANGELOG.md", "CONTRIBUTING.md"]
        assert [*bad_patterns("Of all.")] and [*bad_patterns("a a\n\n1. What is here.")] and not [*bad_patterns("a a\nOf all.")]


def main(root, command):
    test_finds_planted_faults()
    if len(files_of(root)) < 100:
        sys.exit(f"plain_words: {root}: got {len(files_of(root))} files, expected the tree of Demeter")
    tree = Tree(root, command)
    found = faults(tree) + [*size_faults(tree)] + long_titles(root)
    for fault in found:
        print(fault, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3] if sys.argv[2:3] == ["--command"] else None)
