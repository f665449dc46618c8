"""Damaged files that Demeter wrote: baselines, failures, runs, results."""
from abuses import Abuse

MINE = ("import sys,json\n"
        "for line in sys.stdin:\n"
        "  c=json.loads(line); i=c['input']; r,s,d=i['radius'],i['shaft'],i['density']; v=3.14*r*r*(s+4*r/3)\n"
        "  print(json.dumps({'id':c['id'],'input':i,'output':{'volume':v}}),flush=True)\n")
CHECK = "demeter check capsule_mass_properties --subject 'pipe:python3 mine.py' --count 300 --tolerance double "
FIRST = CHECK + ">/dev/null 2>&1; f=$(ls demeter-failures/capsule_mass_properties/*.jsonl); n=$(wc -l <$f); "
KEPT = "cp $f kept; "
KNOWN = '{"kernel":"capsule_mass_properties","subject":"*","regime":"*","output":"volume"}'
KNOWN_CHECK = "demeter check capsule_mass_properties --subject fast --count 300 --known k >out"


def failures(damage, code, says, then=""):
    """Returns an abuse that damages the recorded failures of a check and checks again. The file must not change."""
    return Abuse(FIRST + damage + KEPT + CHECK + ">out; code=$?; cmp -s kept <(head -c $(stat -c %s kept) $f) || exit 77; " + then
                 + "exit $code", code, says, before={"mine.py": MINE})


ABUSES = [
    # Harmless changes of the file: CRLF, a missing last newline, blank lines.
    failures("sed -i 's/$/\\r/' $f; ", 1, None),
    failures("truncate -s -1 $f; ", 1, None),
    failures("printf '\\n\\n' >>$f; ", 1, None),
    # Damage: the command reports an error with the line number.
    failures("echo '<<<<<<< HEAD' >>$f; ", 3, r"jsonl:\d+: expected a JSON object"),
    failures("sed -i '1i =======' $f; ", 3, r"jsonl:1: expected a JSON object"),
    failures("truncate -s -20 $f; ", 3, r"jsonl:\d+: "),
    failures("sed -i '1s/input/inpu/' $f; ", 3, r"jsonl:1: missing key \"input\""),
    failures("sed -i '1s/radius/radio/' $f; ", 3, r"jsonl:1: input"),
    failures("head -c 300 /dev/zero >>$f; ", 3, r"jsonl:\d+: "),
    failures("printf '[%.0s' $(seq 100000) >>$f; ", 3, "nested too deeply"),
    failures("printf '\\xff\\xfe' >>$f; ", 3, r"jsonl:\d+: "),
    Abuse(FIRST + "rm $f; mkdir $f; " + CHECK, 3, "cannot be read", before={"mine.py": MINE}),
    Abuse(FIRST + "rm $f; mkfifo $f; " + CHECK, 3, "cannot be read", before={"mine.py": MINE}),
    Abuse(FIRST + "rm $f; ln -s /dev/zero $f; " + CHECK, 3, "cannot be read", before={"mine.py": MINE}),
    # Baselines.
    Abuse(KNOWN_CHECK, 0, before={"k": KNOWN.replace("\n", "\r\n") + "\r\n"}),
    Abuse(KNOWN_CHECK, 0, before={"k": KNOWN}),
    Abuse(KNOWN_CHECK, 0, before={"k": "\r\n\r\n" + KNOWN + "\r\n\r\n"}),
    Abuse(KNOWN_CHECK, 0, before={"k": ""}),
] + [
    Abuse(KNOWN_CHECK + " --write-known k", 3, r"k: line \d+: ", before={"k": text}, same=("k",))
    for text in ("<<<<<<< HEAD\n" + KNOWN, KNOWN + "\n=======\n", KNOWN[:-10], KNOWN + "\n" + KNOWN[:20],
                 b"\0" * 100, b"\xff\xfe" + KNOWN.encode("utf-16-le"), b"\xef\xbb\xbf" + b"{", "[" * 200000, "null\n", "{}\n",
                 KNOWN.replace("volume", "volum"), KNOWN + KNOWN + "\n", "# a comment\n")
] + [
    Abuse("mkfifo k; " + KNOWN_CHECK, 2, "k: no program writes to this pipe"),
    Abuse("mkdir k; " + KNOWN_CHECK, 2, "k: "),
    Abuse("ln -s /dev/zero k; " + KNOWN_CHECK, (3, 4), "k: "),
]

RUN = "demeter simulate one_grain --out run >/dev/null; "
ABUSES += [
    # Damaged folders of runs.
    Abuse(RUN + damage + "; demeter simulate run >out", (0, 2, 3, 4), lines=1)
    for damage in ("truncate -s -9 run/checkpoint", ": >run/checkpoint", "head -c 999 /dev/urandom >run/checkpoint",
                   "rm run/checkpoint; mkfifo run/checkpoint", "rm run/checkpoint; ln -s /dev/zero run/checkpoint",
                   "echo nonsense >run/run.json", "rm run/scene.toml", "truncate -s 10 run/observables.csv",
                   "rm run/trajectory.dump; mkfifo run/trajectory.dump", "rm -r run/vtk; ln -s /etc run/vtk",
                   "printf '[%.0s' $(seq 100000) >run/run.json")
]
RESULT = "demeter check capsule_mass_properties --subject fast --count 300 --json >r.json; "
ABUSES += [
    # Results.
    Abuse(RESULT + damage + f"; demeter {verb}", 3, "r.json: ")
    for verb in ("compare r.json r.json", "report --from r.json --out site")
    for damage in ("truncate -s -9 r.json", ": >r.json", "printf '[%.0s' $(seq 100000) >r.json", "echo 7 >r.json",
                   "head -c 999 /dev/urandom >r.json", "head -c 99 /dev/zero >r.json")
]
