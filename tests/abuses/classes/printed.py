"""Printed output: long texts, control characters, commands that run as printed, deep nesting."""
import json
import os
import re
import shlex
import subprocess

from abuses import Abuse

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
NASTY = "\\u001b[31m\\u009b\\u007f\\u202e\\u2066\\u2028\\u200f"
CHECK = "demeter check capsule_mass_properties --subject fast --count 300 "


def plain(folder, result):
    """Checks that the output has no control characters and only UTF-8 (other bytes become U+FFFD here), and that
    standard error has no long line."""
    for name, text in (("stdout", result.out), ("stderr", result.err)):
        found = CONTROL.search(text)
        if found:
            return f"{name} has {found.group()!r}"
    longest = max(map(len, result.err.splitlines()), default=0)
    return f"a line of {longest} characters on stderr" if longest > 1200 else None


def states(number):
    def check(folder, result):
        wrong = plain(folder, result)
        if wrong:
            return wrong
        if f"({number:,} characters)" not in result.err + result.out:
            return f"the length {number:,} is not stated: {result.err[-300:]}"
        run = max(map(len, re.findall(r"x+", result.err)), default=0)
        return f"{run} characters of the text" if run > 200 else None
    return check


def lines_are_json(folder, result):
    for line in result.out.splitlines():
        if line.startswith("{"):
            json.loads(line)
    return plain(folder, result)


LONG = "$(head -c 10000 /dev/zero | tr '\\0' x)"
LONG_PATH = "$(python3 -c 'print(\"/\".join([\"x\" * 200] * 15))')"
A = "demeter generate segment_distance --count 1 | demeter evaluate segment_distance --implementation fast >a; "
EDIT = ("python3 -c 'import json; d = json.loads(open(\"a\").readline()); {}; open(\"a\", \"w\").write(json.dumps(d) + \"\\n\")'; ")
MILLION = "x" * 1000000
DIGITS = "1" * 4000
ABUSES = [
    # A long text is cut, and its length is printed.
    Abuse(A + EDIT.format('d["input"]["x" * 1000000] = 1') + "demeter verify segment_distance <a", (1, 3), check=states(1000000)),
    Abuse(A + EDIT.format('d["input"]["x" * 1000000] = 1') + "demeter evaluate segment_distance <a", 3, check=states(1000000)),
    Abuse(A + EDIT.format('d["input"]["p0"] = ["x" * 4000, 0, 0]') + "demeter verify segment_distance <a", (1, 3), check=states(4000)),
    Abuse(A + "sed -i 's/\"p0\":\\[[^,]*/\"p0\":[" + DIGITS + "/' a; demeter verify segment_distance <a >out; c=$?; tail -n 1 out; exit $c",
          (0, 1, 3), check=plain),
    Abuse(CHECK + "--known k", 3, before={"k": json.dumps({"kernel": "capsule_mass_properties", MILLION: 1}) + "\n"}, check=states(1000000)),
    Abuse(CHECK + "--known k", 3, before={"k": json.dumps({"kernel": MILLION, "subject": "a", "law": "b"}) + "\n"}, check=states(1000000)),
    Abuse("demeter clump b", 3, before={"b": "0 0 0 " + MILLION}, check=states(1000000)),
    Abuse("demeter clump b", 3, before={"b": "0 0 0 -" + "0" * 4000 + "x\n"}, check=plain),
    Abuse("demeter compare r.json r.json", 3, before={"r.json": '{"benchmarks":[{"name":"' + MILLION + '"}],"context":{}}'}, check=plain),
    Abuse("demeter compare r.json r.json", 3, before={"r.json": '{"schema":"' + MILLION + '","kernels":[]}'}, check=plain),
    Abuse("demeter vectors --add capsule_endpoints --directory v --regime axis_aligned --source x <l", 3,
          before={"l": '{"input":{"' + MILLION + '":1}}\n', "v/capsule_endpoints.jsonl": ""}, check=states(1000000)),
    Abuse("demeter vectors --check capsule_endpoints --directory v >out", 1,
          before={"v/capsule_endpoints.jsonl": '{"' + MILLION + '":1}\n'}, check=plain),
]
for line in (f"demeter {LONG}", f"demeter check {LONG} --subject fast", f"demeter check capsule_mass_properties --subject {LONG}",
             f"demeter check --subject fast capsule_mass_properties --regime {LONG}",
             f"demeter check --subject fast capsule_mass_properties --budget {LONG}=3", f"demeter list {LONG}",
             f"demeter check --subject fast capsule_mass_properties --sizes {LONG}", f"demeter generate segment_distance --count {LONG}",
             f"demeter explain segment_distance {LONG}", f"demeter vectors --flag {LONG}", f"demeter explain segment_distance 1 --law {LONG}",
             f"demeter check capsule_mass_properties --subject fast --formula {LONG}", f"demeter report --count {LONG}",
             f"demeter continuity capsule_contact --family {LONG}", f"demeter evaluate segment_distance --implementation {LONG}",
             f"demeter clump {LONG}", f"demeter compare {LONG} r", f"demeter clump b --picture {LONG}", f"demeter clump b --method {LONG} --cells 2"):
    ABUSES.append(Abuse(line, 2, before={"b": "0 0 0 1\n"}, check=states(10000)))
for line in ("clump {}", "compare {} {}", "check capsule_mass_properties --subject fast --known {}", "verify segment_distance --answers {}",
             "check capsule_mass_properties --subject lib:{}", "check capsule_mass_properties --subject file:{}",
             "check capsule_mass_properties --subject fast --junit {}/j.xml", "report --from {}", "vectors --check --directory {}"):
    ABUSES.append(Abuse(f"p={LONG_PATH}; demeter " + line.format("\"$p\"", "\"$p\""), 2, check=plain))

# Control characters in every text input.
SAYS = {"input": 'd["input"]["{}"] = 1', "key": 'd["{}"] = 1', "regime": 'd["regime"] = "{}"', "error": 'd.pop("output"); d["error"] = "{}"',
        "unsupported": 'd.pop("output"); d["unsupported"] = "{}"', "kernel": 'd["kernel"] = "{}"', "number": 'd["input"]["p0"][0] = "{}"'}
for what in SAYS.values():
    for verb in ("verify segment_distance --all", "verify segment_distance --json", "evaluate segment_distance"):
        ABUSES.append(Abuse(A + EDIT.format(what.format(NASTY)) + f"demeter {verb} <a", (0, 1, 3), lines=None,
                            check=lines_are_json))
    ABUSES.append(Abuse(A + EDIT.format(what.format(NASTY)) + "demeter check segment_distance --subject file:a --count 2 --json", (0, 1, 2, 3),
                        lines=None, check=plain))
RAW = "\x1b[31m\u009b\x7f\u202e\u2066\u2028\u200f"
for line, name in (("check capsule_mass_properties --subject fast --known k", "k"), ("clump k", "k"), ("compare k k", "k"),
                   ("report --from k --out site", "k"), ("verify segment_distance --answers k", "k")):
    for text in (RAW.encode(), b"\xff\xfe\x80\xc0\xaf\xed\xa0\x80", b"{\"" + RAW.encode() + b"\":1}", b"{\"kernels\":\"" + RAW.encode() + b"\"}"):
        ABUSES.append(Abuse("demeter " + line, (1, 3), before={name: text + b"\n"}, check=plain))


# Printed commands run unchanged.
def commands_run(folder, result):
    commands = [line.strip() for line in result.out.splitlines() if line.strip().startswith("demeter ")]
    wrong = plain(folder, result)
    if wrong or not commands:
        return wrong or "no command was printed"
    ran = subprocess.run(["bash", "-c", commands[0]], cwd="/", env=ENVIRONMENT, capture_output=True, timeout=60)
    if ran.returncode != 1 or b"verdict" not in ran.stdout:
        return f"{commands[0]}: exit {ran.returncode}, {ran.stderr.decode(errors='replace')[-200:]}"
    return "a canary was made" if list(folder.rglob("canary")) else None


ENVIRONMENT = dict(os.environ)
FOLDERS = [r"$'a\nb'", r"$'a\e[31mb'", r"$'a\xc2\x9bb'", r"$'a\xe9b'", r"$'a\xe2\x80\xaeb'", r"$'a\tb\rc'", r"$'a\\\'b'", "'a;touch canary'",
           "'$(touch canary)'", "'`touch canary`'", "'a!b'", "'a,b'", "\"it's\"", "'~'", "'a  b '", "'[x]*'", r"$'\n'", r"$'a\\nb'", "'äöü'"]
WRONG = ("import json, sys\nfor line in sys.stdin:\n    case = json.loads(line)\n"
         "    print(json.dumps({'id': case['id'], 'output': {'mass': 1}}), flush=True)\n")
for number, name in enumerate(FOLDERS):
    go = f"n={name}; mkdir -- \"./$n\"; cp $LIBRARIES/textbook.so \"./$n/mine.so\"; cp wrong.py \"./$n\"; "
    LIBRARY = "demeter check segment_distance --regime near_parallel --no-shrink --count 20 --subject "
    ways = ("cd -- \"./$n\"; " + LIBRARY + "lib:mine.so", LIBRARY + "\"lib:./$n/mine.so\"",
            "cd -- \"./$n\"; demeter check capsule_mass_properties --regime typical --no-shrink --count 5 --subject 'pipe:python3 wrong.py'")
    # Programs take longest. They run with the first five names only.
    ABUSES += [Abuse(go + way, 1, check=commands_run, before={"wrong.py": WRONG}, gone=("canary",)) for way in ways[: 3 if number < 5 else 2]]

# Patterns and nested inputs that would overflow the stack of a parser.
BENCH = "demeter bench capsule_mass_properties --subject fast --regime typical --time 1 --repetitions 1 --filter "
DEEP = "python3 -c 'print(\"{}\" * 200000)' >deep; "
ABUSES += [
    Abuse(BENCH + "$(head -c 10000 /dev/zero | tr '\\0' '(')", 2, "at most 1,000"),
    Abuse(BENCH + "$(head -c 999 /dev/zero | tr '\\0' '(')", 2, "regular expression", check=plain),
    Abuse(BENCH + "'" + "(" * 450 + "zz" + ")" * 450 + "'", 2, "nothing to time", check=plain),
    Abuse(BENCH + "'" + "(a*)*" * 199 + "zz'", 2, "nothing to time", check=plain),
    Abuse(BENCH + "'((a{1000}){1000}){1000}'", 2, "regular expression", check=plain),
    Abuse(BENCH + "'[z'", 2, "regular expression"),
    Abuse(BENCH + r"$'\xff'", 2, "regular expression", check=plain),
    Abuse(BENCH + "'^capsule.*fast.*/cache'", 0, lines=0),
]
for opening in ("[", "{\"a\":", "[{\"a\":"):
    deep = DEEP.format(opening.replace('"', '\\"'))
    for line in ("check capsule_mass_properties --subject fast --known deep", "compare deep deep", "report --from deep --out site",
                 "verify segment_distance --answers deep", "evaluate segment_distance --cases deep", "clump deep",
                 "verify segment_distance --cases deep", "check capsule_mass_properties --subject file:deep --count 5",
                 "explain segment_distance \"$(head -c 100000 deep)\"", "continuity capsule_contact --subject fast --path \"$(head -c 100000 deep)\"",
                 "vectors --add capsule_endpoints --directory v --regime axis_aligned --source x <deep"):
        ABUSES.append(Abuse(deep + "demeter " + line, (1, 2, 3), before={"v/capsule_endpoints.jsonl": ""}, check=plain))
    ABUSES.append(Abuse(deep + "mkdir v; cp deep v/capsule_endpoints.jsonl; demeter vectors capsule_endpoints --check --directory v >out", (1, 3),
                        check=plain))
    ABUSES.append(Abuse(deep + "mkdir -p demeter-failures/capsule_mass_properties; cp deep demeter-failures/capsule_mass_properties/fast@avx2.jsonl; "
                        + CHECK + "--failures demeter-failures >out", (0, 3), check=plain))

# An error about a wrong file does not print its content.
SECRET = "topsecretpassword:x:0:0\n"
for line in ("clump s", "compare s s", "report --from s --out site", "verify segment_distance --answers s", "verify segment_distance --cases s",
             "check capsule_mass_properties --subject fast --known s", "check segment_distance --subject file:s --count 5",
             "check segment_distance --subject lib:./s --count 5"):
    ABUSES.append(Abuse(f"demeter {line}", (1, 2, 3), before={"s": SECRET * 5}, lines=None,
                        check=lambda folder, result: "the content is told" if "topsecret" in result.out + result.err else None))


def possible(command, libraries):
    ENVIRONMENT.update(PATH=f"{command.parent}:{os.environ.get('PATH', '')}")
    return None if (libraries / "textbook.so").exists() else "no libraries of tests/outside"
