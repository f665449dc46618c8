"""Shared functions of the adapters of programs: Demeter's pipe, running a program, and bodies of spheres.

An adapter describes its program in the comments of its first lines. Demeter reads them without running the adapter:

* `program`: the command, which must be on the PATH
* `package`: the Debian package that contains it
* `cases`: number of cases per regime in a check; a case takes about a second
* `version`: a shell command that prints the version; `$PYTHON` is the Python of the adapters
* `answers KERNEL`: the function of the program that answers this kernel; one line per kernel
* `module` (optional): a Python module that the adapter imports
* `home` (optional): address of the home page
* `declares KERNEL` (optional): the outputs that an approximation affects ("mass, centroid", or "all"), the approximation,
  and where its authors declare it. The three parts are separated by " | ".
* `formula KERNEL` (optional): the formula that judges the answers, if it is not the recommended formula
* `variant NAME` (optional): a description of a variant. Each variant is a subject `<adapter>_<NAME>`, for which the
  adapter runs in its own process and gets NAME as its argument

The adapter then calls `serve`.
"""
import json
import math
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile


class Unsupported(Exception):
    """The program does not support this case. This is not a failure."""


class Failed(Exception):
    """The program did not answer a case that it should have answered."""


PATIENCE = 5  # limit of the processor time per case in s; a case usually takes at most 1 s
HEARTBEAT = 0.05  # interval of blank lines in s; after 0.1 s without output Demeter closes the input of the adapter


def serve(kernels):
    """Answers the cases on standard input. `kernels` maps names to functions from an input to an output."""
    asked, answer = None, None
    for line in sys.stdin:
        case = json.loads(line)
        question = case["kernel"], case["input"]
        if question != asked:  # the pipe sends the last case of a batch twice
            asked, answer = question, answer_to(kernels[case["kernel"]], case["input"])
        print(json.dumps({"id": case["id"]} | answer), flush=True)


def answer_to(function, case):
    try:
        return {"output": function(case)}
    except Unsupported as why:
        return {"unsupported": str(why)}
    except ArithmeticError as why:
        return {"unsupported": f"beyond the range of numbers: {why}"}
    except Failed as why:
        return {"error": str(why)}


# Settings of Open MPI for a single process. With them, a program starts four times as fast and may run as root. Without
# the first one, the library hwloc looks for X displays.
ALONE = {
    "HWLOC_COMPONENTS": "-gl",
    "OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self",
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


def run(command, text):
    """Returns the standard output of a program for the input `text`. Raises Unsupported if the program itself reports
    an error, and Failed if it ends in another way."""
    with tempfile.TemporaryDirectory() as home:  # Open MPI looks for settings in the home
        said, errors, process = communicated(command, text, os.environ | ALONE | {"HOME": home})
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Failed(f"no answer of {command[0]} within {PATIENCE} s of processor time")
    if process.returncode < 0:
        raise Failed(f"{command[0]} ended by signal {-process.returncode}")
    if process.returncode > 0:
        why = complaint(errors) or complaint(said)
        raise Unsupported(why) if why else Failed(f"{command[0]} exited with {process.returncode}")
    return said


def communicated(command, text, environment):
    """Returns the standard output, the errors and the process of a program that has ended."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        errors="backslashreplace",  # programs may print bytes that are not UTF-8
        env=environment, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 1)))
    while True:
        try:
            return *process.communicate(text, timeout=HEARTBEAT), process
        except subprocess.TimeoutExpired:
            print(flush=True)
            text = None


def complaint(said):
    """Returns the first line of an output that contains "error", or an empty string."""
    return next((line.strip() for line in said.splitlines() if "error" in line.lower()), "")


def read_line(stream, process):
    """Returns the next line of a program that keeps running. Waits for the line until the program ends."""
    while not select.select([stream], [], [], HEARTBEAT)[0]:
        if process.poll() is not None:
            break
        print(flush=True)
    line = stream.readline()
    if not line:
        process.wait()
        raise Failed(f"{process.args[0]} ended with {process.returncode}")
    return line


# ------------------------------------------------------------------------------------------------------------ spheres


def volume(radius):
    return 4.0 / 3.0 * math.pi * radius**3


def spheres(members):
    """Returns [(centre, radius, mass)] of members that have the moments of solid spheres, 2/5 m r^2."""
    result = []
    for member in members:
        moments, mass = member["inertia"], member["mass"]
        if not min(moments) > 0 or max(moments) - min(moments) > 1e-12 * max(moments):
            raise Unsupported("a member that is not a solid sphere")
        radius = math.sqrt(2.5 * moments[0] / mass)
        if not 0 < volume(radius) < math.inf:
            raise Unsupported("a radius beyond the range of numbers")
        result.append((member["position"], radius, mass))
    return result


def density(mass, radius):
    """Returns the density for which the product with the volume, rounded, is nearest to the mass."""
    near = mass / volume(radius)
    return min((near, math.nextafter(near, 0), math.nextafter(near, math.inf)),
               key=lambda each: abs(each * volume(radius) - mass))


def common_density(balls):
    """Returns the common density of all [(centre, radius, mass)]."""
    densities = [density(mass, radius) for _, radius, mass in balls]
    if max(densities) - min(densities) > 1e-9 * max(densities):
        raise Unsupported("spheres of several densities")
    return densities[0]


def overlapping(balls):
    """Returns whether any two of [(centre, radius, ...)] overlap by more than the rounding errors of the radii."""
    return any(
        math.dist(a[0], b[0]) < (1 - 1e-9) * (a[1] + b[1]) for i, a in enumerate(balls) for b in balls[:i])


def box(balls):
    """Returns the lowest and the highest coordinates, and the largest extent, of [(centre, radius, ...)]."""
    low = [min(ball[0][k] - ball[1] for ball in balls) for k in range(3)]
    high = [max(ball[0][k] + ball[1] for ball in balls) for k in range(3)]
    return low, high, max(b - a for a, b in zip(low, high))


# ------------------------------------------------------------------------------------------------------ inertia tensors


def turned(w, x, y, z):
    """Returns the rows of the rotation matrix of a unit quaternion."""
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


def quaternion(rows):
    """Returns the quaternion w, x, y, z, w >= 0, of a rotation. Uses its largest component, so that nothing cancels."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    squares = [1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i]  # 4 w w, 4 x x, ...
    products = [  # 4 w w, 4 w x, 4 w y, 4 w z; 4 x w, ...
        [squares[0], h - f, c - g, d - b],
        [h - f, squares[1], b + d, c + g],
        [c - g, b + d, squares[2], f + h],
        [d - b, c + g, f + h, squares[3]],
    ]
    row = products[squares.index(max(squares))]
    length = math.copysign(math.sqrt(sum(x * x for x in row)), row[0])
    return [x / length for x in row]


def about_axes(moments, axes):
    """Returns the outputs inertia, principal and orientation for moments about the axes in the columns of `axes`."""
    tensor = [[sum(axes[i][k] * moments[k] * axes[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
    order = sorted(range(3), key=lambda k: moments[k])
    sorted_axes = [[axes[i][k] for k in order] for i in range(3)]
    (a, b, c), (d, e, f), (g, h, i) = sorted_axes
    if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0:
        sorted_axes = [[x, y, -z] for x, y, z in sorted_axes]
    return {
        "inertia": [tensor[0][0], tensor[1][1], tensor[2][2], tensor[0][1], tensor[0][2], tensor[1][2]],
        "principal": [moments[k] for k in order],
        "orientation": quaternion(sorted_axes),
    }
