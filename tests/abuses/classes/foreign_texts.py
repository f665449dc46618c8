"""Names and messages of other code, in terminals, pages, spreadsheets, gnuplot and shells."""
import atexit
import gzip
import html.parser
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

from abuses import Abuse

# Texts that no output may contain unchanged: control sequences of terminals, and commands of a shell or gnuplot that
# create the file "canary".
NASTY = {
    "escape": "\x1b[31mred\x1b]0;title\x07",
    "c1": "\u009b31mred\u0090",
    "delete": "a\x7f\x08b",
    "newline": "a\nheld\nb",
    "carriage": "a\rheld",
    "bidi": "a\u202etxt.exe\u2066b",
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "attribute": "\"' onmouseover='alert(1)",
    "formula": "=cmd|' /C calc'!A0",
    "plus": "+1+cmd",
    "minus": "-1+cmd",
    "at": "@SUM(1)",
    "backtick": "`touch canary`",
    "dollar": "$(touch canary)",
    "gnuplot": "'; system('touch canary'); print '",
    "gnuplot_double": "\"; system(\"touch canary\"); print \"",
    "latex": "\\write18{touch canary}\\input{/etc/passwd}",
    "semicolon": "; touch canary;",
    "percent": "%s%n{}{0}",
}
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.wrong = None

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name.startswith("on") or "alert" in name or (tag == "img" and value == "x"):
                self.wrong = f"<{tag} {name}>"

    def handle_data(self, data):
        if self.get_starttag_text() and self.lasttag == "script" and "alert(1)" in data and "<" not in data[:1] \
                and data.strip().startswith("alert"):
            self.wrong = "a script of somebody else's"


def sound(folder, result):
    """Checks that no output has a text that a terminal, browser, spreadsheet or shell would execute."""
    for name, text in (("stdout", result.out), ("stderr", result.err)):
        found = CONTROL.search(text)
        if found:
            return f"{name} has {found.group()!r}"
    for path in folder.rglob("*"):
        if path.name == "canary":
            return "a canary was made"
        if not path.is_file() or "home" in path.parts:
            continue
        if path.suffix == ".html":
            page = Page()
            page.feed(path.read_text(errors="replace"))
            if page.wrong:
                return f"{path.name}: {page.wrong}"
        if path.name.endswith((".csv", ".csv.gz")):
            plain = path.read_bytes() if path.suffix == ".csv" else gzip.decompress(path.read_bytes())
            for line in plain.decode(errors="replace").splitlines():
                for cell in re.findall(r'(?:^|,)"?([=+@\t-][^,"]*)', line):
                    if not re.fullmatch(r"[+-]?(\d.*|inf|nan)?", cell):
                        return f"{path.name}: the cell {cell!r}"
    return None


def commands_work(folder, result):
    """Checks that every printed command is one call of demeter and runs unchanged in another folder."""
    wrong = sound(folder, result)
    commands = [line.strip() for line in result.out.splitlines() if line.strip().startswith("demeter ")]
    if wrong or not commands:
        return wrong or "no command was printed"
    for command in commands[:2]:
        words = shlex.split(command)
        if words[:2] != ["demeter", "explain"] or "--subject" not in words:
            return f"{command}: {words[:6]}"
        ran = subprocess.run(["bash", "-c", command], cwd="/", env=ENVIRONMENT, capture_output=True, timeout=60)
        if ran.returncode != 1:
            return f"{command} in another folder: exit {ran.returncode}, {ran.stderr.decode()[-200:]}"
        if (folder / "canary").exists():
            return f"{command} made a canary"
    return None


ENVIRONMENT = {}


BASE = pathlib.Path(tempfile.mkdtemp(prefix="demeter-base-"))
atexit.register(shutil.rmtree, BASE, True)


def possible(command, libraries):
    ENVIRONMENT.update(PATH=f"{command.parent}:/usr/bin:/bin", HOME="/tmp")
    made = subprocess.run([command, "report", "--kernel", "capsule_mass_properties", "--time", "5", "--out", BASE / "site"],
                          capture_output=True, env=ENVIRONMENT)
    return None if made.returncode == 0 else "no report: " + made.stderr.decode()[-200:]


PROGRAM = """import json, sys, ast
text = ast.literal_eval(open(sys.argv[0] + '.text').read())
for line in sys.stdin:
    case = json.loads(line)
    {}
    sys.stdout.flush()
"""
SAYS = {
    "declined": ("print(json.dumps({'id': case['id'], 'unsupported': text}))", (0, 1)),
    "error": ("print(json.dumps({'id': case['id'], 'error': text}))", 1),
    "chatter": ("print(text)", 1),
    "key": ("print(json.dumps({'id': case['id'], 'output': {text: 1}}))", 1),
    "last_words": ("sys.exit(text)", (1, 2)),
}
CHECK = "demeter check capsule_mass_properties --regime typical --count 5 --timeout 2 "
ABUSES = []
for number, text in enumerate(NASTY.values()):
    for how, (code, codes) in list(SAYS.items())[number % 2 :: 2]:
        ABUSES.append(Abuse(CHECK + "--junit j.xml --subject 'pipe:python3 p.py' >out.txt; c=$?; cat out.txt; exit $c", codes,
                            before={"p.py": PROGRAM.format(code), "p.py.text": repr(text)}, check=sound, lines=None))

WRONG = ("import json, sys\nfor line in sys.stdin:\n    case = json.loads(line)\n"
         "    print(json.dumps({'id': case['id'], 'output': {'mass': 1}}), flush=True)\n")
for name, text in NASTY.items():
    if "/" in text or "\x00" in text:
        continue
    quoted = shlex.quote(text)
    # The file name is part of the name of the subject and of the printed command that repeats the case.
    ABUSES.append(Abuse(f"n={quoted}; cp wrong.py ./\"$n.py\" 2>/dev/null || exit 1; " + CHECK
                        + "--subject \"pipe:python3 $(printf %q \"./$n.py\" | sed \"s/^\\$'.*/wrong.py/\")\"", 1,
                        before={"wrong.py": WRONG}, lines=None, check=sound))
for folder in ("plain", "with blank", "with'quote", 'with"double', "with$dollar", "with;semicolon", "-dash"):
    ABUSES.append(Abuse(f"mkdir -- ./{shlex.quote(folder)}; cp wrong.py ./{shlex.quote(folder)}; cd -- ./{shlex.quote(folder)}; "
                        + CHECK + "--subject 'pipe:python3 wrong.py'", 1, before={"wrong.py": WRONG}, check=commands_work))
    ABUSES.append(Abuse(f"mkdir -- ./{shlex.quote(folder)}; cp $LIBRARIES/textbook.so ./{shlex.quote(folder)}/mine.so; cd -- "
                        f"./{shlex.quote(folder)}; demeter check segment_distance --count 200 --subject lib:mine.so", 1,
                        check=commands_work))


def results():
    """Returns the commands that unpack results and edit them as an attacker would."""
    return f"gzip -dc {BASE}/site/results.json.gz >r.json; python3 edit.py; "


EDIT = """import ast, json
text = ast.literal_eval(open('text').read())
doc = json.load(open('r.json'))
def walk(value, key=''):
    if isinstance(value, dict):
        return {k: walk(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [walk(v, key) for v in value]
    return text if isinstance(value, str) and key in KEYS else value
json.dump(walk(doc), open('e.json', 'w'))
"""
KEYS = [("name", "doc", "summary", "regime"), ("command", "subject", "law", "output", "commit", "cpu", "compiler")]
for name, text in NASTY.items():
    for keys in KEYS:
        ABUSES.append(Abuse(results() + "demeter report --from e.json --out site --paper; demeter compare r.json e.json; "
                            "demeter compare e.json e.json; exit 0", 0, lines=None, check=sound,
                            before={"edit.py": f"KEYS = {keys!r}\n" + EDIT, "text": repr(text)}))
for name, text in NASTY.items():
    ABUSES.append(Abuse("demeter simulate s.toml --out run; demeter simulate s.toml --check; exit 0", 0, lines=None, check=sound,
                        before={"s.toml": "[scene]\ntitle = " + json.dumps(text) + "\nduration = 1\n[[body]]\nname = "
                                + json.dumps(text) + "\nshape = " + json.dumps(text) + "\n"}))
