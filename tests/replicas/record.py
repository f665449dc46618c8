#!/usr/bin/env python3
"""Runs LAMMPS, LIGGGHTS and YADE again and compares the rows with the recorded ones.

    record.py [NAME ...]    works in a temporary folder; exits with 77 if none of the programs is installed

Each input file states its command in its second line. thin.py makes the rows. The rows are equal up to the rounding of
another processor: 1e-12 of the largest component, and 1e-10 after several bounces.
"""
import csv
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def inputs():
    """Returns the input file and the command of each run."""
    found = {}
    for path in sorted([*HERE.glob("*.in"), *HERE.glob("yade-*.py")]):
        line = path.read_text().splitlines()[1]
        found[path.stem] = (path, shlex.split(line.split(":  ", 1)[1]))
    return found


def rows_of(path):
    rows = list(csv.reader(path.open()))[1:]
    return {(row[0], row[1]): [float(cell) for cell in row[2:]] for row in rows}


def difference(recorded, found):
    """Returns the largest difference in position, velocity or spin, relative to the largest component of its kind."""
    worst = 0.0
    for kind in range(3):
        at = slice(3 * kind, 3 * kind + 3)
        scale = max(abs(x) for row in recorded.values() for x in row[at])
        apart = max(abs(x - y) for key, row in recorded.items() for x, y in zip(row[at], found[key][at]))
        worst = max(worst, apart / scale)
    return worst


def run(name, path, command, folder):
    for each in [path.name, "thin.py", "replica.py"]:
        shutil.copy(HERE / each, folder)
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    if not (folder / f"{name}.raw").exists():
        return f"{name}: {command[0]} wrote no rows (exit {done.returncode}): {done.stderr[-300:]}"
    subprocess.run([sys.executable, "thin.py", name], cwd=folder, check=True, capture_output=True)
    recorded, found = rows_of(HERE / f"{name}.csv"), rows_of(folder / f"{name}.csv")
    if recorded.keys() != found.keys():
        return f"{name}: other steps than the recorded ones"
    apart = difference(recorded, found)
    most = 1e-10 if name.endswith(("wall", "clump")) else 1e-12
    print(f"{name:<28} {apart:.1e}")
    return "" if apart <= most else f"{name}: differs by {apart:.1e}, expected at most {most:.0e}"


def main():
    chosen = {name: of for name, of in inputs().items() if not sys.argv[1:] or name in sys.argv[1:]}
    wrong, ran = [], 0
    for name, (path, command) in chosen.items():
        if shutil.which(command[0]) is None:
            print(f"{name:<28} {command[0]} is not installed")
            continue
        ran += 1
        with tempfile.TemporaryDirectory() as folder:
            wrong.append(run(name, path, command, pathlib.Path(folder)))
    for each in filter(None, wrong):
        print(each, file=sys.stderr)
    return SKIPPED if ran == 0 else 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
