"""Runs of simulate: no data is lost, no other files change, and no partial run looks complete."""
import json
import os
import re

from abuses import Abuse

ONE = "demeter simulate one_grain --out run >/dev/null; cp -a run old; "
LONG = "demeter simulate one_grain --set scene.duration=1e6 --out="
SAME = "; code=$?; diff -r run old >&2 || exit 77; exit $code"
BALL = """[scene]
title = "a ball on a wall"
gravity = [0, 0, -10]
duration = "0.2"
dt = "1e-3"
[[material]]
name = "glass"
density = 2500
kn = 1e5
[[body]]
name = "ball"
radius = "0.1"
position = [0, 0, "0.2"]
[[body]]
name = "wall"
shape = "wall"
"""
FLAT = """[scene]
title = "a grain"
gravity = [0, -10]
steps = 40
dt = "1e-3"
[model]
dynamics = "nonsmooth"
[solver]
alert = "0.01"
[[body]]
name = "grain"
shape = "disc"
radius = "0.1"
mass = { mass = 1 }
position = [0, "0.1005"]
"""
MESH = ("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 -1 %s 0\n2 1 %s 0\n$EndNodes\n$Elements\n1\n1 1 2 1 1 1 2\n"
        "$EndElements\n")


def floor(name, file):
    return f'[[body]]\nname = "{name}"\nshape = "polyline"\nfile = {json.dumps(file)}\n'


def wait_for(name):
    return f"for i in $(seq 400); do test -f {name} && break; sleep 0.05; done; "


def holds_only(*names):
    def check(folder, result):
        found = set(os.listdir(folder)) - {"home", "tmp"}
        left = [str(path) for name in ("home", "tmp") for path in (folder / name).iterdir()]
        return None if found == set(names) and not left else f"in the folder: {sorted(found)}, {left}"
    return check


def silent_about(*words):
    def check(folder, result):
        told = [word for word in words if word in result.out + result.err]
        return f"told: {told}" if told else None
    return check


ABUSES = [
    # The folder OUT has a run of another scene or other files, or OUT is not a folder. The command reports an error and
    # does not change OUT.
    Abuse(ONE + "demeter simulate pyramid --out run" + SAME, 2, "run: contains a run of another scene"),
    Abuse(ONE + "demeter simulate pyramid --out run/" + SAME, 2, "run: contains a run of another scene"),
    Abuse(ONE + "ln -s run link; demeter simulate pyramid --out link" + SAME, 2, "run: contains a run of another scene"),
    Abuse(ONE + "cd run; demeter simulate one_grain --out .; code=$?; cd ..; (exit $code)" + SAME, 2, "current folder"),
    Abuse(ONE + "cd run/vtk; demeter simulate one_grain --out ..; code=$?; cd ../..; (exit $code)" + SAME, 2, "current folder"),
    Abuse(ONE + "echo mine >run/notes; cp run/notes old; demeter simulate one_grain --out run" + SAME, 2,
          r"contains other files \(notes\)"),
    Abuse(ONE + "echo mine >run/vtk/state.pvsm; cp run/vtk/state.pvsm old/vtk; demeter simulate one_grain --out run" + SAME, 2,
          r"contains other files \(vtk/state.pvsm\)"),
    Abuse(ONE + "rm run/film.html; ln -s ../old/film.html run/film.html; demeter simulate one_grain --out run; code=$?; "
          "test -L run/film.html || exit 77; exit $code", 2, r"contains other files \(film.html\)"),
    Abuse(ONE + "echo '{}' >run/run.json; cp run/run.json old; demeter simulate one_grain --out run" + SAME, 2,
          "expected a new folder"),
    Abuse("demeter simulate one_grain --out run", 2, r"contains other files \(",
          before={"run/run.json": "{}", "run/vtk/mine": "x", "run/scene.toml": "mine", "run/boundary.msh": "mine"},
          same=("run/*", "run/vtk/*")),
    Abuse("demeter simulate one_grain --out run", 2, "contains other files",
          before={"run/run.json": '{"scene": "one_grain", "implementation": "reference@double", "set": []}'}, same=("run/*",)),
    Abuse("demeter simulate s.toml --out d", 2, "contains other files",
          before={"s.toml": FLAT + floor("floor", "d/boundary.msh"), "d/boundary.msh": MESH % (0, 0)}, same=("d/*",)),
    Abuse("demeter simulate s.toml --out s.toml", 2, "s.toml: ", before={"s.toml": BALL}, same=("s.toml",)),
    Abuse("demeter simulate one_grain --out x.partial", 2, "that does not end in .partial", check=holds_only()),
    Abuse("demeter simulate one_grain --out run", 2, "run.partial: contains other files", before={"run.partial/mine": "x"},
          same=("run.partial/mine",)),
    Abuse("mkdir outside; ln -s outside run.partial; demeter simulate one_grain --out run", 2, "run.partial: ",
          check=holds_only("outside", "run.partial")),
    Abuse("ln -s nowhere run; demeter simulate one_grain --out run", 2, "run: ", check=holds_only("run")),
    Abuse("mkdir run; demeter simulate one_grain --out run >/dev/null", 0, check=holds_only("run")),
    Abuse("mkdir real; ln -s real run; demeter simulate one_grain --out run >/dev/null && test -f real/results.json", 0,
          check=holds_only("run", "real")),
    # Two scenes with the same name do not share a folder: the second run reports an error.
    Abuse("demeter simulate a/s.toml >/dev/null; cp -a build/simulate/s old; demeter simulate b/s.toml; code=$?; diff -r "
          "old build/simulate/s >&2 || exit 77; exit $code", 2, "another scene, ../../a/s.toml",
          before={"a/s.toml": BALL, "b/s.toml": BALL.replace("0.2", "0.3")}),
    # A changed scene may be run again: the new run replaces the old one.
    Abuse("demeter simulate s.toml >/dev/null; sed -i s/2500/2600/ s.toml; demeter simulate s.toml >/dev/null && grep -q 2600 "
          "build/simulate/s/scene.toml", 0, before={"s.toml": BALL}, check=holds_only("s.toml", "build")),
    # Two runs at once: the second changes nothing, and the first runs to its end.
    Abuse("demeter simulate s.toml --out run --set scene.duration=300 >/dev/null & " + wait_for("run.partial/scene.toml")
          + "kill -STOP $!; for s in s.toml pyramid one_grain; do demeter simulate $s --out run 2>>err; test $? = 2 || exit 77; done; demeter "
          "simulate run 2>>err; test $? = 2 || exit 78; kill -CONT $!; wait $! || exit 79; demeter simulate s.toml --out whole --set "
          "scene.duration=300 >/dev/null; diff -r run whole >&2; exit $(grep -vc 'another run is writing to this folder' err)", 0,
          before={"s.toml": BALL}, check=holds_only("run", "whole", "s.toml", "err")),
]
for limit in (0, 1, 8, 40):
    ABUSES.append(Abuse(ONE + f"(ulimit -f {limit}; demeter simulate one_grain --set scene.duration=2 --out run)" + SAME, 4,
                        "run.partial/.*: File too large"))
# A new run is ended by a signal. The old run stays complete, and the new run is reported as partial. If the new run is
# continued, it gives the same bytes as a run without a signal.
FIFTH = "--set scene.duration=300 "
for signal in ("INT", "TERM", "HUP", "KILL"):
    ABUSES.append(Abuse(
        "set -m; " + ONE + "demeter simulate one_grain --out whole " + FIFTH + ">/dev/null; demeter simulate one_grain --out run " + FIFTH
        + f">/dev/null & {wait_for('run.partial/checkpoint')} kill -{signal} $!; wait $!; code=$?; diff -r run old >&2 || exit 77; "
        "demeter simulate run >/dev/null || exit 78; diff -r run whole >&2 || exit 79; exit $code",
        137 if signal == "KILL" else 1, None if signal == "KILL" else "the result is partial; continue with: demeter simulate run",
        gone=("unfinished",), lines=None, check=holds_only("run", "old", "whole")))
for number, line in enumerate((
        "orifice_20 --seeds 100000 --implementation fast", "clump_clean --refine 20", "orifice_20 --against mpfr:200",
        "chung_ooi_4 --timing", "newtons_cradle --implementation reference@mpfr:200 --out run")):
    signal = ("INT", "TERM", "HUP")[number % 3]
    ABUSES.append(Abuse(f"set -m; demeter simulate {line} >out & sleep 1; kill -{signal} $!; wait $!", 1, "partial", lines=None))

# A number that is not finite ends a run in every mode. The film of the run can still be played.
FINITE = r"s.toml: step \d+: [a-z ]+: [a-z_0]+(\[\d\])?: got (-?inf|nan), expected a finite number"


def film_has_numbers(folder, result):
    film = folder / "run.partial/film.html"
    text = film.read_text().split("</script>")[0] if film.exists() else ""
    return "no numbers in the film" if re.search(r"[\[,:](nan|-?inf)[,\]}]", text) else None


for scene, wild in (
        (BALL, ("body.ball.velocity=[0,0,1e200]", "body.ball.velocity=[0,0,-1e308]", "scene.dt=1e300",
                        "scene.gravity=[0,0,-1e308]", "material.glass.kn=1e300", "body.ball.position=[0,0,-1e308]")),
        (FLAT.replace("mass = 1", "mass = 1.7e308").replace("0.1005", "0.2"), ("scene.steps=40",))):
    for sets in wild:
        for more in ("--out run", "--refine 2", "--against double"):
            ABUSES.append(Abuse(f"demeter simulate s.toml {more} --set '{sets}'", 1, FINITE, before={"s.toml": scene},
                                check=film_has_numbers))

# run.json is checked as strictly as a scene.
EDIT = ("python3 -c \"import json; d = json.load(open('run/run.json')); {}; json.dump(d, open('run/run.json', 'w'))\"; cp "
        "run/run.json old; demeter simulate run")
for edit in ("d['refinement'] = 40", "d['set'] = ['a.' * 300000 + 'b=1']", "d['set'] = ['x=' + '[' * 100000]",
             "d['set'] = ['x={' + 'a.' * 100000 + 'b=1}']", "d['set'] = ['output=[{every=16777216, kind=\\'csv\\'}]'] * 2 + [1]",
             "d['set'] = 'scene.dt=1'", "d['set'] = ['body[' + '9' * 400 + '].radius=1']", "d['scene'] = ''", "d['scene'] = 7",
             "d['implementation'] = 'reference@mpfr:4000000000'", "d['implementation'] = 'lib:x'", "d['format'] = 'demeter run 9'",
             "d['version'] = None", "del d['source']", "d['set'] = ['output=[{every=' + '9' * 18 + ', kind=\\'csv\\'}]']",
             "d['set'] = ['scene.steps=' + '9' * 18]", "d = [d]", "d = 0"):
    ABUSES.append(Abuse(ONE + EDIT.format(edit) + SAME, 3))
ABUSES.append(Abuse(ONE + "printf '{\"a\":%.0s' $(seq 100000) >run/run.json; cp run/run.json old; demeter simulate run" + SAME, 3))

# A run cannot continue if a file beside the checkpoint was changed.
for name in ("observables.csv", "trajectory.dump", "contacts.csv", "vtk/bodies_000000000100.vtp", "vtk/contacts_000000000100.vtp"):
    ABUSES.append(Abuse(ONE + f"tr 0 x <old/{name} >run/{name}; cp run/{name} old/{name}; demeter simulate run" + SAME, 3,
                        "changed since the checkpoint was written"))
    ABUSES.append(Abuse(ONE + f"rm run/{name} old/{name}; demeter simulate run; code=$?; diff -r run old >&2 || exit 77; exit $code",
                        (3, 4)))

# Keys and lists that would crash the TOML reader.
for text in ("a." * 100000 + "b = 1", "[" + "a." * 100000 + "b]", "[[" + "a . " * 100000 + "b]]", "'a'." * 100000 + "b = 1",
             "x = {" + "a." * 100000 + "b = 1}", "x = " + "[" * 100000, "x = " + "{a=" * 100000, "[&", "[[&", "x = [&",
             'x = """a"""" # "\n' + "a." * 100000 + "b = 1", "x = [\"\"\"a\"\"\"\"\", {" + "a." * 100000 + "b = 1}]",
             "# '\n" + "a." * 100000 + "b = 1", "x = '\\'\n" + "a." * 100000 + "b = 1", "a" * 5_000_000 + " = 1",
             "x = " + "1" * 5_000_000, "\u00e9 = 1", "x = \"" + "y" * 5_000_000 + "\""):
    ABUSES.append(Abuse("demeter simulate ./s.toml", 3, before={"s.toml": BALL + text + "\n"}))
for key in ("a." * 50 + "b=1", "a[0]." * 50 + "b=1", "scene.dt=" + "[" * 50, "scene.dt={" + "a." * 50 + "b=1}"):
    ABUSES.append(Abuse(f"demeter simulate one_grain --set '{key}'", 3, "expected at most 16"))

# Meshes with any name, and meshes with the same name in two folders: the run copies the meshes and can continue without
# the originals.
for name in ("boundary.msh", "scene.toml", "run.json", "checkpoint", "start", "film.html", "results.json", "observables.csv",
             "trajectory.dump", "contacts.csv", "vtk", "unfinished", "mesh-0.msh", "sub/m.msh", "../m.msh", "a b;c.msh"):
    ABUSES.append(Abuse(f"cd d; demeter simulate ./s.toml --out run >/dev/null && cmp run/mesh-1.msh '{name}' && rm '{name}' && demeter "
                        "simulate run >/dev/null", 0,
                        before={"d/s.toml": FLAT + floor("floor", name), os.path.normpath("d/" + name): MESH % (0, 0)}))
TWO = {"s.toml": FLAT + floor("floor", "a/m.msh") + floor("ramp", "b/m.msh")
       + '[[output]]\nkind = "checkpoint"\nevery = 1000\n', "a/m.msh": MESH % (0, 0), "b/m.msh": MESH % (-1, -2)}
ABUSES += [
    Abuse("demeter simulate s.toml --out run >/dev/null && cmp run/mesh-1.msh a/m.msh && cmp run/mesh-2.msh b/m.msh && rm -r a b && "
          "demeter simulate run >/dev/null", 0, before=TWO),
    Abuse("demeter simulate s.toml --out run --set scene.steps=100000000 >/dev/null & " + wait_for("run.partial/checkpoint")
          + "kill -KILL $!; rm -r a b; timeout --preserve-status -s INT 1 demeter simulate run", 1, "partial", before=TWO,
          lines=None),
    # A byte order mark is not part of a scene or a mesh.
    Abuse("demeter simulate s.toml --out run >/dev/null", 0,
          before={"s.toml": "\ufeff" + FLAT + floor("floor", "m.msh"), "m.msh": "\ufeff" + MESH % (0, 0)}),
]

# If a file is not a scene or a mesh, the error does not quote its content.
SECRET = "root:$6$hunter2$abc:1:0\n[hunter2] = hunter2\n"
for file in ("secret", "/proc/self/environ", "../../../../../../../../etc/passwd"):
    ABUSES.append(Abuse("demeter simulate s.toml", 3, env={"SECRET": "hunter2"}, check=silent_about("hunter2", "root"),
                        before={"s.toml": FLAT + floor("floor", file), "secret": SECRET}))
    ABUSES.append(Abuse(f"demeter simulate ./{file}" if file == "secret" else f"demeter simulate {file}", 3, lines=1,
                        env={"SECRET": "hunter2"}, check=silent_about("hunter2", "root"), before={"secret": SECRET}))

# The printed command runs unchanged and has no other effect.
for name in ("a b;touch canary", "$(touch canary)", "`touch canary`", "a'b", 'a"b', "-x", "*", "a\nb", "a\x1b[31mb", "~", "#c", "a\\b",
             "!!", "\u00e9t\u00e9", "a\u202eb", "a&b|c>canary", "{a,b}"):
    ABUSES.append(Abuse(
        "set -m; n=$(cat name; echo x); n=${n%x}; " + LONG + '"$n" >/dev/null 2>err & ' + wait_for('"$n.partial/trajectory.dump"')
        + "kill -INT $!; wait $!; line=$(sed -n 's/.*continue with: //p' err); test -n \"$line\" || exit 76; eval \"timeout "
        "--preserve-status -s INT 1 $line\"", 1, "partial", before={"name": name}, lines=None,
        check=holds_only("name", "err", name + ".partial")))

# Markup in the title of a scene is not executed as markup.
for title in ("<!--<script>", "</script><script>alert(1)</script>", "<!--x"):
    ABUSES.append(Abuse("demeter simulate s.toml --out run >/dev/null && ! grep -qF " + "'" + title + "'" + " run/film.html", 0,
                        before={"s.toml": BALL.replace("a ball on a wall", title)}))

# Only the folder of the run is written.
ABUSES += [Abuse("demeter simulate one_grain >/dev/null", 0, check=holds_only("build")),
           Abuse("demeter simulate one_grain --out run >/dev/null; demeter simulate run >/dev/null", 0, check=holds_only("run")),
           Abuse("demeter simulate orifice_20 --seeds 2 --set scene.steps=600 >/dev/null", 0, check=holds_only()),
           Abuse("demeter simulate clump_clean --refine 1 >/dev/null", 0, check=holds_only())]
