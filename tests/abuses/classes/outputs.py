"""Outputs that name an input, another output or a file that Demeter did not write."""
import gzip
import json
import shlex

from abuses import Abuse

PRECIOUS = "what nobody else has\n" * 3
BALLS = "0 0 0 0.5\n0 0 0.8 0.4\n"
CHECK = "demeter check capsule_mass_properties --subject fast --count 300 "
KNOWN = ('{"kernel":"capsule_mass_properties","subject":"fast","regime":"*","output":"*","max_error":1e300,'
         '"comment":"by hand"}\n')
RESULTS = CHECK + "--json >old; cp old new; "
ANSWERS = "demeter generate segment_distance --count 30 | demeter evaluate segment_distance --implementation fast >a; "
VERIFY = "demeter verify segment_distance "
SAME = "the same file as "
FOREIGN = "not written by demeter"


def refused(line, *names, says=SAME, before=None):
    """Returns an abuse whose last command must refuse its outputs. The named files must not change."""
    first, last = line.rsplit("; ", 1) if "; " in line else ("true", line)
    kept = " ".join(map(shlex.quote, names or ("home",)))
    return Abuse(f"{first}; mkdir kept; cp -RP {kept} kept; {last}; c=$?; for n in {kept}; do diff -r \"$n\" kept/\"$n\" >&2 "
                 "|| exit 99; done; exit $c", 2, says, before=before or {})


# Several names of one file: direct, through a folder, a link, a hard link, an absolute path.
SPELLINGS = ["k", "./k", "x/../k", "soft", "hard", "$PWD/k", "x/soft"]
LINKS = "mkdir x; ln -s k soft; ln k hard; ln -s ../soft x/soft; "
ABUSES = [refused(LINKS + CHECK + f"--known k --junit \"{spelling}\"", "k", before={"k": KNOWN}) for spelling in SPELLINGS]
ABUSES += [refused(LINKS + CHECK + f"--known k --junit \"{spelling}\" --force", "k", before={"k": KNOWN}) for spelling in SPELLINGS]
ABUSES += [
    refused("demeter clump f.svg --picture f.svg", "f.svg", before={"f.svg": BALLS}),
    refused("demeter clump f.svg --picture f.svg --force", "f.svg", before={"f.svg": BALLS}),
    refused("demeter clump - --picture f.svg --force <f.svg", "f.svg", before={"f.svg": BALLS}),
    refused(RESULTS + "demeter compare old new --html new", "old", "new"),
    refused(RESULTS + "demeter compare old new --junit old", "old", "new"),
    refused(RESULTS + "demeter compare old new --html x.html --junit x.html", "old"),
    refused(RESULTS + "ln -s x.html y.xml; demeter compare old new --html x.html --junit y.xml", "old"),
    refused(CHECK + "--write-known k2 --junit k2"),
    refused(CHECK + "--write-known k --junit k --force", "k", before={"k": KNOWN}),
    refused(ANSWERS + VERIFY + "--answers a --junit a", "a"),
    refused(ANSWERS + VERIFY + "--answers a --write-known ./a --force", "a"),
    refused(ANSWERS + VERIFY + "--junit a --force <a", "a"),
    refused(ANSWERS + VERIFY + "<a --junit j.xml --write-known j.xml", "a"),
    refused(ANSWERS + "cp a c; " + VERIFY + "--cases c --answers a --junit c --force", "a", "c"),
    refused("cp $LIBRARIES/textbook.so t.so; demeter check segment_distance --subject lib:./t.so --count 20 --junit t.so --force",
            "t.so"),
    refused(ANSWERS + "demeter check segment_distance --subject file:a --junit a --force", "a"),
    refused("demeter check segment_distance --subject 'pipe:python3 p.py' --count 5 --junit p.py --force", "p.py",
            before={"p.py": "import sys\n"}),
    # A standard stream is also an output of the command, so no option may name its file.
    Abuse(CHECK + "--junit out >out", 2, SAME + "standard output"),
    Abuse(ANSWERS + "cp a b; demeter evaluate segment_distance --cases a >>a; c=$?; cmp a b && exit $c", 2, SAME + "standard output"),
    Abuse(CHECK + "--junit /dev/stdout >out && grep -q testsuites out", 0),
    Abuse(CHECK + "--junit /dev/null --write-known /dev/null", 0),
]
# Files that Demeter did not write are not replaced without --force. Files that Demeter wrote are replaced.
WRITERS = [(CHECK + "--junit {}", "p.xml"), (CHECK + "--write-known {}", "p"), ("demeter clump f --picture {}", "p.svg"),
           ("demeter clump f --picture {}", "p.html"), (RESULTS + "demeter compare old new --html {}", "p.html"),
           (RESULTS + "demeter compare old new --junit {}", "p.xml"), (ANSWERS + VERIFY + "--answers a --junit {}", "p.xml"),
           (ANSWERS + VERIFY + "--answers a --write-known {}", "p")]
for line, name in WRITERS:
    line, of_link = line.format(name), line.format("link")
    ABUSES += [
        Abuse(line, 2, FOREIGN, before={"f": BALLS, name: PRECIOUS}, same=(name,)),
        Abuse(of_link, 2, before={"f": BALLS, name: PRECIOUS}, same=(name,)) if "picture" in line else
        Abuse(f"ln -s {name} link; " + of_link, 2, FOREIGN, before={"f": BALLS, name: PRECIOUS}, same=(name,)),
        Abuse(line + f" --force >out && ! grep -q precious {name}", 0, before={"f": BALLS, name: PRECIOUS}),
        Abuse(f"{line} >out && {line} >out", 0, before={"f": BALLS}),
        Abuse(f": >{name}; {line}", 0, before={"f": BALLS}),
    ]
ABUSES += [
    # A baseline is updated in place.
    Abuse(CHECK + "--known k --write-known k", 0, before={"k": KNOWN}),
    Abuse(CHECK + "--known k --write-known other", 2, FOREIGN, before={"k": KNOWN, "other": KNOWN}, same=("k", "other")),
]


def is_site(folder, result):
    json.loads(gzip.decompress((folder / "site/results.json.gz").read_bytes()))
    return None if "Written by Demeter" in (folder / "site/index.html").read_text() else "no mark"


EMPTY = {"r.json": '{"kernels":[]}'}
REPORT = "demeter report --from r.json --out site "
for name in ("index.html", "how-to-read.html", "mine.html", "results.json.gz", "data/mine.csv", "tables/mine.tex", "notes.csv"):
    before = EMPTY | {"site/" + name: PRECIOUS}
    ABUSES += [Abuse(REPORT, 2, "site/" + name + ": " + FOREIGN, before=before, same=("site/" + name,)),
               Abuse(REPORT + "--force >out 2>err", 0, before=before, check=is_site)]
ABUSES += [
    Abuse("ln -s ../r.json site/index.html; " + REPORT, 2, "site/index.html: " + FOREIGN, before=EMPTY | {"site/x": ""},
          same=("r.json",)),
    Abuse(REPORT + "2>err >out && " + REPORT + "2>err >out && demeter report --from site/results.json.gz --out site 2>err >out", 0,
          before=EMPTY, check=is_site),
    Abuse(REPORT + "2>err >out; echo 1 >site/notes.csv; echo 1 >site/mine.tex; " + REPORT + "2>err >out && cat site/notes.csv site/mine.tex",
          0, before=EMPTY, check=is_site),
    Abuse("mkdir site; " + REPORT + "2>err >out", 0, before=EMPTY, check=is_site),
    Abuse("demeter report --schema >schema && test -s schema", 0, before={"build/report/index.html": PRECIOUS}),
]

# Environment variables of Google Benchmark have no effect.
BENCH = "demeter bench capsule_mass_properties --subject fast --regime typical --time 1 --repetitions 2 "
ABUSES += [
    Abuse("BENCHMARK_OUT=precious BENCHMARK_OUT_FORMAT=csv " + BENCH + ">out", 0, before={"precious": PRECIOUS}, same=("precious",)),
    Abuse(BENCH + "--json | python3 -c 'import json, sys; assert json.load(sys.stdin)[\"benchmarks\"]'", 0,
          env={"BENCHMARK_LIST_TESTS": "1", "BENCHMARK_FILTER": "none", "BENCHMARK_FORMAT": "csv"}),
    Abuse(BENCH + "| grep -q ' 0.000'", 1, lines=0, env={"BENCHMARK_LIST_TESTS": "true"}),
]
ABUSES.append(Abuse(ANSWERS + VERIFY + "--answers a", 0, env={"SIMDJSON_FORCE_IMPLEMENTATION": "nonsense"}))
for verb in ("list", "--version", "clump f", CHECK):
    for name in ("V", "BENCHMARK_REPETITIONS", "BENCHMARK_MIN_TIME", "BENCHMARK_COUNTERS_TABULAR"):
        ABUSES.append(Abuse((verb if verb.startswith("demeter") else "demeter " + verb) + " 2>&1 >out | wc -c | grep -qx 0", 0,
                            before={"f": BALLS}, env={name: "\x1b[31mraw\nsecond"}))

# Options without an effect are errors.
IDLE = ["clump f --method columns", "check capsule_mass_properties --mutants --count 5", "check capsule_mass_properties --mutants --ladder",
        "check capsule_mass_properties --ladder --time 5", "check capsule_mass_properties --mutants --junit j.xml",
        "check capsule_mass_properties --ladder --formula documented", "check capsule_mass_properties --subject fast --drawn-only",
        "check capsule_mass_properties --subject fast --full --count 9", "check capsule_mass_properties --subject fast --seeds 2 --junit j",
        "check capsule_mass_properties --subject fast --seeds 2 --count 9 --known f", "clump f --as-case --picture f.svg",
        "clump f --as-case --cells 3", "verify segment_distance --all --limit 3", "verify segment_distance --subject mine",
        "report --from r.json --count 5", "report --from r.json --seed 5", "report --schema --from r.json", "report --full --count 5",
        "vectors --list --regime typical", "vectors segment_distance --flags", "vectors --check --flag WorstCase", "vectors --rounds 3",
        "vectors --count 3", "vectors --directory v", "vectors segment_distance --search fast --flag WorstCase", "list --abi --json",
        "vectors segment_distance --hard-to-round --rounds 3", "compare r.json r.json --repetitions 3", "compare r.json --subject fast",
        "explain segment_distance '{\"p0\":[0,0,0]}' --seed 3", "explain segment_distance '{\"p0\":[0,0,0]}' --regime typical",
        "explain segment_distance 3 --law swap --all", "generate segment_distance --regime heap --sizes 1:2",
        "check segment_distance --subject fast --binary32", "bench --binary32",
        "continuity capsule_contact --subject fast --path '{}' --paths 5", "continuity capsule_contact --subject fast --path '{}' --seed 5"]
ABUSES += [Abuse("demeter " + line, 2, before={"f": BALLS} | EMPTY, gone=("j.xml", "f.svg")) for line in IDLE]

# A search that was stopped reports that its result is partial.
STOPPED = "demeter vectors segment_distance --{} --count 100000000 >out & sleep 2; kill -{} $!; wait $!"
for how in ("search fast --rounds 1000000", "hard-to-round"):
    for signal in ("INT", "TERM"):
        ABUSES.append(Abuse(STOPPED.format(how, signal), 1, "partial"))


# A byte order mark is skipped in every text input.
MARKED = "(printf '\\357\\273\\277'; cat {}) >marked; "
ABUSES += [
    Abuse(ANSWERS + MARKED.format("a") + VERIFY + "--answers marked", 0),
    Abuse(ANSWERS + MARKED.format("a") + VERIFY + "<marked", 0),
    Abuse(ANSWERS + MARKED.format("a") + VERIFY + "--cases marked --answers a", 0),
    Abuse(ANSWERS + MARKED.format("a") + "demeter evaluate segment_distance --cases marked | " + VERIFY, 0),
    Abuse(ANSWERS + MARKED.format("a") + "demeter check segment_distance --subject file:marked", 1, "not refuted in"),
    Abuse(MARKED.format("k") + CHECK + "--known marked", 0, before={"k": KNOWN}),
    Abuse(RESULTS + MARKED.format("new") + "demeter compare old marked", 0),
    Abuse(MARKED.format("f") + "demeter clump marked", 0, before={"f": BALLS}),
]

# Files that are not valid results.
EDIT = "python3 -c 'import json; d = json.load(open(\"old\")); {}; json.dump(d, open(\"new\", \"w\"))'; "
CELL = "d[0][\"subjects\"][0][\"accuracy\"][0]"
ABUSES += [Abuse(RESULTS + f"echo '[]' >new; demeter compare {both}", 3, "empty array") for both in ("old new", "new old", "new new")]
ABUSES += [Abuse(RESULTS + EDIT.format(CELL + f"[\"{key}\"] = {value}") + "demeter compare old new", 3, key)
           for key in ("max_error", "mean_error", "p99_error", "budget", "judged") for value in ("-1.5", '"-inf"')]


def possible(command, libraries):
    return None if (libraries / "textbook.so").exists() else "no libraries of tests/outside"
