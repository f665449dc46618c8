"""Verbs that end by SIGINT, SIGTERM, SIGHUP or SIGKILL."""
import xml.dom.minidom

from abuses import Abuse
from harmful import library, possible, within  # noqa: F401

WAIT = "sleep 0.7; "
HANGING = "--subject 'pipe:sleep 1000' "
SILENT = "mkfifo silent; exec 3<>silent; "  # a pipe that stays open and sends nothing


def ended(line, signal, before=None, more="", code=1, check=None):
    """Returns an abuse that sends a signal to a running command. The command must end within 2 s (10 s on a busy
    machine)."""
    return Abuse("set -m; " + line + " & child=$!; " + WAIT + f"begin=$(date +%s%N); kill -{signal} $child; wait $child; code=$?; "
                 "[ $(( ($(date +%s%N) - begin) / 1000000 )) -lt 10000 ] || exit 99; " + more + "exit $code",
                 code, before=before or {}, lines=None, check=check)


def junit_is_whole(folder, result):
    xml.dom.minidom.parse(str(folder / "j.xml"))
    return None if result.seconds < 15 else f"took {result.seconds:.1f} s"


ABUSES = []
if possible(None, None) is None:
    for signal in ("INT", "TERM", "HUP"):
        for subject in (library("hang"), HANGING, "--subject fast ") if signal != "TERM" else (library("daemon_and_hang"),
                                                                                             library("stop")):
            ABUSES.append(ended("demeter check capsule_mass_properties --full --jobs 2 --junit j.xml " + subject + ">out", signal,
                                check=junit_is_whole))
        for number, line in enumerate(("demeter explain capsule_mass_properties 3 " + library("hang"),
                     "demeter bench capsule_mass_properties --regime typical " + library("hang"),
                     "demeter bench capsule_mass_properties --regime typical --time 100 --each 1 --subject fast",
                     "demeter bench capsule_mass_properties --regime typical --each .02 --repetitions 99 --subject fast",
                     "demeter continuity capsule_contact --subject 'pipe:sleep 1000'",
                     "demeter check superquadric_depth --subject fast --count 100000",
                     "demeter check --mutants capsule_mass_properties",
                     "demeter check --ladder superquadric_depth --count 1000",
                     "demeter vectors superquadric_depth --search fast --count 100000",
                     "demeter report --kernel superquadric_depth --out site",
                     SILENT + "demeter verify capsule_mass_properties <silent",
                     SILENT + "demeter evaluate capsule_mass_properties --implementation fast <silent")):
            if signal == "INT" or number % 2 == (signal == "TERM"):
                ABUSES.append(ended(line + " >out", signal))
        ABUSES.append(ended("demeter generate segment_distance --count 100000000 >/dev/null", signal))
        ABUSES.append(ended("demeter simulate newtons_cradle --implementation reference@mpfr:200 --out run >out", signal, code=(0, 1)))
    for subject in (library("hang"), library("daemon_and_hang"), library("child"), library("daemon"), library("stop"),
                    library("run_away"), library("deaf"), library("many_children"), library("stop_group"), HANGING,
                    "--subject 'pipe:setsid sleep 1000'", "--subject 'pipe:sleep 1000 & sleep 1000'",
                    "--subject 'pipe:(setsid sleep 1000 &) ; cat'"):
        for verb in ("check capsule_mass_properties --full",) if subject not in (library("hang"), library("daemon"), HANGING) else ("check capsule_mass_properties --full", "explain capsule_mass_properties 3",
                     "bench capsule_mass_properties --time 100"):
            # run.py also checks that no file and no process is left.
            ABUSES.append(ended(f"demeter {verb} {subject} >out", "KILL", code=(0, 1, 137)))
