"""LIGGGHTS: templates of multisphere particles, by Monte Carlo"""
# program: liggghts
# package: liggghts
# cases: 10
# version: liggghts -h | grep -o 'LIGGGHTS-[A-Z]* [0-9.]*'
# home: https://github.com/CFDEMproject/LIGGGHTS-PUBLIC
# answers clump_mass_properties: fix particletemplate/multisphere with ntry 1e6, of disjoint spheres of one density; an inserted particle by compute multisphere
# answers clump_union_mass_properties: fix particletemplate/multisphere with ntry 1e6; an inserted particle by compute multisphere
# declares clump_union_mass_properties: volume, mass, centroid | Monte Carlo integration with 1e6 points | LIGGGHTS documentation, fix particletemplate/multisphere: ntry
import math

from core.adapter import Failed, Unsupported, about_axes, box, common_density, overlapping, run, serve, spheres

TRIES = 1000000
VECTORS = ["xcm", "inertia", "ex_space", "ey_space", "ez_space"]


def script(balls, density):
    """Returns a script that inserts one particle of the template into a box, without rotation. The script dumps the
    particle and its atoms."""
    _, _, extent = box(balls)
    side = 10 * extent
    middle = balls[0][0]  # sphere positions in the template are relative to the first sphere
    shape = " ".join(
        " ".join(repr(float(x - y)) for x, y in zip(ball[0], middle)) + f" {ball[1]!r}" for ball in balls)
    lines = ["atom_style sphere", "atom_modify map array sort 0 0", "boundary m m m", "newton off",
             "communicate single vel yes", "units si",
             f"region box block {-side!r} {side!r} {-side!r} {side!r} {-side!r} {side!r} units box",
             "create_box 1 box", f"neighbor {extent!r} bin",
             "fix m1 all property/global youngsModulus peratomtype 1.e7",
             "fix m2 all property/global poissonsRatio peratomtype 0.3",
             "fix m3 all property/global coefficientRestitution peratomtypepair 1 0.3",
             "fix m4 all property/global coefficientFriction peratomtypepair 1 0.5",
             "pair_style gran model hertz tangential history", "pair_coeff * *", "timestep 1e-9",
             f"fix shape all particletemplate/multisphere 15485863 atom_type 1 density constant {density!r} "
             f"nspheres {len(balls)} ntry {TRIES} spheres {shape} type 1",
             "fix shapes all particledistribution/discrete 15485867 1 shape 1.0",
             "fix insert all insert/pack seed 32452843 distributiontemplate shapes vel constant 0 0 0 "
             "insert_every once overlapcheck yes region box particles_in_region 1",
             "fix bodies all multisphere", "compute c0 all multisphere property masstotal"]
    lines += [f"compute c{i + 1} all multisphere property {name}" for i, name in enumerate(VECTORS)]
    columns = ["c_c0"] + [f"c_c{i + 1}[{k}]" for i in range(len(VECTORS)) for k in (1, 2, 3)]
    lines += ["dump body all local 1 /dev/stdout " + " ".join(columns),
              'dump_modify body format "' + " ".join(["%.17g"] * len(columns)) + '"',
              "dump atoms all custom 1 /dev/stdout id x y z",
              'dump_modify atoms sort id format "%d %.17g %.17g %.17g"',
              "thermo_modify lost ignore norm no", "run 1"]
    return "\n".join(lines) + "\n"


def last_rows(said, section):
    """Returns the rows of the last snapshot in a dump as numbers."""
    rows, reading = [], False
    for line in said.splitlines():
        if line.startswith(section):
            rows, reading = [], True
        elif line.startswith("ITEM:"):
            reading = False
        elif reading:
            rows.append([float(word) for word in line.split()])
    return rows


def read(said, balls):
    """Returns an output from the dumps of the particle and of its atoms."""
    bodies, atoms = last_rows(said, "ITEM: ENTRIES"), last_rows(said, "ITEM: ATOMS")
    if len(bodies) != 1 or len(bodies[0]) != 16 or len(atoms) != len(balls):
        raise Failed("expected one particle in the dumps of LIGGGHTS")
    first, (mass, *numbers) = atoms[0][1:], bodies[0]
    centre, moments, *axes = [numbers[k:k + 3] for k in range(0, 15, 3)]
    _, _, extent = box(balls)
    for atom, ball in zip(atoms, balls):
        apart = [(atom[1 + k] - first[k]) - (ball[0][k] - balls[0][0][k]) for k in range(3)]
        if math.hypot(*apart) > 1e-6 * extent:
            raise Failed("expected the particle with the orientation of its template")
    columns = [list(row) for row in zip(*axes)]
    centroid = [balls[0][0][k] + (centre[k] - first[k]) for k in range(3)]
    return {"mass": mass, "centroid": centroid} | about_axes(moments, columns)


def properties(balls, density):
    # With `-screen none` LIGGGHTS crashes when it prepares a region for insertion.
    return read(run(["liggghts", "-log", "none", "-screen", "/dev/stderr"], script(balls, density)), balls)


def clump_mass_properties(case):
    balls = spheres(case["members"])
    if overlapping(balls):
        raise Unsupported("overlapping spheres: in LIGGGHTS a clump is their union")
    return properties(balls, common_density(balls))


def clump_union_mass_properties(case):
    output = properties([(ball["centre"], ball["radius"]) for ball in case["balls"]], case["density"])
    return output | {"volume": output["mass"] / case["density"]}


if __name__ == "__main__":
    serve({"clump_mass_properties": clump_mass_properties,
           "clump_union_mass_properties": clump_union_mass_properties})
