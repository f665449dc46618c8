"""a course's Jacobi vectorised in NumPy, at most 1000 sweeps"""
# program: python3
# module: numpy
# package: python3-numpy
# cases: 5
# version: "$PYTHON" -c 'import numpy; print(numpy.__version__)'
# answers nscd_solve: sweeps in which all updates start from the same velocities, until all corrections are below tol/dt = 2^-50 of the largest speed, or 1000
# formula nscd_solve: documented_jacobi
import numpy

from core.adapter import serve

SWEEPS = 1000
ROUNDINGS = 2.0**-50  # tol/dt divided by the largest speed


def solve_contacts(masses, velocities, contacts, dt, tol, itmax=SWEEPS):
    """Updates the velocities, one column per body. Returns the number of sweeps. Contacts are arrays (i, j, n, gap)."""
    i, j, normals, gaps = contacts
    count = len(masses)
    wnn = 1 / masses[i] + 1 / masses[j]
    meeting = numpy.maximum(0.0, gaps) / dt
    bodies = numpy.concatenate([i, j])
    shares = numpy.concatenate([normals / (wnn * masses[i]), -normals / (wnn * masses[j])], axis=1)
    for sweep in range(itmax):
        vn = ((velocities[:, i] - velocities[:, j]) * normals).sum(axis=0)
        correction = numpy.maximum(0.0, -vn - meeting)
        both = numpy.concatenate([correction, correction])
        for velocity, share in zip(velocities, shares):
            velocity += numpy.bincount(bodies, both * share, count)
        if not correction.max(initial=0.0) > tol / dt:
            return sweep + 1
    return itmax


def nscd_solve(case):
    given = case["contacts"]
    masses = numpy.array(case["masses"], dtype=float)
    velocities = numpy.array(case["velocities"], dtype=float).T.copy()
    i, j = (numpy.array([contact[key] for contact in given], dtype=int) for key in "ij")
    normals = numpy.array([contact["normal"] for contact in given], dtype=float).reshape(-1, 2).T
    gaps = numpy.array([contact["gap"] for contact in given], dtype=float)
    speed = numpy.abs(velocities).max()
    with numpy.errstate(all="ignore"):  # the iteration may diverge
        solve_contacts(masses, velocities, (i, j, normals, gaps), case["dt"], ROUNDINGS * speed * case["dt"])
    return {"velocities": [[written(x) for x in velocity] for velocity in velocities.T]}


def written(number):
    return float(number) if numpy.isfinite(number) else str(number)


if __name__ == "__main__":
    serve({"nscd_solve": nscd_solve})
