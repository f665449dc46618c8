"""Files are written completely or not at all: full disks, limits, links, pipes, two writers at once."""
import gzip
import json
import os
import re

from abuses import Abuse

OLD = "what was there before\n" * 3
# A subject that fails, so that a baseline has entries, and a subject that passes.
FAILS = "demeter check capsule_contact --subject documented@double --count 60 --tolerance strict "
HOLDS = "demeter check capsule_mass_properties --subject fast --count 300 "
VERIFY = "demeter generate segment_distance --count 30 | demeter evaluate segment_distance --implementation fast >a; "
BALLS = "0 0 0 0.5\n0 0 0.8 0.4\n"
RESULT = HOLDS + "--json >r.json; "
KNOWN = ('{"kernel":"capsule_mass_properties","subject":"fast","regime":"*","output":"*","max_error":1e300,'
         '"comment":"by hand"}\n')
VECTORS = "mkdir v; demeter vectors capsule_endpoints >v/capsule_endpoints.jsonl; "


def is_junit(folder, result, name="j.xml"):
    text = (folder / name).read_text()
    return None if text.startswith("<?xml") and text.rstrip().endswith("</testsuites>") else f"{name} is no JUnit"


def whole_site(folder, result, name="site"):
    for path in (folder / name).rglob("*.html"):
        if "</html>" not in path.read_text()[-200:]:
            return f"{path.name} is half a page"
    results = folder / name / "results.json.gz"
    if results.exists():
        json.loads(gzip.decompress(results.read_bytes()))
    return None


def added(count):
    def check(folder, result):
        lines = (folder / "v/capsule_endpoints.jsonl").read_text().splitlines()
        ids = [json.loads(line)["id"] for line in lines]
        if len(ids) != len(set(ids)) or ids != sorted(ids):
            return "ids are not those of one file"
        sources = [line for line in lines if '"abuse' in line]
        return None if len(sources) == count else f"{len(sources)} of {count} were kept"
    return check


def case(number):
    return '{"input":{"position":[%s.5,2,3],"orientation":[1,0,0,0],"radius":1,"shaft":2}}' % number


def link_is_kept(folder, result):
    if not (folder / "link.xml").is_symlink():
        return "the link is gone"
    return is_junit(folder, result, "deep/real.xml")


def outside_is_untouched(folder, result):
    return None if os.listdir(folder / "outside") == ["mine"] else "something came out of the folder"


def fails_of(folder):
    return [line for path in folder.rglob("demeter-failures/**/*.jsonl") for line in path.read_text().splitlines()]


def failures_are_lines(folder, result):
    lines = fails_of(folder)
    for line in lines:
        json.loads(line)
    if not lines:
        return "no failures were kept"
    return None if len(lines) == len(set(lines)) else "a failure is kept twice"


def one_is_told(folder, result):
    return None if len(result.err.strip().splitlines()) == 1 else "expected one line"


TARGETS = [(HOLDS + "--junit ", "j.xml"), (FAILS + "--write-known ", "known"),
           (VERIFY + "demeter verify segment_distance <a --junit ", "j.xml"),
           (RESULT + "demeter compare r.json r.json --html ", "c.html"),
           (RESULT + "demeter compare r.json r.json --junit ", "j.xml"),
           ("demeter clump b --picture ", "p.svg"), ("demeter clump b --picture ", "p.html")]

ABUSES = []
for command, name in TARGETS:
    before = {"b": BALLS, name: OLD}
    last = command.split("; ")[-1]
    first = "; ".join(command.split("; ")[:-1] + [""])
    ABUSES += [
        # A full disk, simulated by a limit on file size: the old file stays.
        Abuse(first + f"ulimit -f 0; {last}{name}", (2, 4), f"{re.escape(name)}: ", before=before, same=(name,)),
        # A missing folder, a folder in place of the file, a file in place of the folder.
        Abuse(first + f"{last}none/{name}", 2, f"none/{re.escape(name)}: ", before={"b": BALLS}),
        Abuse(first + f"mkdir -p d/{name}; {last}d/{name}", 2, f"d/{re.escape(name)}: ", before={"b": BALLS}),
        Abuse(first + f"{last}b/{name}", 2, f"b/{re.escape(name)}: ", before={"b": BALLS}, same=("b",)),
        # A folder in which not even root can create a file.
        Abuse(first + f"{last}/proc/{name}", 2, f"/proc/{re.escape(name)}: ", before={"b": BALLS}),
    ]
ABUSES += [
    Abuse(HOLDS + "--junit /dev/full", 4, "/dev/full: "),
    Abuse(FAILS + "--write-known /dev/full", 4, "/dev/full: "),
    Abuse("demeter clump b --picture /dev/fd/9.svg", 2, before={"b": BALLS}),
    # Devices and pipes are written to, not replaced.
    Abuse(HOLDS + "--junit /dev/null && test -c /dev/null", 0),
    Abuse(HOLDS + "--junit /dev/stdout >both && grep -q testsuites both && grep -q fast both", 0),
    Abuse(HOLDS + "--junit >(cat >got) >out; sleep 0.3; tail -n 1 got | grep -q '</testsuites>'", 0),
    Abuse("mkfifo f; " + HOLDS + "--junit f", 4, "f: no program reads from this pipe"),
    Abuse("mkfifo f; (timeout 60 cat f >got)& " + HOLDS + "--junit f >out; wait; tail -n 1 got | grep -q '</testsuites>'",
          0),
    # Links that the user names are followed. Links in a folder that Demeter created are not followed.
    Abuse("mkdir deep; ln -s deep/real.xml link.xml; " + HOLDS + "--junit link.xml", 0, check=link_is_kept),
    Abuse("ln -s loop loop; " + HOLDS + "--junit loop", 2, "loop: "),
    Abuse("mkdir outside; echo x >outside/mine; mkdir site; ln -s ../outside site/data; "
          "demeter report --from r.json --out site", 4, "site/data: got a link", lines=2, before={"r.json": '{"kernels":[]}'},
          check=outside_is_untouched),
    Abuse("mkdir outside; echo x >outside/mine; mkdir site; ln -s ../outside/mine site/index.html; ln -s "
          "../outside/new site/results.json.gz; demeter report --from r.json --out site --force; cat outside/mine | grep -q '^x$'",
          0, before={"r.json": '{"kernels":[]}'}, check=outside_is_untouched, lines=None),
    Abuse("mkdir outside; echo x >outside/mine; mkdir run.partial; touch run.partial/unfinished; for f in observables.csv "
          "contacts.csv trajectory.dump film.html scene.toml run.json checkpoint; do ln -sf ../outside/mine run.partial/$f; done; "
          "ln -s ../outside run.partial/vtk; demeter simulate one_grain --out run; code=$?; grep -q '^x$' outside/mine && exit "
          "$code", 2, "run.partial: contains other files", check=outside_is_untouched),
    Abuse("mkdir outside; echo x >outside/mine; mkdir -p demeter-failures; ln -s ../outside "
          "demeter-failures/capsule_mass_properties; " + HOLDS + "--failures demeter-failures", 0, lines=None,
          check=outside_is_untouched),
    # A full disk during the writing of a folder, and three writers at once in one folder.
    Abuse("demeter report --from r.json --out site >log 2>&1; cp -r site old; (ulimit -f 0; demeter "
          "report --from old/results.json.gz --out site); code=$?; diff -r site old >&2 || exit 99; for i in 1 2 3; do demeter "
          "report --from old/results.json.gz --out site >/dev/null 2>&1 & done; wait; exit $code", 4, "cannot write", lines=2,
          before={"r.json": '{"kernels":[]}'}, check=whole_site),
    Abuse("ulimit -f 0; demeter simulate one_grain --out run", 4, "run.partial/"),
    Abuse("ulimit -f 8; demeter simulate one_grain --out run", (0, 4)),
    Abuse("demeter simulate one_grain --out run/none/there/b/x >/dev/null && test -f run/none/there/b/x/results.json", 0),
    Abuse("touch file; demeter simulate one_grain --out file", 2, "file"),
    Abuse("touch file; demeter report --out file", 2, "file: "),
    Abuse("touch file; demeter report --out file/site", 2, "file/site: "),
    Abuse("demeter report --out /proc/site", 2, "/proc/site: "),
    Abuse(VECTORS + "cp v/capsule_endpoints.jsonl old; ulimit -f 0; echo '" + case(5) + "' | demeter vectors --add "
          "capsule_endpoints --directory v --regime axis_aligned --source abuse; code=$?; cmp old v/capsule_endpoints.jsonl && "
          "exit $code", 4, "v/capsule_endpoints.jsonl: "),
    # A stopped run does not update the baseline: an accepted failure that the run did not reach is not a fixed one.
    Abuse("timeout -s INT 3 demeter check nscd_solve --subject fast --known k --write-known k --count 100000", 124,
          "stopped", before={"k": KNOWN.replace("capsule_mass_properties", "nscd_solve")}, same=("k",)),
    # Several writers at once.
    Abuse(VECTORS + "for i in 1 2 3 4 5 6; do echo '" + case("'$i'") + "' | "
          "demeter vectors --add capsule_endpoints --directory v --regime axis_aligned --source abuse$i >/dev/null & done; wait",
          0, check=added(6)),
    Abuse("for i in 1 2 3; do " + FAILS + "--failures demeter-failures --no-shrink --jobs 1 --seed $i >/dev/null 2>&1 & done; wait; true",
          0, check=failures_are_lines),
    Abuse("for i in 1 2 3 4; do " + HOLDS + "--junit j.xml >/dev/null & done; wait", 0, check=is_junit),
]
