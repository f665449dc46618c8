"""Siconos: solvers of complementarity and planar friction problems, one process per solver"""
# program: python3
# module: siconos
# package: python3-siconos
# cases: 40
# version: "$PYTHON" -c 'import siconos; print(siconos.version)'
# home: https://github.com/siconos/siconos
# answers nscd_solve: linearComplementarity_driver of the normals' Delassus matrix, fc2d_driver of both directions with mu = 0, to the tolerance 1e-12 in units of the least mass and the largest speed
# variant lcp_lemke: Siconos: lexicographic Lemke
# variant lcp_pivot: Siconos: pivots
# variant lcp_bard: Siconos: Bard's pivots
# variant lcp_murty: Siconos: Murty's least index pivots
# variant lcp_pathsearch: Siconos: path search
# variant lcp_enum: Siconos: all sets of contacts, up to twelve contacts
# variant lcp_newtonmin: Siconos: Newton's method on min(z, w)
# variant lcp_newton_fb_fblsa: Siconos: Newton's method on the function of Fischer and Burmeister
# variant lcp_pgs: Siconos: projected Gauss-Seidel
# variant lcp_psor: Siconos: projected successive overrelaxation
# variant lcp_rpgs: Siconos: regularised projected Gauss-Seidel
# variant lcp_latin: Siconos: LATIN
# variant lcp_cpg: Siconos: projected conjugate gradients
# variant lcp_qp: Siconos: quadratic programming
# variant lcp_nsqp: Siconos: quadratic programming of a matrix that need not be symmetric
# variant lcp_path: Siconos: PATH
# variant friction_2d_nsgs: Siconos: block Gauss-Seidel for planar friction, mu = 0
# variant friction_2d_cpg: Siconos: projected conjugate gradients for planar friction, mu = 0
# variant friction_2d_lemke: Siconos: Lemke for planar friction, mu = 0
# variant friction_2d_enum: Siconos: all states of planar friction, mu = 0, up to three contacts
import math
import multiprocessing
import os
import signal
import sys

from core.adapter import HEARTBEAT, Failed, Unsupported, serve

TOLERANCE = 1e-12  # absolute tolerance, as Siconos defines it
ITERATIONS = 10000  # limit of iterations, unless Siconos allows more by default
MOST = {"lcp_enum": 12, "friction_2d_enum": 3}  # largest number of contacts
PATIENCE = 2  # time limit per case in s of processor time

variant = sys.argv[1] if len(sys.argv) > 1 else "lcp_lemke"
friction = variant.startswith("friction_2d_")


class Solver:
    """A process that loads Siconos, which takes 0.5 s. It starts with the first case, and again if it has ended."""
    process = None

    def start(self):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=work, args=(self.pipe, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def __call__(self, case):
        """Returns the reactions, or the reason for a refusal as text."""
        if self.process is None or not self.process.is_alive():
            self.start()
        self.pipe.send(case)
        while not self.pipe.poll(HEARTBEAT):
            print(flush=True)
        try:
            return self.pipe.recv()
        except EOFError:
            self.process.join()
            raise Failed(f"Siconos ended by signal {-self.process.exitcode}" if self.process.exitcode < 0 else
                         f"Siconos exited with {self.process.exitcode}")


def work(theirs, ours):
    theirs.close()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # warnings of Siconos must not mix with answers
    sys.path[:1] = []  # otherwise `import siconos` could find this file, which has the same name
    import numpy
    import siconos.numerics as numerics
    solver = getattr(numerics, "SICONOS_" + variant.upper())

    def reactions(W, q):
        W, q = numpy.array(W, order="F"), numpy.array(q)
        options = numerics.SolverOptions(solver)
        options.dparam[numerics.SICONOS_DPARAM_TOL] = TOLERANCE
        at = numerics.SICONOS_IPARAM_MAX_ITER
        if not variant.endswith("_enum"):
            options.iparam[at] = max(int(options.iparam[at]), ITERATIONS)
        r, u = numpy.zeros(len(q)), numpy.zeros(len(q))
        try:
            if friction:
                problem = numerics.FrictionContactProblem(2, len(q) // 2, W, q, numpy.zeros(len(q) // 2))
                info = numerics.fc2d_driver(problem, r, u, options)
            else:
                info = numerics.linearComplementarity_driver(numerics.LCP(W, q), r, u, options)
        except RuntimeError as why:
            return ([line.strip() for line in str(why).splitlines() if line.strip()] or ["an error without a message"])[-1]
        if info != 0:
            return f"info = {info} of {numerics.solver_options_id_to_name(solver)}"
        return r.tolist() if numpy.isfinite(r).all() else "reactions that are not finite, and info = 0"

    while True:
        try:
            problem = ours.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        answer = reactions(*problem)
        signal.setitimer(signal.ITIMER_PROF, 0)
        ours.send(answer)


SOLVER = Solver()


def rows_of(contacts):
    """Yields (i, j, direction, is_normal) for the normal of each contact. With friction, also for its tangent."""
    for contact in contacts:
        i, j, (x, y) = int(contact["i"]), int(contact["j"]), contact["normal"]
        yield i, j, (x, y), True
        if friction:
            yield i, j, (-y, x), False


def nscd_solve(case):
    contacts, masses = case["contacts"], [float(mass) for mass in case["masses"]]
    if not contacts:
        return {"velocities": case["velocities"], "impulses": []}
    if len(contacts) > MOST.get(variant, len(contacts)):
        raise Unsupported(f"more than {MOST[variant]} contacts to enumerate")
    unit, speed = power_of_two(min(masses)), power_of_two(max(abs(x) for v in case["velocities"] for x in v))
    mobility = [unit / mass for mass in masses]
    velocities = [[x / speed for x in v] for v in case["velocities"]]
    gaps = iter(contacts)
    rows, q = list(rows_of(contacts)), []
    for i, j, along, is_normal in rows:
        meeting = max(0.0, next(gaps)["gap"]) / case["dt"] / speed if is_normal else 0.0
        q.append(sum((velocities[i][c] - velocities[j][c]) * along[c] for c in (0, 1)) + meeting)
    W = [[((i == k) * mobility[i] + (j == l) * mobility[j] - (i == l) * mobility[i] - (j == k) * mobility[j])
          * (n[0] * m[0] + n[1] * m[1]) for k, l, m, _ in rows] for i, j, n, _ in rows]
    answer = SOLVER((W, q))
    if isinstance(answer, str):
        raise Unsupported("Siconos: " + answer)
    for (i, j, along, _), impulse in zip(rows, answer):
        for c in (0, 1):
            velocities[i][c] += impulse * along[c] * mobility[i]
            velocities[j][c] -= impulse * along[c] * mobility[j]
    return {"velocities": [[x * speed for x in v] for v in velocities],
            "impulses": [r * unit * speed for (_, _, _, is_normal), r in zip(rows, answer) if is_normal]}


def power_of_two(size):
    """Returns a power of two of about this size. Scaling by it is exact."""
    return 2.0**math.frexp(size)[1] if size > 0 else 1.0


if __name__ == "__main__":
    serve({"nscd_solve": nscd_solve})
