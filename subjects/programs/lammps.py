"""LAMMPS: rigid bodies of spherical particles"""
# program: lmp
# package: lammps
# cases: 10
# version: lmp -h | grep -o '[0-9]* [A-Z][a-z]* 20[0-9][0-9].*' | head -n 1
# home: https://www.lammps.org
# answers clump_mass_properties: one body of fix rigid/small, of spheres with radius sqrt(5 I/2 m) and mass m, by compute rigid/local
from core.adapter import Failed, Unsupported, about_axes, box, run, serve, spheres, turned

COLUMNS = "mass x y z inertiax inertiay inertiaz quatw quati quatj quatk"


def script(balls):
    low, high, extent = box(balls)
    region = " ".join(f"{a - extent!r} {b + extent!r}" for a, b in zip(low, high))
    if not all(a - extent < a and b < b + extent for a, b in zip(low, high)):
        raise Unsupported("a clump that is too far from the origin for a box around it")
    lines = ["units si", "atom_style hybrid sphere molecular", "atom_modify map array", "boundary f f f",
             f"region box block {region} units box", "create_box 1 box", "mass * 1"]
    for centre, _, _ in balls:
        lines.append("create_atoms 1 single {!r} {!r} {!r} units box".format(*map(float, centre)))
    for i, (_, radius, mass) in enumerate(balls):
        lines.append(f"set atom {i + 1} diameter {2 * radius!r} mass {mass!r}")
    lines += ["set group all mol 1", "pair_style none", "neighbor 0 bin", f"comm_modify cutoff {2 * extent!r}",
              "thermo_style custom step", "compute_modify thermo_temp extra/dof -10",
              "fix body all rigid/small molecule reinit yes", f"compute of_body all rigid/local body {COLUMNS}",
              "dump answer all local 1 /dev/stdout c_of_body[*]",
              'dump_modify answer format line "' + " ".join(["%.17g"] * 11) + '"', "run 0"]
    return "\n".join(lines) + "\n"


def read(said):
    """Returns an output from LAMMPS's dump of COLUMNS."""
    lines = said.splitlines()
    at = next((i for i, line in enumerate(lines) if line.startswith("ITEM: ENTRIES")), len(lines))
    numbers = [float(word) for line in lines[at + 1:at + 2] for word in line.split()]
    if len(numbers) != 11:
        raise Failed("expected a body of 11 numbers in the dump of LAMMPS")
    return {"mass": numbers[0], "centroid": numbers[1:4]} | about_axes(numbers[4:7], turned(*numbers[7:]))


def clump_mass_properties(case):
    return read(run(["lmp", "-log", "none", "-screen", "/dev/stderr"], script(spheres(case["members"]))))


if __name__ == "__main__":
    serve({"clump_mass_properties": clump_mass_properties})
