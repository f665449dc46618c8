"""Runs abuses of the command from a table, prints the number of tries and failures per class, and fails if one failed.

    python3 tests/abuses/run.py build/release/demeter [--libraries FOLDER] [--class NAME] [--jobs N] [--keep]

Each file of classes/ is a class. The first line of its docstring is the title of the class. ABUSES is a list of
`Abuse(line, code, ...)` (see below). If a class needs something that a machine may lack, its function `possible()`
returns the reason why the class cannot run.
"""
import argparse
import concurrent.futures
import dataclasses
import fnmatch
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 600  # seconds per abuse: longer means a hang, even on a machine that is ten times as slow
PROGRESS = re.compile(r" *\d+ %  \d+ s  .*\n")
LEFT = ("*.part", "*.draft", "*.new", ".drawing-*", ".writable")  # no finished file of Demeter has such a name


@dataclasses.dataclass
class Abuse:
    """A line of bash that runs in its own folder, with the command on the PATH, HOME=./home and TMPDIR=./tmp.

    code     the exit code, or several valid exit codes
    says     a regular expression that the line on standard error must contain; None: any text. If the code is not 0,
             exactly one line is expected, or `lines` lines
    before   files that exist before, by name; bytes or text
    same     files (or patterns of names) whose bytes must not change
    gone     patterns of names that must not exist afterwards
    check    another check: a function of the folder and the result (code, out, err) that returns what is wrong, or None
    env      environment variables of the command; None removes a variable
    alone    needs much memory or time, and runs alone
    """

    line: str
    code: object = 4
    says: str | None = None
    before: dict = dataclasses.field(default_factory=dict)
    same: tuple = ()
    gone: tuple = ()
    check: object = None
    env: dict = dataclasses.field(default_factory=dict)
    lines: int | None = 1
    alone: bool = False


@dataclasses.dataclass
class Result:
    code: int
    out: str
    err: str
    seconds: float


def contents(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def processes_of(mark):
    """Returns the processes that still have the mark of the abuse in their environment."""
    left = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if mark in (entry / "environ").read_bytes():
                left.append(int(entry.name))
        except OSError:
            pass
    return left


def run(abuse, command, libraries):
    """Runs an abuse. Returns what is wrong with the behaviour of the command."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="demeter-abuse-"))
    wrong = []
    try:
        for name in ("home", "tmp"):
            (folder / name).mkdir()
        for name, text in abuse.before.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        before = contents(folder)
        mark = uuid.uuid4().hex
        environment = dict(os.environ)
        environment.pop("LD_PRELOAD", None)
        environment.update(HOME=str(folder / "home"), TMPDIR=str(folder / "tmp"), DEMETER_ABUSE=mark,
                           PATH=f"{command.parent}:{environment.get('PATH', '')}", LIBRARIES=str(libraries))
        for name, value in abuse.env.items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value.format(folder=folder, libraries=libraries)
        begin = time.monotonic()
        # Reads the output from pipes. If the streams were files, a limit on file size would apply to them.
        child = subprocess.Popen(["bash", "-c", abuse.line], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = child.communicate(timeout=LONGEST)
            code = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            code = None
            wrong.append(f"hung: {LONGEST} s")
        result = Result(code, out.decode(errors="replace"), err.decode(errors="replace"), time.monotonic() - begin)
        said = PROGRESS.sub("", result.err)
        codes = abuse.code if isinstance(abuse.code, (tuple, list, set)) else (abuse.code,)
        if code is not None and code not in codes:
            wrong.append(f"exit {code}, expected {' or '.join(map(str, codes))}")
        if abuse.lines is not None and code not in (0, None) and said.count("\n") != abuse.lines:
            wrong.append(f"{said.count(chr(10))} lines on stderr, expected {abuse.lines}")
        if abuse.says is not None and not re.search(abuse.says, said):
            wrong.append(f"expected {abuse.says!r} on stderr")
        if "terminate called" in said or "what():" in said:
            wrong.append("terminated")
        after = contents(folder)
        for pattern in abuse.same:
            names = fnmatch.filter(before, pattern)
            if not names:
                wrong.append(f"{pattern}: nothing was there")
            for name in names:
                if after.get(name) != before[name]:
                    wrong.append(f"{name} is no more what it was")
        for name in after:
            if any(fnmatch.fnmatch(pathlib.Path(name).name, each) for each in LEFT + abuse.gone):
                wrong.append(f"{name} is left")
        if abuse.check is not None and code is not None:
            try:
                more = abuse.check(folder, result)
            except Exception as error:  # the checked file is missing, or is not XML or JSON
                more = f"{type(error).__name__}: {error}"
            if more:
                wrong.append(more)
        left = processes_of(mark.encode())
        until = time.monotonic() + 10
        while left and time.monotonic() < until:  # a supervisor process ends shortly after its command
            time.sleep(0.05)
            left = processes_of(mark.encode())
        for process in left:
            wrong.append(f"process {process} is left")
            try:
                os.kill(process, signal.SIGKILL)
            except OSError:
                pass
        if wrong:
            wrong.append("stderr: " + said[-300:].strip())
    finally:
        for path in folder.rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)
    return wrong


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    sys.modules["abuses"] = sys.modules[__name__]
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("--libraries", type=pathlib.Path, default=pathlib.Path("."), help="of tests/outside")
    parser.add_argument("--class", dest="only", help="the name of one file of classes/")
    parser.add_argument("--jobs", type=int, default=3 * (os.cpu_count() or 1))
    parser.add_argument("--slow", type=int, default=0, metavar="N", help="print the N that took longest")
    given = parser.parse_args()
    command, libraries = given.command.resolve(), given.libraries.resolve()
    begin = time.monotonic()
    titles, abuses = {}, []
    for path in sorted((HERE / "classes").glob("*.py")):
        if given.only not in (None, path.stem):
            continue
        module = load(path)
        titles[path.stem] = module.__doc__.strip().splitlines()[0].rstrip(".")
        why_not = module.possible(command, libraries) if hasattr(module, "possible") else None
        if why_not:
            titles[path.stem] += f" (not tried: {why_not})"
            continue
        abuses += [(path.stem, abuse) for abuse in module.ABUSES]

    def one(entry):
        started = time.monotonic()
        wrong = run(entry[1], command, libraries)
        return (*entry, wrong, time.monotonic() - started)

    # Most abuses wait most of the time, so more abuses than processors run at once.
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        results = list(pool.map(one, [each for each in abuses if not each[1].alone]))
    results += [one(each) for each in abuses if each[1].alone]
    failures = [(name, abuse, wrong) for name, abuse, wrong, _ in results if wrong]
    times = [(seconds, name, abuse.line) for name, abuse, _, seconds in results]
    rows = [(title, sum(each[0] == name for each in results), sum(each[0] == name for each in failures))
            for name, title in titles.items()]
    for name, abuse, wrong in failures:
        print(f"{name}: {abuse.line}\n    " + "\n    ".join(wrong))
    if given.slow:
        for seconds, name, line in sorted(times, reverse=True)[: given.slow]:
            print(f"{seconds:6.1f} s  {name}: {line[:300]}")
        for title in titles:
            print(f"{sum(each[0] for each in times if each[1] == title):6.1f} s  {title}, one after the other")
    width = max(len(title) for title, _, _ in rows)
    print(f"{'class':<{width}} | tried | failed")
    for title, tried, failed in rows:
        print(f"{title:<{width}} | {tried:>5} | {failed:>6}")
    tried, failed = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"{'all':<{width}} | {tried:>5} | {failed:>6}   {time.monotonic() - begin:.0f} s")
    return 1 if failed or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
