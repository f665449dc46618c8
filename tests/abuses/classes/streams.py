"""Standard streams that are closed, full or endless."""
from abuses import Abuse

HOLDS = "demeter check capsule_mass_properties --subject fast --count 300 "
FAILS = "demeter check capsule_contact --subject documented@double --count 60 --tolerance strict "
VERBS = ("list", "--help", "--version", "generate segment_distance --count 100", "doctor", "errata capsule_contact",
         "vectors capsule_endpoints", "vectors --list", "vectors --flags", "report --schema", "simulate", "simulate --keys",
         "check capsule_mass_properties --subject fast --count 300",
         "check capsule_mass_properties --subject fast --count 300 --json",
         "check capsule_mass_properties --subject fast --count 300 --seeds 2")

ABUSES = []
for verb in VERBS:
    ABUSES += [
        Abuse(f"demeter {verb} >/dev/full", 4, "standard output: "),
        Abuse(f"demeter {verb} >&-", 4, "standard output: "),
        Abuse(f"demeter {verb} 2>&- >out && test -s out", 0),
        Abuse(f"demeter {verb} 2>/dev/full <&- >out && test -s out", 0),
    ]
ABUSES += [
    # A message that cannot be written does not end the command and does not change the exit code.
    Abuse(FAILS + "2>&- >out", 1, lines=0),
    Abuse(FAILS + "2>/dev/full >out", 1, lines=0),
    Abuse("demeter nonsense 2>/dev/full", 2, lines=0),
    Abuse("demeter nonsense >&- 2>&- <&-", 2, lines=0),
    Abuse("demeter generate segment_distance --count 3000000 >/dev/full 2>&1", 4, lines=0),
    # If a standard stream is closed, no file that the command opens gets the number of this stream. Messages never go
    # to the JUnit file, and a library is never read as standard input.
    Abuse(FAILS + "--junit j.xml >out 2>&- <&-; tail -n 1 j.xml | grep -qx '</testsuites>' && head -n 1 j.xml | grep -q '^<.xml'",
          0),
    Abuse(FAILS + "--write-known k 2>&- >out <&-; python3 -c 'import json; [json.loads(l) for l in open(\"k\")]'", 0),
    Abuse("demeter check capsule_mass_properties --subject 'pipe:cat' --count 5 <&- >&- 2>&-", 4, lines=0),
    Abuse("demeter verify segment_distance <&-", 4, "standard input: "),
    Abuse("demeter evaluate segment_distance <&-", 4, "standard input: "),
    Abuse("demeter clump - <&-", 4, "standard input: "),
    Abuse("demeter vectors --add capsule_endpoints --directory v --regime axis_aligned --source x <&-", 4, "standard input: ",
          before={"v/capsule_endpoints.jsonl": ""}),
    Abuse("demeter evaluate segment_distance <.", 4, "standard input: "),
    Abuse("demeter verify segment_distance <home", 4, "standard input: "),
    Abuse("demeter evaluate segment_distance <home", 4, "standard input: "),
    # The reader has closed the pipe.
    Abuse("set -o pipefail; demeter generate segment_distance --count 100000 | head -n 1 >out", 4, "standard output: "),
    Abuse("set -o pipefail; demeter vectors | head -n 1 >out", 4, "standard output: "),
    # Lines that never end.
    Abuse("demeter verify segment_distance </dev/zero", 4, "expected at most 64 MiB", alone=True),
    Abuse("demeter evaluate segment_distance </dev/zero", 4, "expected at most 64 MiB", alone=True),
    Abuse("yes '{\"id\":1,' | tr -d '\\n' | demeter evaluate segment_distance 2>err; code=${PIPESTATUS[2]}; tail -n 1 err >&2; "
          "exit $code", 4, "expected at most 64 MiB", alone=True),
    Abuse("demeter vectors --add capsule_endpoints --directory v --regime axis_aligned --source x </dev/zero", 4, "expected at most 64 MiB",
          before={"v/capsule_endpoints.jsonl": ""}, alone=True),
]
for name in ("/dev/zero",):
    ABUSES += [
        Abuse(f"demeter check capsule_mass_properties --subject fast --count 300 --known {name}", 4, "expected at most 64 MiB", alone=True),
        Abuse(f"demeter verify segment_distance --cases {name}", 4, "expected at most 64 MiB", alone=True),
        Abuse(f"demeter clump {name}", (3, 4), alone=True),
        Abuse(f"demeter compare {name} {name}", (3, 4), alone=True),
        Abuse(f"demeter report --from {name} --out site", (3, 4), alone=True),
        Abuse(f"demeter simulate {name}", (3, 4), alone=True),
        Abuse(f"demeter check segment_distance --subject file:{name} --count 300", (1, 2, 3, 4), alone=True),
    ]
# A pipe without a writer.
for verb in ("check capsule_mass_properties --subject fast --known f", "verify segment_distance --cases f", "clump f",
             "compare f f", "report --from f --out site", "simulate ./f", "check segment_distance --subject file:f",
             "evaluate segment_distance --cases f", "check segment_distance --subject lib:./f"):
    ABUSES.append(Abuse(f"mkfifo f; demeter {verb}", 2))
