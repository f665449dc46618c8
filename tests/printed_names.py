"""Finds paths, commands, options, identifiers and links on a page that do not exist. Used by plain_words.py."""

import pathlib
import re
import subprocess

from sample_comments import all_files_of, files_of

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+(?:\n[^`\n]+)?)`")
LINK = re.compile(r"\]\(([^)\s]*)\)")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")
COMMAND = re.compile(r"(?:^|[|;&(]\s*|\s)(?<!-C )(?:\S*/)?demeter ([a-z]+)\b([^|;&#\n]*)")
SHELLS = ("", "sh", "console", "yaml")
# Names in the sources of other codes, which pages may use.
FOREIGN = {"Cg2_Capsule_Capsule_L6Geom", "Cg2_Wall_Capsule_L6Geom", "SphereClumpGeom", "surface_model_superquadric",
           "surface_model_superquadric.h", "btBoxBoxDetector"}
SOURCE_SUFFIX = re.compile(r"\.(cpp|hpp|h|c|py|cmake|md|toml|jsonl?|txt|csv)$")


def anchors_of(text):
    """Returns the anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ +(.*)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Tree:
    """The names that exist: files, words of the sources, verbs with their options, and options of other programs."""

    def __init__(self, root, command=None):
        self.root, self.command, self.helps = pathlib.Path(root), command, {}
        self.files, texts = all_files_of(root), [name for name in files_of(root) if not name.endswith(".md")]
        self.folders = {parent.as_posix() for name in self.files for parent in pathlib.PurePosixPath(name).parents}
        self.tops = {name.split("/")[0] for name in self.files if "/" in name}
        self.verbs = {pathlib.PurePosixPath(name).stem for name in self.files if re.fullmatch(r"cli/\w+\.cpp", name)}
        texts = {name: self.read(name) for name in texts}
        self.words = {word for text in texts.values() for word in re.findall(r"\w+", text)}
        self.words |= {word.replace("-", "_") for text in texts.values() for word in re.findall(r"[\w-]+", text) if "-" in word}
        self.printed = {word for text in texts.values() for word in re.findall(r"[\w-]+(?:\.[\w-]+)+", text)}
        self.options = {option for name, text in texts.items() if not name.startswith("docs/") for option in OPTION.findall(text)}

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8", errors="replace")

    def has_path(self, path):
        """Returns whether the path, with <name> and * for any part of a name, is a file or folder of the tree."""
        pattern = re.sub(r"<[^>]*>|NAME\b", "*", path.split("#")[0]).rstrip("/")
        expression = re.compile(re.escape(pattern).replace(r"\*", "[^/]*"))
        return any(expression.fullmatch(name) for name in [*self.files, *self.folders])

    def options_of(self, verb):
        """Returns the options in the help of a verb. If no command has the verb, returns the options of all verbs."""
        if self.command and verb not in self.helps:
            help_text = subprocess.run([self.command, verb, "--help"], capture_output=True, text=True, check=False)
            self.helps[verb] = set(OPTION.findall(help_text.stdout)) if help_text.returncode == 0 else None
        return self.helps.get(verb) or self.options


def broken_links(tree, page, text):
    for link in LINK.finditer(FENCE.sub("", text)):
        target, _, anchor = link[1].partition("#")
        if re.match(r"https?:", target):
            continue
        path = (tree.root / page).parent / target if target else tree.root / page
        if not path.exists():
            yield f"no file {target}"
        elif anchor and anchor not in anchors_of(path.read_text(encoding="utf-8")):
            yield f"no heading for {link[1]}"


def unknown_commands(tree, text):
    shells = [re.sub(r"\\\n\s*", " ", block) for kind, block in FENCE.findall(text) if kind in SHELLS]
    spans = [" ".join(span.split()) for span in SPAN.findall(FENCE.sub("", text))]
    for piece in shells + [span for span in spans if re.match(r"(\S*/)?demeter ", span)]:
        for command in COMMAND.finditer(piece):
            if command[1] not in tree.verbs:
                yield f"no verb demeter {command[1]}"
                continue
            for option in OPTION.findall(re.sub(r"'[^']*'|\"[^\"]*\"", "", command[2])):
                if option not in tree.options_of(command[1]) | {"--help"}:
                    yield f"no option {option} of demeter {command[1]}"
    for span in spans:
        if span.startswith("--") and OPTION.match(span)[0] not in tree.options:
            yield f"no option {span}"
    for verb in re.findall(r"(?<!\w)\./run ([a-z-]+)", "\n".join(shells + spans)):
        if not re.search(rf"^  {verb}\)", tree.read("run"), re.MULTILINE):
            yield f"no verb ./run {verb}"


def unknown_names(tree, text):
    """Yields paths, file names and identifiers that are in code spans of a page, but not in the tree."""
    made_here = set(re.findall(r"[\w.-]+\.\w+", "\n".join(block for _, block in FENCE.findall(text))))
    for span in SPAN.findall(FENCE.sub("", text)):
        for path in re.findall(r"[\w.<>*-]+(?:/[\w.<>*-]+)+(?:#[\w<>*-]+)?/?", span):
            if path.split("/")[0] in tree.tops and not tree.has_path(path.rstrip(".")):
                yield f"no path {path}"
        if re.fullmatch(r"[\w.-]+", span) and SOURCE_SUFFIX.search(span) and span not in made_here | FOREIGN:
            if not any(name.rsplit("/", 1)[-1] == span for name in tree.files) and span not in tree.printed:
                yield f"no file {span}"
        for word in re.findall(r"\w+\*?", span) if re.fullmatch(r"[\w.:*]+", span) else []:
            long = word.count("_") >= 2 or len(re.findall(r"[A-Z][a-z]+", word)) >= 3
            begins = word.endswith("*") and any(other.startswith(word[:-1]) for other in tree.words)
            if long and word not in tree.words | FOREIGN and not begins:
                yield f"no identifier {word} in the sources"
