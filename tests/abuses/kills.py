"""SIGKILL at random moments: complete files, no remaining process, a correct next run.

    python3 tests/abuses/kills.py build/release/demeter [--moments N] [--seed S] [--jobs N]

Kills N runs each of check, verify, report, vectors, continuity and simulate, at random moments. N is 3 unless
DEMETER_KILLS or --moments gives another number. Afterwards:

* Baseline, JUnit file, failures, vectors, pages and results are complete, in the old or in the new version.
* Unfinished files are left only if the next run in the folder removes them.
* No process is left.
* The same run, repeated without a kill, ends as in a new folder.
* In a simulation, the folder `run` is equal to the folder `old` before this repeated run, and to `whole` after it.
"""
import argparse
import concurrent.futures
import filecmp
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
import xml.dom.minidom

from run import processes_of

MINE = """import sys, json
for line in sys.stdin:
  case = json.loads(line); i = case["input"]; r, s = i["radius"], i["shaft"]
  print(json.dumps({"id": case["id"], "output": {"volume": 3.14159 * r * r * (s + 4 * r / 3)}}), flush=True)
"""
CHECK = ("demeter check capsule_mass_properties --subject 'pipe:python3 mine.py' --count 400 --jobs 2 --tolerance double "
         "--junit j.xml --write-known k")
VERBS = {
    "check": ("", CHECK, 1),
    "verify": ("demeter generate capsule_contact --count 4000 | demeter evaluate capsule_contact --implementation documented "
               ">answers", "demeter verify capsule_contact <answers --junit j.xml --write-known k", (0, 1)),
    "report": ("demeter report --kernel capsule_endpoints --count 5 --out first >/dev/null",
               "demeter report --from first/results.json.gz --out site --paper", 0),
    "vectors": ("mkdir v; demeter vectors superquadric_contact >v/superquadric_contact.jsonl; demeter generate "
                "superquadric_contact --regime typical --count 40 --seed 7 >cases",
                "demeter vectors --add superquadric_contact --directory v --regime typical --source kill <cases", (0, 3)),
    "simulate": ("true; demeter simulate orifice_20 --out whole; demeter simulate orifice_20 --set scene.steps=900 --out "
                 "run; cp -r run old", "demeter simulate orifice_20 --out run", 0),
    "continuity": ("", "demeter continuity capsule_contact --subject documented@double --paths 1500 --json", (0, 1)),
}


def wrong_files(folder):
    """Yields the files that are incomplete."""
    for path in folder.rglob("*"):
        if not path.is_file() or path.name in ("answers", "cases", "mine.py"):
            continue
        text = path.read_bytes()
        try:
            if path.suffix == ".gz":
                unpacked = gzip.decompress(text)
                if path.name.endswith(".json.gz"):
                    json.loads(unpacked)
            elif path.suffix == ".xml":
                xml.dom.minidom.parseString(text)
            elif path.suffix in (".json", ".jsonl") or path.name == "k":
                if path.name in ("results.json", "run.json"):
                    json.loads(text)
                else:
                    if text and not text.endswith(b"\n"):
                        yield f"{path}: half a line"
                    for line in text.splitlines():
                        json.loads(line)
            elif path.suffix == ".html" and b"</html>" not in text[-200:]:
                yield f"{path}: half a page"
            elif path.suffix == ".pdf" and b"%%EOF" not in text[-16:] and ".drawing-" not in str(path):
                yield f"{path}: half a figure"
        except ValueError as error:
            yield f"{path}: {error}"
        except Exception as error:  # the exceptions of the XML reader have no common base class
            yield f"{path}: {error}"


def same_trees(one, other):
    compared = filecmp.dircmp(one, other)
    files = [name for name in compared.common_files if (one / name).read_bytes() != (other / name).read_bytes()]
    return not (files or compared.left_only or compared.right_only) and all(
        same_trees(one / name, other / name) for name in compared.common_dirs)


def begin(line, folder, command, mark):
    environment = dict(os.environ, HOME=str(folder / "home"), TMPDIR=str(folder / "tmp"), DEMETER_ABUSE=mark,
                       PATH=f"{command.parent}:{os.environ.get('PATH', '')}")
    return subprocess.Popen(["bash", "-c", "exec " + line if line.startswith("demeter") else line], cwd=folder,
                            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, start_new_session=True)


def prepared(setup, command):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="demeter-kill-"))
    for name in ("home", "tmp"):
        (folder / name).mkdir()
    (folder / "mine.py").write_text(MINE)
    if setup:
        begin(setup, folder, command, "setup").wait()
    return folder


def one(verb, share, seconds, template, command):
    """Returns what went wrong with a run that was killed after this share of its duration."""
    _, line, code = VERBS[verb]
    codes = code if isinstance(code, tuple) else (code,)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="demeter-kill-"))
    wrong = []
    try:
        shutil.copytree(template, folder, dirs_exist_ok=True, symlinks=True)
        mark = uuid.uuid4().hex
        child = begin(line, folder, command, mark)
        time.sleep(share * seconds)
        ended = child.poll() is not None
        child.send_signal(signal.SIGKILL)
        child.wait()
        until = time.monotonic() + 20
        while processes_of(mark.encode()) and time.monotonic() < until:
            time.sleep(0.02)
        for process in processes_of(mark.encode()):
            wrong.append(f"process {process} is left")
            os.kill(process, signal.SIGKILL)
        wrong += wrong_files(folder)
        run, whole, old = folder / "run", folder / "whole", folder / "old"
        if whole.exists() and not ((run / "unfinished").exists() or same_trees(run, old) or same_trees(run, whole)):
            wrong.append("run is neither the old one nor the new one")
        again = begin(line, folder, command, mark).wait(timeout=300)
        if again not in codes:
            wrong.append(f"the next run ended with {again}")
        if whole.exists() and (not same_trees(run, whole) or (folder / "run.partial").exists()):
            wrong.append("run is not what a run that is left alone writes")
        wrong += wrong_files(folder)
        return wrong, ended
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("--moments", type=int, default=int(os.environ.get("DEMETER_KILLS", "3")))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--verb", choices=VERBS)
    given = parser.parse_args()
    command = given.command.resolve()
    chance = random.Random(given.seed)
    bad = False
    print("verb       | killed | after its end | failed")
    for verb, (setup, line, _) in VERBS.items():
        if given.verb not in (None, verb):
            continue
        template = prepared(setup, command)
        try:
            trial = prepared(setup, command)
            started = time.monotonic()
            begin(line, trial, command, "trial").wait(timeout=300)
            seconds = time.monotonic() - started
            shutil.rmtree(trial, ignore_errors=True)
            moments = [chance.random() for _ in range(given.moments)]
            with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
                results = list(pool.map(lambda share: one(verb, share, seconds, template, command), moments))
        finally:
            shutil.rmtree(template, ignore_errors=True)
        failed = [wrong for wrong, _ in results if wrong]
        late = sum(ended for _, ended in results)
        print(f"{verb:<10} | {len(results) - late:>6} | {late:>13} | {len(failed):>6}", flush=True)
        for wrong in failed:
            print("    " + "; ".join(wrong))
        bad = bad or bool(failed)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
