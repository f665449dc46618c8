"""Checks that each verb reads and writes only the files that docs/trust.md permits. strace reports the files.

    python3 tests/trust.py build/release/demeter    exits with 77 if strace does not work
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/trust.md").read_text()
SKIPPED = 77


def table():
    """Returns two lists for each verb that writes files: the options that name the files, and the default paths."""
    rows = {}
    for line in PAGE.splitlines():
        cells = [re.findall(r"`([^`]+)`", cell) for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3 and len(cells[0]) == 1 and all(o.startswith("--") for o in cells[1]):
            rows[cells[0][0]] = (cells[1], cells[2])
    return rows


BALLS = "0 0 0 0.5\n0 0 0.8 0.4\n"
CASES = "{demeter} generate segment_distance --count 20 | {demeter} evaluate segment_distance --implementation fast >a; "
CHECK = "{demeter} check capsule_mass_properties --count 300 --subject "
PIPE = "'pipe:python3 -E -s wrong.py' --regime typical"
WRONG = ("import json, sys\nfor line in sys.stdin:\n    case = json.loads(line)\n"
         "    print(json.dumps({'id': case['id'], 'output': {'mass': 1}}), flush=True)\n")
# The runs of each verb, without and with options for outputs. {out} is a name that does not exist yet.
RUNS = {
    "list": ["list"], "doctor": ["doctor"], "generate": ["generate segment_distance --count 20"],
    "evaluate": ["evaluate segment_distance --cases a"], "errata": ["errata"], "explain": ["explain segment_distance 3"],
    "continuity": ["continuity capsule_contact --subject fast --paths 100"],
    "bench": ["bench capsule_mass_properties --subject fast --time 1"],
    "verify": ["verify segment_distance --answers a", "verify segment_distance --answers a --junit {out} --write-known {out}2"],
    "check": ["check capsule_mass_properties --subject fast --time 3",
              f"check capsule_mass_properties --count 100 --subject {PIPE}",
              f"check capsule_mass_properties --count 100 --subject {PIPE} --failures {{out}}",
              "check capsule_mass_properties --count 100 --subject fast --junit {out} --write-known {out}2",
              "check --mutants capsule_mass_properties --drawn-only"],
    "compare": ["compare r r", "compare r r --junit {out} --html {out}2"],
    "clump": ["clump b", "clump b --cells 4 --digits 30 --picture {out}.svg"],
    "report": ["report --kernel capsule_mass_properties --count 100 --time 5",
               "report --kernel capsule_mass_properties --count 100 --time 5 --paper --out {out}"],
    "simulate": ["simulate one_grain", "simulate one_grain --out {out}"],
    "vectors": ["vectors segment_distance", "vectors --check capsule_endpoints",
                "vectors --add capsule_endpoints --directory {out} --regime axis_aligned --source test <c"],
}
CALL = re.compile(r"(?:\d+ +)?(\w+)\((.*)\) += (-?\d+|\?)")
WRITES = {"mkdir", "mkdirat", "rename", "renameat", "renameat2", "unlink", "unlinkat", "rmdir", "link", "linkat", "symlink",
          "symlinkat", "chmod", "fchmodat", "chown", "fchownat", "truncate", "utimensat", "creat", "mknod", "mknodat"}


def paths_of(arguments, folder):
    """Yields the paths in the arguments of a system call, as absolute paths."""
    for base, text in re.findall(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"', arguments):
        yield os.path.normpath(os.path.join(base or folder, text))


def complete_calls(log):
    """Yields the system calls of a log. Joins the parts of calls that other lines of the log interrupt."""
    begun = {}
    for line in log.splitlines():
        process = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            begun[process] = line[: -len("<unfinished ...>")].rstrip()
            continue
        resumed = re.match(r"\d+ +<\.\.\. \w+ resumed>(.*)", line)
        if resumed:
            line = begun.pop(process, "") + resumed.group(1)
        found = CALL.match(line)
        if found:
            yield found.groups()


def looked_at(log, folder, home, allowed):
    """Yields the system calls of a run that are not permitted."""
    def is_allowed(path):
        return path.startswith(("/dev/", "/proc/")) or any(path == each or path.startswith(each.rstrip("/") + "/") for each in allowed)

    for call, arguments, result in complete_calls(log):
        if call == "connect" and "AF_INET" in arguments:
            yield f"{call}({arguments})"
        for path in paths_of(arguments, folder):
            if path.startswith(home + "/") and "/.local/lib/python" not in path:
                yield f"looks at ~{path[len(home):]}: {call}"
            wrote = call in WRITES or (call in ("open", "openat") and re.search(r"O_(WRONLY|RDWR|CREAT)", arguments)
                                       and "O_TMPFILE" not in arguments)  # such a file has no name until linkat gives it one
            makes_parent = call.startswith("mkdir") and any(each.startswith(path + "/") for each in allowed)
            if wrote and result != "-1" and not makes_parent and not is_allowed(path):
                yield f"writes {path}: {call}"


def traced(demeter, run, allowed):
    with tempfile.TemporaryDirectory(prefix="demeter-trust-") as folder:
        home, tmp, work = (os.path.join(folder, name) for name in ("home", "tmp", "work"))
        for each in (home, tmp, work):
            os.mkdir(each)
        for name in (".gnuplot", ".bashrc", ".fonts.conf", ".config/demeter", ".local/state/demeter/x"):
            path = pathlib.Path(home, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")
        pathlib.Path(work, "b").write_text(BALLS)
        pathlib.Path(work, "wrong.py").write_text(WRONG)
        pathlib.Path(work, "c").write_text('{"input":{"position":[7.5,2,3],"orientation":[1,0,0,0],"radius":1,"shaft":2}}\n')
        environment = dict(os.environ, HOME=home, TMPDIR=tmp, XDG_STATE_HOME=home + "/.local/state", XDG_CONFIG_HOME=home + "/.config",
                           XDG_CACHE_HOME=home + "/.cache", XDG_DATA_HOME=home + "/.local/share", PATH="/usr/local/bin:/usr/bin:/bin")
        if "--directory" in run:
            os.mkdir(work + "/out")
            pathlib.Path(work, "out/capsule_endpoints.jsonl").write_text("")
        prepare = (CASES + CHECK + "fast --json >r").format(demeter=demeter)
        subprocess.run(["bash", "-c", prepare], cwd=work, env=environment, check=True, stderr=subprocess.DEVNULL)
        log = os.path.join(folder, "log")
        line = f"exec strace -f -qq -y -s 4096 -e trace=%file,connect -o {log} {demeter} " + run.format(out="out")
        ran = subprocess.run(["bash", "-c", line], cwd=work, env=environment, capture_output=True, text=True)
        wrong = [f"exit {ran.returncode}: {ran.stderr[-200:]}"] if ran.returncode > 1 else []
        inside = [os.path.join(work, each) for each in allowed] + [tmp]
        wrong += sorted(set(looked_at(pathlib.Path(log).read_text(errors="replace"), work, home, inside)))
        wrong += [f"left in TMPDIR: {name}" for name in os.listdir(tmp)]
        return wrong


def works():
    try:
        return subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "true"], capture_output=True).returncode == 0
    except OSError:
        return False


def files(demeter):
    if not works():
        print("strace does not work here")
        return SKIPPED
    verbs = re.findall(r"^  ([a-z]+) {2,}", subprocess.run([demeter, "--help"], capture_output=True, text=True).stdout, re.M)
    wrong = [f"{verb}: no run of the verb in this test" for verb in verbs if verb not in RUNS]
    written = table()
    for verb, (options, _) in written.items():
        helped = subprocess.run([demeter, verb, "--help"], capture_output=True, text=True).stdout
        wrong += [f"docs/trust.md: {verb} {option}: no such option" for option in options if option + " " not in helped]
    for verb, runs in RUNS.items():
        options, defaults = written.get(verb, ([], []))
        for run in runs:
            named = [option for option in options if option + " " in run]
            allowed = ["out", "out2", "out.svg"] if named else [each.rstrip("/") for each in defaults]
            if verb == "simulate":
                allowed += [each + ".partial" for each in allowed]
            wrong += [f"demeter {run}: {each}" for each in traced(os.path.abspath(demeter), run, allowed)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(files(sys.argv[1]))
