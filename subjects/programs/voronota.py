"""Voronota: volumes and surface areas of unions of balls, by their Voronoi cells"""
# program: voronota
# package: voronota
# cases: 10
# version: voronota --version | grep -o '[0-9.]*$' | head -n 1
# home: https://github.com/kliment-olechnovic/voronota
# answers clump_union_mass_properties: calculate-contacts with probe 0, in units in which the largest radius is 5e4; volume and surface_area
import tempfile

from core.adapter import Failed, box, run, serve

# Voronota's step lengths are absolute, for atoms in angstroms. With radii of this size they do not limit the accuracy.
RADIUS = 5e4
OPTIONS = ["--probe", "0", "--step", "1000", "--sih-depth", "5"]


def scaled(balls):
    """Returns lines with the balls and with four distant balls, which bound the cells.

    Voronota needs at least four balls.
    """
    low, high, extent = box(balls)
    unit = RADIUS / max(radius for _, radius in balls)
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    placed = [([unit * (x - m) for x, m in zip(centre, middle)], unit * radius) for centre, radius in balls]
    away = 10 * unit * extent
    placed += [([away * x for x in corner], RADIUS) for corner in
               ((1, 1.01, 1.02), (1.03, -1, -1.04), (-1.05, 1.06, -1), (-1.07, -1, 1.08))]
    return "".join(f"{x!r} {y!r} {z!r} {radius!r}\n" for (x, y, z), radius in placed), unit


def read(said, volumes, count, unit):
    """Returns an output. `said` has rows `ball ball area`: the area is exposed if both balls are the same. `volumes`
    has rows `ball volume`."""
    area = [float(c) for a, b, c in map(str.split, said.splitlines()) if a == b and int(a) < count]
    volume = [float(b) for a, b in map(str.split, volumes.splitlines()) if int(a) < count]
    if not area or not volume:
        raise Failed("expected volumes and exposed areas of Voronota")
    return {"volume": sum(volume) / unit**3, "surface_area": sum(area) / unit**2}


def clump_union_mass_properties(case):
    balls = [(ball["centre"], ball["radius"]) for ball in case["balls"]]
    text, unit = scaled(balls)
    with tempfile.NamedTemporaryFile("r") as volumes:
        said = run(["voronota", "calculate-contacts", *OPTIONS, "--volumes-output", volumes.name], text)
        return read(said, volumes.read(), len(balls), unit)


if __name__ == "__main__":
    serve({"clump_union_mass_properties": clump_union_mass_properties})
