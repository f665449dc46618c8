"""Tests `clump` with a million balls: the time is proportional to the number of balls, and the memory is at most 1 GB.

    python3 tests/large_inputs.py build/release/demeter

Compares processor times of one run with each other, so that a slow machine does not fail.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

MOST_RATIO, MOST_MEMORY = 13, 1 << 30
FEW, MANY = 100_000, 1_000_000


def equal(count):
    return "0 0 0 1\n" * count


def overlapping(count):
    """Returns random balls of radius 1. On average, a ball overlaps ten other balls."""
    draw = random.Random(count)
    side = (count * 4 / 3 * 3.141592653589793 * 8 / 10) ** (1 / 3)
    return "".join("%.9f %.9f %.9f 1\n" % tuple(draw.uniform(0, side) for _ in range(3)) for _ in range(count))


def measure(command, text):
    """Returns the seconds of processor time and the bytes of memory."""
    with tempfile.TemporaryDirectory() as folder:
        balls = pathlib.Path(folder) / "balls"
        balls.write_text(text)
        child = subprocess.Popen([command, "clump", balls], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"clump ended with status {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def main():
    wrong = 0
    for kind in (equal, overlapping):
        (few, _), (many, memory) = (measure(sys.argv[1], kind(count)) for count in (FEW, MANY))
        good = many <= MOST_RATIO * few and memory <= MOST_MEMORY
        wrong += not good
        print(f"{kind.__name__}: {FEW:,} balls {few:.2f} s, {MANY:,} balls {many:.2f} s (ratio {many / few:.1f}, at most {MOST_RATIO}), "
              f"{memory / 2**20:.0f} MiB (at most {MOST_MEMORY >> 20}){'' if good else ': WRONG'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
