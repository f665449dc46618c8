"""YADE: clumps of spheres, by sums or by sampling on a grid"""
# program: yade
# package: yade
# cases: 200
# version: yade --version 2>&1 | grep -o '[0-9][0-9a-z.-]*' | head -n 1
# home: https://yade-dem.org
# answers clump_mass_properties: O.bodies.appendClumped with discretization 0, spheres of radius sqrt(5 I/2 m) and materials of their densities
# answers clump_union_mass_properties: O.bodies.appendClumped with discretization 30
# declares clump_union_mass_properties: all | sums over the cells of a grid, 30 cells per smallest radius | YADE documentation, BodyContainer.appendClumped: discretization
import json
import os
import subprocess
import tempfile

from core.adapter import Unsupported, about_axes, density, overlapping, read_line, serve, spheres, turned

CELLS = 30  # cells per smallest radius

# YADE runs this script. The script can use names that YADE defines, such as O and utils.
SCRIPT = """
import json, os
cases, answers = os.fdopen({cases}), os.fdopen({answers}, "w")
for line in cases:
    case = json.loads(line)
    O.reset()
    members = []
    for centre, radius, density in case["spheres"]:
        material = O.materials.append(FrictMat(density=density))
        members.append(utils.sphere(centre, radius, material=material))
    clump, _ = O.bodies.appendClumped(members, discretization=case["discretization"])
    state = O.bodies[clump].state
    turn = state.ori
    print(json.dumps([state.mass, *state.pos, *state.inertia, turn[3], turn[0], turn[1], turn[2]]), file=answers,
          flush=True)
"""


class Yade:
    """One process for all cases, because YADE takes a second to start.

    The process starts with the first case. If the process has ended, the next case starts a new one.
    """
    process = None

    def start(self):
        inner_cases, cases = os.pipe()
        answers, inner_answers = os.pipe()
        self.script = tempfile.NamedTemporaryFile("w", suffix=".py")  # YADE runs only files with the suffix .py
        self.script.write(SCRIPT.format(cases=inner_cases, answers=inner_answers))
        self.script.flush()
        self.cases, self.answers = os.fdopen(cases, "w"), os.fdopen(answers)
        self.process = subprocess.Popen(
            ["yade", "-n", "-x", self.script.name], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, pass_fds=(inner_cases, inner_answers))
        os.close(inner_cases)
        os.close(inner_answers)

    def clump(self, balls, discretization):
        """Returns mass, position, moments and quaternion of a clump of the balls [(centre, radius, density)]."""
        if self.process is None or self.process.poll() is not None:
            self.start()
        print(json.dumps({"spheres": balls, "discretization": discretization}), file=self.cases, flush=True)
        return read(read_line(self.answers, self.process))


def read(line):
    mass, *numbers = json.loads(line)
    return {"mass": mass, "centroid": numbers[:3]} | about_axes(numbers[3:6], turned(*numbers[6:]))


YADE = Yade()


def clump_mass_properties(case):
    balls = spheres(case["members"])
    return YADE.clump([(centre, radius, density(mass, radius)) for centre, radius, mass in balls], 0)


def clump_union_mass_properties(case):
    balls = [(ball["centre"], ball["radius"], case["density"]) for ball in case["balls"]]
    least, largest = min(ball[1] for ball in balls), max(ball[1] for ball in balls)
    if overlapping(balls) and (largest / least)**3 * len(balls) > 1000:
        raise Unsupported("too many grid cells: the smallest sphere is too small")
    output = YADE.clump(balls, CELLS)
    return output | {"volume": output["mass"] / case["density"]}


if __name__ == "__main__":
    serve({"clump_mass_properties": clump_mass_properties,
           "clump_union_mass_properties": clump_union_mass_properties})
