"""Verdicts that must not be green: crashed subjects, skipped parts, too few cases."""
import json
import os
import shutil
import subprocess
import xml.etree.ElementTree

from abuses import Abuse
from harmful import within

CHECK = "demeter check capsule_mass_properties --tolerance double "
TYPICAL = CHECK + "--regime typical --count 300 "
RIGHT = """import json, math, os, signal, sys, time
def right(case):
    i = case["input"]; r, a = i["radius"], i["shaft"]
    v = math.pi * r * r * (4 * r / 3 + a)
    return json.dumps({"id": case["id"], "output": {"volume": v, "mass": v * i["density"]}})
"""
LOOP = """for line in sys.stdin:
    case = json.loads(line)
    print(right(case), flush=True)
    DEED
"""
THROWS = """#include <cstddef>
#include <stdexcept>
extern "C" int demeter_abi_version() { return 1; }
extern "C" int demeter_capsule_mass_properties(std::size_t n, double const* const* in, double* const* out, std::size_t) {
  static int calls = 0;
  if (++calls == NTH) throw std::runtime_error("not again");
  for (std::size_t i = 0; i < n; ++i) {
    double const r = in[0][i], v = 3.14159265358979323846 * r * r * (4 * r / 3 + in[1][i]);
    if (out[0]) out[0][i] = v;
    if (out[1]) out[1][i] = in[2][i] * v;
  }
  return 0;
}
"""
BENCH = """#!/bin/sh
trap '' TERM
setsid sleep 1000 </dev/null >/dev/null 2>&1 &
DEED
"""


def headline(words):
    """Returns a check that the line with the names of kernel and subject contains these words."""
    def check(folder, result):
        text = (folder / "out").read_text()
        lines = [line for line in text.splitlines() if " against " in line]
        return None if lines and words in lines[0] else f"headline {lines[:1]}, expected {words!r}"
    return check


def junit(folder, result):
    failures = xml.etree.ElementTree.parse(folder / "j.xml").getroot().get("failures")
    return None if int(failures) > 0 else "no failure in JUnit"


def verdict(word):
    def check(folder, result):
        found = json.loads((folder / "out").read_text())[0]["subjects"][0]["verdict"]
        return None if found == word else f"verdict {found}, expected {word}"
    return check


def all_of(*checks):
    return lambda folder, result: next(filter(None, (check(folder, result) for check in checks)), None)


def calls(deed):
    return f"--subject lib:$LIBRARIES/calls_{deed}.so "


def program(deed, line, code, says=None, check=None, **more):
    return Abuse(line.format("--subject 'pipe:python3 p.py' "), code, says, {"p.py": RIGHT + LOOP.replace("DEED", deed)},
                 check=check, **more)


FAILS = "fails capsule_mass_properties"
ABUSES = []
# Libraries that crash, throw, exit, hang or give a wrong answer at a later call in a process.
for deed in ("dies_second", "dies_fourth", "null_third", "exits_eleventh", "hangs_second", "dies_fortieth", "dies_late",
             "late", "aligned", "rest_5", "tenth"):
    ABUSES.append(Abuse(TYPICAL + calls(deed) + "--timeout 1 --junit j.xml >out", 1, FAILS,
                        check=all_of(headline("FAILED"), junit)))
# Some of these libraries again, with a time limit instead of a number of cases.
for deed in ("dies_second", "exits_eleventh"):
    ABUSES.append(Abuse(CHECK + calls(deed) + "--time 10 >out", 1, FAILS, check=headline("FAILED")))
ABUSES += [Abuse(TYPICAL + calls(deed) + "--json >out", 1, FAILS, check=verdict("fail")) for deed in ("null_third", "aligned")]
if shutil.which("c++"):
    for nth in (2, 3, 11):
        ABUSES.append(Abuse(f"c++ -DNTH={nth} -shared -fPIC t.cpp -o t.so && " + TYPICAL + "--subject lib:./t.so >out", 1,
                            FAILS, {"t.cpp": THROWS}, check=headline("FAILED")))

# A check with too few cases or with skipped parts is not a pass.
FEW = r"not refuted in {} everyday cases \(expected 299\)"
for subject in ("--subject fast ", calls("right")):
    ABUSES += [
        Abuse(CHECK + "--regime typical --count 44 --junit j.xml >out " + subject, 1, FEW.format(44),
              check=all_of(headline("not refuted in 44 everyday cases"), junit)),
        Abuse(CHECK + "--regime typical --count 298 --json >out " + subject, 1, FEW.format(298), check=verdict("not refuted")),
        Abuse(CHECK + "--regime typical --count 299 --json >out " + subject, 0, check=verdict("pass")),
        Abuse(CHECK + "--regime typical --count 300 >out " + subject, 0, check=headline("passed in typical only")),
        Abuse(CHECK + "--count 60 >out " + subject, 1, FEW.format(60)),
        Abuse(CHECK + "--count 40 --seeds 2 >out " + subject, 1),
    ]
ABUSES += [
    Abuse("demeter check superquadric_depth --subject fast --time 0.5 >out", 1, "not refuted in "),
    Abuse("demeter check nscd_solve --subject fast --count 300 --regime corner >out", (0, 1), lines=None,
          check=lambda folder, result: None if (result.code == 0) == ("passed in corner only" in (folder / "out").read_text())
          else "headline and exit code differ"),
    Abuse("for i in $(seq 30); do echo; done >a; demeter generate capsule_mass_properties --count 30 | demeter evaluate "
          "capsule_mass_properties --implementation fast >a; " + CHECK + "--subject file:a >out", 1, "not refuted in "),
    # The time limit is too short even for all call patterns.
    Abuse(CHECK + "--time 0.05 --count 20000 >out --subject lib:$LIBRARIES/calls_right.so", (0, 1), lines=None,
          check=lambda folder, result: None if (result.code == 0) == (": passed" in (folder / "out").read_text())
          else "headline and exit code differ"),
]

# Programs.
ABUSES += [
    program("sys.exit(1)", TYPICAL + "{}--time 5 --junit j.xml >out", 1, None, all_of(headline("FAILED"), junit)),
    program("sys.stdout.write('bye\\n')", TYPICAL + "{}--time 5 --junit j.xml >out", 1, "answers? no case",
            all_of(headline("FAILED"), junit)),
    Abuse(TYPICAL + "--subject 'pipe:python3 p.py' --time 5 --junit j.xml >out", 1, FAILS,
          {"p.py": "import sys\nfor line in sys.stdin: sys.exit(3)\n"}, check=all_of(headline("FAILED"), junit)),
    Abuse(TYPICAL + "--subject 'pipe:python3 none.py' --time 5 >out", 2, "ends before its first answer"),
]

# Options that exclude each other, repeated keys, and the part of an answer that differs.
ABUSES += [
    Abuse("demeter check --mutants --ladder segment_distance", 2, "excludes"),
    Abuse("demeter check --mutants --count 5 segment_distance", 2, "excludes"),
    Abuse("demeter check --ladder --time 5 segment_distance", 2, "excludes"),
    Abuse("""echo '{"id":1,"id":2,"input":{"radius":1,"shaft":1,"density":1}}' | demeter evaluate capsule_mass_properties """
          "--implementation fast", 3, 'key "id" given twice'),
    Abuse("""echo '{"id":1,"kernel":"capsule_mass_properties","kernel":"capsule_mass_properties","input":{"radius":1,"""
          """"shaft":1,"density":1}}' | demeter evaluate capsule_mass_properties --implementation fast""", 3, "given twice"),
    Abuse("demeter explain nscd_contact_update 1 --subject pipe:'python3 p.py' >out", 1, before={
        "p.py": 'import json, sys\nfor line in sys.stdin:\n    c = json.loads(line)\n    print(json.dumps({"id": c["id"], '
                '"output": {"velocity_i": [1e9, -1], "velocity_j": [0, 0]}}), flush=True)\n'},
          check=lambda folder, result: None if " [0] " in (folder / "out").read_text() else "no index [0] in it"),
]

# compare --interleave runs two programs in turns. One of them hangs, leaves processes behind or uses too much memory.
for deed, options, says in (("while :; do sleep 1; done", "--timeout 2", "a timeout after 2 s"),
                            ("exec python3 -c 'bytearray(500 << 20)'", "--memory 200", "MemoryError"),
                            ("exit 3", "", "ended with exit code 3"), ("kill -9 $$", "", "SIGKILL"),
                            ("exec yes", "--timeout 5", "too much output|a timeout after")):
    ABUSES.append(Abuse("chmod +x p; demeter compare --interleave ./p demeter capsule_mass_properties --own-memory 0 "
                        + options, 4, says, {"p": BENCH.replace("DEED", deed)}, check=within(12)))
ABUSES.append(Abuse("chmod +x p; timeout -s INT 2 demeter compare --interleave ./p demeter capsule_mass_properties", (1, 124),
                    lines=None, before={"p": BENCH.replace("DEED", "while :; do sleep 1; done")}, check=within(6)))

# Limits on the memory of the command itself.
ABUSES += [
    Abuse("demeter check segment_distance --subject fast --own-memory 8 >out", 4, r"memory: got \d+ MiB, expected at most 8"),
    Abuse("demeter vectors --memory 2 >out", (0, 4)),  # may finish before the first measurement of the memory
    Abuse("demeter generate segment_distance --count 10000000 --memory 5 >out", 4, r"memory: got \d+ MiB, expected at most 5",
          check=within(10)),
    Abuse("demeter check segment_distance --subject fast --own-memory none", 2),
]


def without_proc():
    """Returns whether this user may hide /proc."""
    hide = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /proc"]
    return os.geteuid() == 0 and shutil.which("unshare") and subprocess.run(hide, capture_output=True).returncode == 0


if without_proc():
    HIDDEN = "unshare -m sh -c 'mount -t tmpfs none /proc; exec bash -c \"$0\"' "
    for subject in ("lib:$LIBRARIES/calls_right.so", "pipe:cat"):
        ABUSES.append(Abuse(f"{HIDDEN} '{TYPICAL} --subject {subject}'", 4, "not run without a list of its processes"))
    ABUSES.append(Abuse(f"{HIDDEN} '{TYPICAL} --subject fast >out'", 0))
