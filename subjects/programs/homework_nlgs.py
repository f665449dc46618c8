"""a course's Gauss-Seidel in plain Python loops, at most 1000 sweeps"""
# program: python3
# package: python3
# cases: 5
# version: "$PYTHON" -c "import platform; print(platform.python_version())"
# answers nscd_solve: sweeps of single updates, one contact after the other, until all corrections are below tol/dt = 2^-50 of the largest speed, or 1000
# formula nscd_solve: documented
from core.adapter import serve

SWEEPS = 1000
ROUNDINGS = 2.0**-50  # tol/dt divided by the largest speed


def solve_contacts(masses, velocities, contacts, dt, tol, itmax=SWEEPS):
    """Updates the velocities, a list of pairs. Returns the number of sweeps. Contacts are (i, j, n, gap)."""
    for sweep in range(itmax):
        largest = 0.0
        for i, j, (nx, ny), gap in contacts:
            vi, vj = velocities[i], velocities[j]
            vn = (vi[0] - vj[0]) * nx + (vi[1] - vj[1]) * ny
            correction = max(0.0, -vn - max(0.0, gap) / dt)
            if correction > 0:
                largest = max(largest, correction)
                wnn = 1 / masses[i] + 1 / masses[j]
                by = correction / (wnn * masses[i])
                vi[0] += by * nx
                vi[1] += by * ny
                by = correction / (wnn * masses[j])
                vj[0] -= by * nx
                vj[1] -= by * ny
        if largest <= tol / dt:
            return sweep + 1
    return itmax


def nscd_solve(case):
    velocities = [list(map(float, velocity)) for velocity in case["velocities"]]
    contacts = [(int(c["i"]), int(c["j"]), c["normal"], c["gap"]) for c in case["contacts"]]
    speed = max(abs(x) for velocity in velocities for x in velocity)
    solve_contacts(list(map(float, case["masses"])), velocities, contacts, case["dt"], ROUNDINGS * speed * case["dt"])
    return {"velocities": velocities}


if __name__ == "__main__":
    serve({"nscd_solve": nscd_solve})
