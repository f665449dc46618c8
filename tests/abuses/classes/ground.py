"""A changed floating-point environment of the judge: rounding, flushing, traps, long double."""
import pathlib
import shutil

from abuses import Abuse

KINDS = ("down", "up", "zero", "flush", "subnormals", "both", "trap", "stack_down", "stack_up", "stack_zero", "double",
         "single", "stack_trap")
CHECK = "demeter check capsule_mass_properties --subject fast --count 300 --jobs 2"


def possible(command, libraries):
    return None if (libraries / "ground.so").exists() else "no ground.so"


def without(kind, where):
    return {"LD_PRELOAD": "{libraries}/ground.so", "GROUND": kind, "GROUND_WHERE": where}


# In valgrind, a long double is a double. Highway's library executes RDTSCP when it is loaded, even on a processor
# without this instruction, and valgrind would then end every program. This test therefore needs a processor with
# RDTSCP.
if shutil.which("valgrind") and "rdtscp" in pathlib.Path("/proc/cpuinfo").read_text():
    VALGRIND = [Abuse("valgrind -q demeter list", 4, "floating-point environment: ", lines=None)]
else:
    VALGRIND = []
ABUSES = VALGRIND + [Abuse(CHECK + " >out", 4, "floating-point environment: ", env=without(kind, "start")) for kind in KINDS]
ABUSES += [Abuse(CHECK + " >out", 4, "floating-point environment: ", env=without(kind, "thread")) for kind in KINDS]
ABUSES += [
    Abuse("demeter generate segment_distance --count 20 >answers; cat answers | LD_PRELOAD=$LIBRARIES/ground.so demeter verify "
          "segment_distance", 4, "verdicts would be unreliable", env={"GROUND": "up", "GROUND_WHERE": "start"}),
    Abuse("LD_PRELOAD=$LIBRARIES/ground.so demeter vectors --check capsule_endpoints", 4, "verdicts would be unreliable",
          env={"GROUND": "flush", "GROUND_WHERE": "start"}),
    # A library that changes the rounding mode changes only its own arithmetic. It is judged, because the environment of
    # the judge does not change.
    Abuse("demeter check capsule_mass_properties --subject lib:$LIBRARIES/misbehave_rounding.so --count 300 >out", (0, 1),
          lines=None),
    # The same check passes if the environment is not changed. The change is therefore the only cause of the errors
    # above.
    Abuse(CHECK + " >out", 0, env={"LD_PRELOAD": "{libraries}/ground.so"}),
]
