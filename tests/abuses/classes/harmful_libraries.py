"""Libraries that hang, crash, stop, fork, flood the output and forge answers."""
from abuses import Abuse
from harmful import library, possible, within  # noqa: F401

CHECK = "demeter check capsule_mass_properties --tolerance double "
# A deed is the way in which a library misbehaves. The deeds are grouped by the result of a check: HANGS, DIES and MORE
# fail, LIVES passes, EITHER passes or fails, LOADS cannot be loaded.
HANGS = ("hang", "spin", "deaf", "stop", "stop_group", "stop_parent", "daemon_and_hang", "thread_hangs", "close_and_hang",
         "block_all", "run_away")
DIES = ("kill_parent", "kill_group", "daemon_and_die", "crash", "exit", "quick_exit", "at_once", "flood_files",
        "forge_small", "forge_huge", "forge_zero", "close_all")
LIVES = ("child", "child_spins", "session", "daemon", "many_children", "flood_out", "flood_err", "change_folder",
         "load_daemon", "die_in_child_of_child")
EITHER = ("read_commands", "no_files", "less_of_all", "child_answers_too", "map_memory")
LOADS = ("load_hang", "load_spin", "load_stop", "load_exit", "load_abort")
MORE = ("slow_crash", "eat_memory", "alarm")


if possible(None, None) is None:
    ABUSES = [Abuse(CHECK + library(deed) + "--time 0.5 --timeout 0.3 >out", 1, check=within(10)) for deed in HANGS]
    # Each answer of these libraries costs two processes. Without a time limit, the check would start thousands.
    ABUSES += [Abuse(CHECK + library(deed) + "--count 20 --time 1 --timeout 2 >out", 1, check=within(10)) for deed in DIES]
    ABUSES += [Abuse(CHECK + library(deed) + "--count 300 --profile everyday --timeout 3 >out", 0, check=within(10),
                     alone=deed in ("child_spins", "many_children")) for deed in LIVES]
    ABUSES += [Abuse(CHECK + library(deed) + "--count 20 --time 2 --timeout 1 >out", (0, 1), check=within(10))
               for deed in EITHER]
    ABUSES += [Abuse(CHECK + library(deed) + "--timeout 0.5 >out", 2, "cannot be loaded", check=within(5)) for deed in LOADS]
    ABUSES += [
        Abuse(CHECK + library("slow_crash") + "--time 1 >out", 1, check=within(12)),
        Abuse(CHECK + library("eat_memory") + "--time 1 --memory 100 >out", 1, check=within(12)),
        Abuse(CHECK + library("alarm") + "--time 1 >out", 1, check=within(12)),
        # The default timeout also keeps the check within its time plus ten seconds.
        Abuse(CHECK + library("hang") + "--time 1 >out", 1, check=within(4)),
        # A very large timeout is a long time, not zero.
        Abuse(CHECK + library("child") + "--count 300 --timeout 1e10 >out", (0, 1), check=within(10)),
        Abuse(CHECK + library("child") + "--count 300 --timeout 1e300 >out", (0, 1), check=within(10)),
    ]
    for deed in ("hang", "daemon", "daemon_and_hang", "stop_parent"):
        ABUSES += [
            Abuse("demeter explain capsule_mass_properties 3 --timeout 0.3 " + library(deed) + ">out", (0, 1), check=within(12)),
            Abuse("demeter bench capsule_mass_properties --timeout 0.3 --time 0.2 --repetitions 1 --regime typical "
                  + library(deed) + ">out", (0, 1), lines=None, check=within(12)),
            # evaluate has no time limit here: the signal after 2 s must end it.
            Abuse("demeter generate capsule_mass_properties --count 3 | timeout -s INT 2 demeter evaluate "
                  "capsule_mass_properties --implementation " + library(deed)[10:] + " >out", (0, 1, 124), lines=None,
                  check=within(12)),
        ]
    # A library that leaves out an output in some cases.
    ABUSES += [Abuse(CHECK + library(deed) + "--count 50 >out", 1, r"mass is missing in \d+ of \d+ answers, first in id \d+ of")
               for deed in ("left_out",)]
    ABUSES += [Abuse(CHECK + library("half_a_nan") + "--count 50 >out", 1)]
