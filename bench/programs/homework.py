"""Measures which of a course's two solvers is faster in Python: python3 bench/programs/homework.py [DISCS]

The solvers are Gauss-Seidel in plain Python loops and Jacobi vectorised in NumPy, from subjects/programs. The problem
is a heap of DISCS (500) discs between two walls and a floor. All discs begin with the velocity that gravity gives in
one step. Each solver runs until no correction is above a hundredth of this velocity. Times are processor times.
"""
import importlib
import math
import os
import random
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../subjects/programs"))

RADIUS, ALERT = 1e-3, 3e-4  # m
STEP = 2e-4  # s
APPROACH = 9.81 * STEP
MOST = 100_000


def heap(count):
    """Returns masses, velocities and contacts (i, j, normal, gap) of discs in rows.

    Each row is in the gaps of the row below.
    """
    chance = random.Random(1)
    columns = round(math.sqrt(count / 2))
    width, height = 2 * RADIUS, math.sqrt(3) * RADIUS
    at = []
    for k in range(count):
        row, column = divmod(k, columns)
        at.append((RADIUS + width * (column + (row % 2) / 2) + 1e-7 * RADIUS * (chance.random() - 0.5),
                   RADIUS + height * row))
    masses = [1000 * math.pi * RADIUS**2] * count + [math.inf]
    contacts, cells = [], {}
    side = 2 * RADIUS + ALERT
    for k, (x, y) in enumerate(at):
        cell = int(x // side), int(y // side)
        for a in (-1, 0, 1):
            for b in (-1, 0, 1):
                for other in cells.get((cell[0] + a, cell[1] + b), ()):
                    dx, dy = at[other][0] - x, at[other][1] - y
                    length = math.hypot(dx, dy)
                    if length < side:
                        contacts.append((other, k, (dx / length, dy / length), length - 2 * RADIUS))
        cells.setdefault(cell, []).append(k)
        right = width * (columns + 0.5)
        for normal, gap in (((0.0, 1.0), y - RADIUS), ((1.0, 0.0), x - RADIUS), ((-1.0, 0.0), right - x - RADIUS)):
            if gap < ALERT:
                contacts.append((k, count, normal, gap))
    contacts.sort()
    return masses, [[0.0, -APPROACH] for _ in at] + [[0.0, 0.0]], contacts


def measured(name, solve):
    """Times `solve` and prints the result.

    `solve` gets a tolerance for corrections and a maximum number of sweeps, and returns the number of sweeps it made.
    """
    begin = time.process_time()
    sweeps = solve(0.01 * APPROACH, MOST)
    taken = time.process_time() - begin
    print(f"{name:<26} {1e3 * taken / sweeps:7.3f} ms a sweep, {sweeps:6} sweeps, {taken:7.3f} s", flush=True)


def main(count):
    masses, velocities, contacts = heap(count)
    print(f"{count} discs, {len(contacts)} contacts, Python {sys.version.split()[0]}")
    plain = importlib.import_module("homework_nlgs")
    measured("Gauss-Seidel, plain loops", lambda correction, most: plain.solve_contacts(
        masses, [list(v) for v in velocities], contacts, STEP, correction * STEP, most))
    try:
        import numpy
    except ImportError:
        print("Jacobi: NumPy is not installed (Debian: python3-numpy)")
        return
    columns = importlib.import_module("homework_jacobi")
    i, j, normals, gaps = (numpy.array(column) for column in zip(*contacts))
    measured(f"Jacobi, NumPy {numpy.__version__}", lambda correction, most: columns.solve_contacts(
        numpy.array(masses), numpy.array(velocities).T.copy(), (i, j, normals.T.copy(), gaps), STEP, correction * STEP,
        most))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
