// Tests demeter simulate on non-smooth scenes: meshes, error messages, films, and the continuation of killed runs.
#include "tests/core/command.hpp"

#include "tests/core/sanitized.hpp"

#include <signal.h>

namespace demeter {
namespace {

class SimulateNonsmooth : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    put("grain.toml", scene);
  }

  std::string const scene = R"(
[scene]
title = "a grain"
gravity = [0, -10]
steps = 40
dt = "1e-3"
[model]
dynamics = "nonsmooth"
[solver]
alert = "0.01"
[[material]]
name = "glass"
density = 2500
[[body]]
name = "grain"
shape = "disc"
radius = "0.1"
position = [0, "0.1005"]
velocity = ["0.5", 0]
[[body]]
name = "floor"
shape = "polyline"
points = [[-1, 0], ["0.25", 0], [1, 0]]
)";

  /// Returns the scene, with the text `from` replaced by `to`.
  std::string with(std::string const& from, std::string const& to) const {
    std::string text = scene;
    text.replace(text.find(from), from.size(), to);
    return text;
  }
};

TEST_F(SimulateNonsmooth, WritesEveryOutputFile) {
  Ran const ran = holds("demeter simulate grain.toml --out run");
  EXPECT_TRUE(contains(ran.out, "steps that used all sweeps without reaching the tolerance")) << ran.out;
  EXPECT_TRUE(contains(get("run/observables.csv"), "step,time,dt,kinetic,potential,energy,gravity_work,dissipated,"));
  EXPECT_TRUE(contains(get("run/observables.csv"), ",grain.velocity[0],"));
  EXPECT_FALSE(contains(get("run/observables.csv"), ",floor."));
  EXPECT_TRUE(contains(get("run/trajectory.dump"), "\n1 6 0 0.1005 0 "));
  EXPECT_TRUE(contains(get("run/contacts.csv"), ",floor,grain,1,0,"));
  EXPECT_TRUE(contains(get("run/film.html"), "\"lines\":[[-1,0,0.25,0,null],[0.25,0,1,0,null]]"));
  EXPECT_TRUE(contains(get("run/vtk/boundary.vtp"), "NumberOfLines=\"2\""));
}

TEST_F(SimulateNonsmooth, AWrittenBoundaryIsReadBack) {
  holds("demeter simulate grain.toml --out run");
  std::string const mesh = get("run/boundary.msh");
  EXPECT_TRUE(contains(mesh, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 -1 0 0\n2 0.25 0 0\n"));
  EXPECT_TRUE(contains(mesh, "$Elements\n2\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n$EndElements\n"));
  fs::create_directories(folder / "meshes");
  put("meshes/floor.msh", mesh);
  put("file.toml", with("points = [[-1, 0], [\"0.25\", 0], [1, 0]]", "file = \"meshes/floor.msh\""));
  holds("demeter simulate file.toml --out other");
  EXPECT_EQ(get("other/observables.csv"), get("run/observables.csv"));
  EXPECT_EQ(get("other/mesh-1.msh"), mesh) << "its folder holds all that it needs";
  fs::remove(folder / "meshes/floor.msh");
  holds("demeter simulate other");
  put("other/mesh-1.msh", mesh + "\n");
  fails(3, "demeter simulate other", "other/checkpoint: written for another scene");
}

TEST_F(SimulateNonsmooth, ReportsErrorsInAMesh) {
  std::string const mesh =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 \"glass\"\n$EndPhysicalNames\n$Nodes\n3\n1 -1 0 0\n"
      "2 0.25 0 0\n7 1 0 0\n$EndNodes\n$Elements\n3\n1 15 2 1 1 1\n2 1 2 1 1 1 2\n3 1 2 1 1 2 7\n$EndElements\n";
  put("file.toml", with("points = [[-1, 0], [\"0.25\", 0], [1, 0]]", "file = \"floor.msh\""));
  put("floor.msh", mesh);
  holds("demeter simulate file.toml --out run");
  struct Wrong {
    std::string from, to, message;
  };
  for (auto const& each : std::vector<Wrong>{
           {"$MeshFormat\n2.2", "$MeshFormat\n4.1", "floor.msh:2: got \"4.1 0 8\", expected 2.2 0 8 (text format)"},
           {"2.2 0 8", "2.2 1 8", "floor.msh:2: got \"2.2 1 8\", expected 2.2 0 8 (text format)"},
           {"$MeshFormat\n", "", "floor.msh:1: expected $MeshFormat"},
           {"$Nodes\n3", "$Nodes\nmany", "floor.msh:9: got \"many\", expected the number of nodes"},
           {"2 0.25 0 0", "2 0.25 zero 0",
            "floor.msh:11: got \"2 0.25 zero 0\", expected a node: its number, x, y and z = 0"},
           {"2 0.25 0 0", "2 0.25 0 1",
            "floor.msh:11: got \"2 0.25 0 1\", expected a node: its number, x, y and z = 0"},
           {"2 0.25 0 0", "2 1e999 0 0", "floor.msh:11: got \"2 1e999 0 0\", expected a node"},
           {"7 1 0 0", "2 1 0 0", "floor.msh:12: got \"2 1 0 0\", expected a node with another number"},
           {"$Nodes\n3", "$Nodes\n4", "floor.msh:13: got \"$EndNodes\", expected a node: its number, x, y and z = 0"},
           {"$Nodes\n3", "$Nodes\n2", "floor.msh:12: got \"7 1 0 0\", expected $EndNodes"},
           {"3 1 2 1 1 2 7", "3 1 2 1 1 2 8", "floor.msh:18: got \"3 1 2 1 1 2 8\", expected an element: its number"},
           {"3 1 2 1 1 2 7", "3 1 2 1 1 2", "floor.msh:18: got \"3 1 2 1 1 2\", expected an element: its number"},
           {"3 1 2 1 1 2 7", "3 1 99999999999 1 1 2 7",
            "floor.msh:18: got \"3 1 99999999999 1 1 2 7\", expected an element"},
           {"3 1 2 1 1 2 7", "3 1 2 1 1 7 7",
            "floor.msh:18: got \"3 1 2 1 1 7 7\", expected a line between two different points"},
           {"3 1 2 1 1 2 7\n$EndElements\n", "",
            "floor.msh:17: got the end of the file, expected an element: its number"},
           {"$Elements\n3\n1 15 2 1 1 1\n2 1 2 1 1 1 2\n3 1 2 1 1 2 7\n$EndElements\n", "",
            "floor.msh:13: got the end of the file, expected $Elements"},
           {"$EndPhysicalNames\n", "", "expected $EndPhysicalNames"},
           {"$Nodes", "Nodes", "floor.msh:8: got \"Nodes\", expected a section such as $Nodes"},
       }) {
    std::string text = mesh;
    text.replace(text.find(each.from), each.from.size(), each.to);
    put("floor.msh", text);
    fails(3, "demeter simulate file.toml --out no", each.message);
  }
  put("floor.msh", "\xEF\xBB\xBF" + mesh);
  holds("demeter simulate file.toml --out run");
  fs::remove(folder / "floor.msh");
  fails(3, "demeter simulate file.toml --out no", "body[1].file: cannot read \"floor.msh\"");
  EXPECT_FALSE(fs::exists(folder / "no"));
}

TEST_F(SimulateNonsmooth, ReportsErrorsInASceneWithTheirPlace) {
  struct Wrong {
    std::string from, to, message;
  };
  std::string const points = "points = [[-1, 0], [\"0.25\", 0], [1, 0]]";
  std::string const fill =
      "fill = { count = 5, radius_least = 1, radius_most = 2, rows = 5, pitch = 5, half_width = 20, opening = 20 }";
  for (auto const& each : std::vector<Wrong>{
           {"dynamics = \"nonsmooth\"", "dynamics = \"nonsmooth\"\nlaw = \"linear\"",
            "bad.toml:9:7: model.law: only valid with dynamics = \"smooth\""},
           {"density = 2500", "density = 2500\nkn = 1e5", "material[0].kn: only valid with dynamics = \"smooth\""},
           {"dt = \"1e-3\"", "dt = { rule = \"p-wave\" }", "scene.dt.rule: only valid with dynamics = \"smooth\""},
           {"dt = \"1e-3\"", "", "scene.dt: missing, expected seconds or a rule"},
           {"gravity = [0, -10]", "gravity = [0, 0, -10]", "scene.gravity: expected 0 along z"},
           {"gravity = [0, -10]", "gravity = [0]", "scene.gravity: got a list of 1, expected a list of 2 or 3 numbers"},
           {"alert = \"0.01\"", "", "solver.alert: missing, expected > 0"},
           {"alert = \"0.01\"", "alert = 0", "solver.alert: got 0, expected > 0"},
           {"alert = \"0.01\"", "alert = \"1e-4\"",
            "bad.toml:10:9: solver.alert: expected at least the greatest speed of the first step times dt, "},
           {"alert = \"0.01\"", "alert = 1\ntolerance = 0", "solver.tolerance: got 0, expected > 0"},
           {"alert = \"0.01\"", "alert = 1\nmethod = \"lemke\"",
            "solver.method: got \"lemke\", expected one of nlgs, jacobi, mass_splitting_jacobi, apgd, documented"},
           {"alert = \"0.01\"", "alert = 1\nmethod = \"documented_jacobi\"\nitmax = 0",
            "solver.itmax: got 0, expected a limit: documented_jacobi"},
           {"[[material]]", "[orifice]\ndirection = [0, 0]\n[[material]]",
            "orifice.direction: got 0, expected a vector that is not 0"},
           {"density = 2500", "", "body[0]: expected mass, or a density of its material \"glass\""},
           {"shape = \"disc\"", "shape = \"sphere\"",
            "body[0].shape: got \"sphere\", expected disc or polyline in non-smooth dynamics"},
           {"shape = \"disc\"", "shape = \"disc\"\nfixed = true",
            "body[0].fixed: only valid with dynamics = \"smooth\""},
           {"shape = \"disc\"", "shape = \"disc\"\n" + points, "body[0].points: not valid for a disc"},
           {"radius = \"0.1\"", "radius = 0", "body[0].radius: got 0, expected > 0"},
           {"radius = \"0.1\"", "", "body[0].radius: missing, expected > 0"},
           {"radius = \"0.1\"", "radius = 1\nmass = { mass = -1 }", "body[0].mass.mass: got -1, expected > 0"},
           {"radius = \"0.1\"", "radius = 1\nmass = \"union\"", "body[0].mass: expected { mass = ... } for a disc"},
           {"radius = \"0.1\"", "radius = 1\ncopies = 2", "body[0].shift: got 0, expected a shift between the copies"},
           {"position = [0, \"0.1005\"]", "position = [0, 0, 1]", "body[0].position: expected 0 along z"},
           {"radius = \"0.1\"", "radius = 1\nspin = [1, 0, 0]", "body[0].spin: expected a spin about z only"},
           {"radius = \"0.1\"\n", fill + "\n", "body[0].position: not valid together with fill"},
           {"radius = \"0.1\"\nposition = [0, \"0.1005\"]", "fill = { count = 5 }",
            "body[0].fill.radius_least: expected > 0"},
           {"radius = \"0.1\"\nposition = [0, \"0.1005\"]",
            "fill = { count = 5, radius_least = \"pi\", radius_most = 4, rows = 1, pitch = 1 }",
            "body[0].fill.radius_least: expected a decimal or a ratio"},
           {"radius = \"0.1\"\nposition = [0, \"0.1005\"]",
            "fill = { count = 5, radius_least = 1, radius_most = 2, rows = 5, pitch = 5, half_width = 1, clearance = 1 "
            "}",
            "body[0].fill.half_width: expected room for a disc"},
           {points, "points = [[0, 0]]", "body[1].points: number of points: got 1, expected at least 2, or a file"},
           {points, "points = [[0, 0], [1, 0], [1, 0]]", "body[1].points[1]: equal to the next point"},
           {points, "points = [[0, 0], [1]]", "body[1].points[1]: got a list of 1, expected a list of 2 numbers"},
           {points, "points = [[0, 0], [1, 0]]\nclosed = true",
            "body[1].points: number of points: got 2, expected at least 3"},
           {points, points + "\nradius = 1", "body[1].radius: not valid for a polyline"},
           {points, points + "\nfile = \"a.msh\"", "body[1].file: cannot read \"a.msh\""},
           {points, points + "\n[[event]]\nat = 1", "event[0]: expected remove or tolerance"},
           {points, points + "\n[[event]]\nat = -1\nremove = \"floor\"", "event[0].at: got -1, expected >= 0"},
           {points, points + "\n[[event]]\nremove = \"grain\"",
            "event[0].remove: got \"grain\", expected the name of a polyline"},
           {points, points + "\n[[expect]]\nobservable = \"stored\"", "unknown observable \"stored\""},
           {points, points + "\n[[expect]]\nobservable = \"grain.torque[0]\"",
            "unknown observable \"grain.torque[0]\""},
       }) {
    put("bad.toml", with(each.from, each.to));
    fails(3, "demeter simulate bad.toml --out run", each.message);
  }
  fails(3, "demeter simulate chung_ooi_7 --set solver.alert=1 --out run",
        "chung_ooi_7: solver: only valid with dynamics = \"nonsmooth\" in [model]");
  fails(3, "demeter simulate chung_ooi_7 --set body.left.shape=disc --out run",
        "body[0].shape: only valid with dynamics = \"nonsmooth\"");
  EXPECT_FALSE(fs::exists(folder / "run")) << "nothing is written of a scene that is wrong";
}

TEST_F(SimulateNonsmooth, ErrorsDuringARunReportTheStep) {
  // The grain rolls over the end of the floor.
  fails(3, "demeter simulate grain.toml --set scene.steps=10000 --out run",
        "grain.toml: step 2001: grain has left the bounding box of the boundary at (");
  fails(3, "demeter simulate run", "grain.toml: step 2001: grain has left");
  EXPECT_TRUE(contains(get("run.partial/film.html"), "</html>"));
  fails(3, "demeter simulate grain.toml --set body.grain.position=[0,0] --out centred",
        "grain.toml: step 1: the centre of grain is on floor: the contact has no normal");
  fails(3, "demeter simulate pyramid --set solver.tolerance=1e-30 --set solver.itmax=0 --out never",
        "pyramid: step 1: no convergence to the tolerance after 10000000 sweeps, expected an itmax");
}

TEST_F(SimulateNonsmooth, OptionFromStartsFromTheStateOfAnotherRun) {
  holds("demeter simulate orifice_20 --out whole");
  holds("demeter simulate orifice_20 --set scene.steps=500 --out settled");
  holds("demeter simulate orifice_20 --from settled --out opened");
  EXPECT_EQ(lines_of(get("opened/observables.csv")).back(), lines_of(get("whole/observables.csv")).back());
  EXPECT_TRUE(get("opened/observables.csv").find("\n500,0.1,") != std::string::npos);
  holds("demeter simulate opened");
  Ran const digits = holds(
      "demeter simulate orifice_20 --from settled --implementation reference@mpfr:50 --set scene.steps=510 --out "
      "digits");
  EXPECT_TRUE(contains(digits.out, "510 steps"));
  EXPECT_TRUE(contains(holds("demeter simulate orifice_20 --from settled --against mpfr:30 --set scene.steps=520").out,
                       "from the same rounded state, 20 steps"));
  fails(2, "demeter simulate orifice_20 --from nowhere --out no",
        "nowhere/checkpoint: expected the checkpoint of a run");
  fails(3, "demeter simulate pyramid --from settled --out no", "expected the state of a run with the same bodies");
}

TEST_F(SimulateNonsmooth, AKilledRunThatContinuesWritesTheSameFiles) {
  put("orifice.toml",
      holds("demeter simulate orifice_20 --print").out + "[[output]]\nkind = \"checkpoint\"\nevery = 50\n");
  for (std::string const arithmetic : {"double", "mpfr:30"}) {
    std::string const steps = arithmetic == "double" ? "4000" : "300";
    std::string const line = "exec demeter simulate orifice.toml --implementation reference@" + arithmetic +
                             " --set scene.steps=" + steps + " --out ";
    auto const begin = std::chrono::steady_clock::now();
    ASSERT_EQ(run(line + "whole").code, 0);
    double const took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    int killed = 0;
    pid_t child = start(line + "killed");
    for (int const k : {1, 2, 3}) {
      std::this_thread::sleep_for(std::chrono::duration<double>(0.1 * k * took));
      ::kill(child, SIGKILL);
      if (finish(child).code == 128 + SIGKILL) ++killed;
      bool const is_there =
          fs::exists(folder / "killed/scene.toml") || fs::exists(folder / "killed.partial/scene.toml");
      child = start(is_there ? "exec demeter simulate killed" : line + "killed");
    }
    EXPECT_EQ(finish(child).code, 0) << get(".stderr");
    ASSERT_EQ(run("demeter simulate killed").code, 0) << get(".stderr");
    EXPECT_GE(killed, 1);
    for (std::string const name : {"observables.csv", "trajectory.dump", "contacts.csv", "checkpoint", "film.html"})
      EXPECT_TRUE(get("whole/" + name) == get("killed/" + name)) << arithmetic << ": " << name << " differs";
    fs::remove_all(folder / "whole");
    fs::remove_all(folder / "killed");
  }
}

}  // namespace
}  // namespace demeter
