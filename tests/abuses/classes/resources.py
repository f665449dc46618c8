"""Lack of memory, threads, descriptors, processes, stack and folders."""
from abuses import Abuse

HOLDS = "demeter check capsule_mass_properties --subject fast --count 300 --jobs 4 >out"
DEAR = "demeter check nscd_solve --subject fast --regime vectors --jobs 4 >out"
PIPE = "demeter check capsule_mass_properties --subject pipe:cat --count 300 --jobs 2 >out"
LIBRARY = "demeter check segment_distance --subject lib:$LIBRARIES/textbook.so --count 300 --jobs 2 >out"
SHARED = "(demeter: error while loading shared libraries.*|demeter.*)"
# Balls at almost the same place. No ball contains another one.
BALLS = "".join(f"{i * 7919 % 1009 * 1e-6} {i * 104729 % 1013 * 1e-6} {i * 1299709 % 1019 * 1e-6} {1 + i % 997 * 1e-9}\n"
                for i in range(3000))


def some(command, setting, codes, says=None, **more):
    return Abuse(f"{setting}; {command}", codes, says, **more)


ABUSES = []
# Memory: the command answers, or prints one line. With even less memory, the loader fails before main and prints its
# own message.
for limit in (40_000, 60_000, 80_000, 100_000, 200_000):
    codes = (0, 4, 127) if limit < 60_000 else (0, 4)
    ABUSES += [some(command, f"ulimit -v {limit}", codes) for command in (HOLDS, DEAR)]
    ABUSES.append(some("demeter simulate one_grain --out run >out", f"ulimit -v {limit}", codes + (2, 3)))
# Limits at which the loader, the constructors of shared libraries, or Demeter's own constructors run out of memory.
ABUSES += [some("demeter list >out", f"ulimit -v {limit}", (0, 4, 127)) for limit in range(50_000, 62_000, 500)]
# Limits at which the child processes of a check run out of memory first.
ABUSES += [some(DEAR, f"ulimit -v {limit}", (0, 4)) for limit in (64_000, 68_000, 72_000, 90_000, 124_000, 126_000, 128_000, 130_000)]
ABUSES += [
    some("head -c 300000000 /dev/zero | tr '\\0' ' ' | demeter clump -", "ulimit -v 400000", (3, 4), alone=True),
    some("demeter clump b", "ulimit -v 8000000", 4, "too many", before={"b": BALLS}, alone=True),
    some("demeter clump b --json", "ulimit -v 300000", 4, "clump", before={"b": BALLS}, alone=True),
    some("head -n 150 b >c; demeter clump c >out", "ulimit -v 1000000", 0, before={"b": BALLS}, alone=True),
    some("demeter clump b --picture p.svg --digits 30", "true", 4, "too many", before={"b": BALLS}, alone=True, gone=("p.svg",)),
    some("demeter clump b --as-case | demeter evaluate clump_union_mass_properties --implementation fast >out", "true",
         (0, 1, 4), before={"b": BALLS}, alone=True, lines=None),
    # Threads: the command uses the number of threads that it can create.
    some("demeter check capsule_mass_properties --subject fast --count 300 --jobs 1024 >out", "ulimit -v 600000", (0, 4)),
    some("demeter check capsule_mass_properties --subject fast --count 300 --jobs 1024 >out", "ulimit -v 2000000", 0),
]
# scarce.so fails every allocation from a certain allocation on. Many positions of this allocation are tried.
ABUSES += [some(command, f"export SCARCE={calls} LD_PRELOAD=$LIBRARIES/scarce.so", codes, lines=None if 2 in codes else 1,
                before={"r.json": '{"kernels":[]}'})
           for command, codes in ((HOLDS, (0, 4)), (DEAR, (0, 4)),
                                  ("demeter list segment_distance --json >out", (0, 4)),
                                  ("demeter report --from r.json --out site >log", (0, 2, 4)),
                                  ("demeter check capsule_mass_properties --subject fast --count 300 --jobs 1 --json >out", (0, 4)))
           for calls in (1000, 2111, 4327, 9041, 18049, 27011, 36037, 72019, 150011, 300007)]
# Limits on processes. They do not apply to root, so the result depends on the user.
for limit in (1, 2, 3, 5):
    ABUSES += [some(command, f"ulimit -u {limit}", (0, 1, 2, 4), lines=None) for command in (HOLDS, PIPE, LIBRARY)]
# Limits on open file descriptors.
for limit in (5, 7, 8, 9, 10, 12, 16):
    ABUSES += [some(command, f"ulimit -n {limit}", (0, 1, 2, 4)) for command in (HOLDS, PIPE, LIBRARY)]
    ABUSES.append(some("demeter report --from r.json --out site >log", f"ulimit -n {limit}", (0, 2, 4),
                       before={"r.json": '{"kernels":[]}'}, lines=None))
# Limits on the size of the stack.
for limit in (32, 64, 256):
    ABUSES += [some(command, f"ulimit -s {limit}", 0) for command in
               (HOLDS, DEAR, "demeter list >out", "demeter clump b >out",
                "demeter check clump_union_mass_properties --subject fast --regime vectors >out")]
    for abuse in ABUSES[-5:]:
        abuse.before = {"b": "0 0 0 1\n1 0 0 1\n"}
    ABUSES.append(some("demeter evaluate clump_force_torque 2>err <<<\"$(printf '{\"input\":%.0s' $(seq 3000))\"; "
                       "code=$?; head -n 1 err >&2; exit $code", f"ulimit -s {limit}", 3, lines=None))
# A limit on processor time is not tested here: it ends the command by a signal.

# Environments without a home folder, without a folder for temporary files, or with folders that do not exist.
for env in ({"HOME": None}, {"TMPDIR": None}, {"HOME": None, "TMPDIR": None}, {"HOME": "/nonexistent"},
            {"HOME": None, "TMPDIR": "/nonexistent"}, {"HOME": "", "TMPDIR": ""}, {"HOME": "/dev/null"},
            {"HOME": "/proc", "TMPDIR": "/proc"}, {"HOME": "{folder}/file", "TMPDIR": "{folder}/file"}, {"PATH": None}):
    command = HOLDS if "PATH" not in env else "true"
    ABUSES.append(Abuse(command, 0, env=env, before={"file": "x"}))
ABUSES += [
    Abuse(PIPE, 1, env={"HOME": None, "TMPDIR": "/nonexistent"}),
    Abuse("env -i $(command -v demeter) check capsule_mass_properties --subject fast --count 300 >out", 0),
    Abuse("mkdir gone; cd gone; rmdir ../gone; demeter check capsule_mass_properties --subject fast --count 300 >../out", 0),
    Abuse("mkdir gone; cd gone; rmdir ../gone; demeter check capsule_mass_properties --subject fast --count 300 --junit j", 2),
    Abuse("mkdir gone; cd gone; rmdir ../gone; demeter simulate one_grain", 2),
    Abuse("mkdir gone; cd gone; rmdir ../gone; " + PIPE.replace(">out", ""), (1, 2), lines=None),
    Abuse("touch demeter-failures; " + PIPE, (1, 2, 3, 4), lines=None, same=()),
]
