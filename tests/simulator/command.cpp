// Tests demeter simulate: its files, the continuation of runs that were stopped or killed, and its error messages.
#include "tests/core/command.hpp"

#include "tests/core/sanitized.hpp"
#include "tests/places.hpp"

#include <signal.h>
#include <random>

namespace demeter {
namespace {

class Simulate : public CommandTest {
 protected:
  /// Returns all files of a run as pairs of path and content. The paths are relative to the folder of the run.
  std::vector<std::pair<std::string, std::string>> files_of(std::string const& name) const {
    std::vector<std::pair<std::string, std::string>> all;
    for (auto const& each : fs::recursive_directory_iterator(folder / name))
      if (each.is_regular_file())
        all.emplace_back(fs::relative(each.path(), folder / name).string(), read_file(each.path()));
    std::sort(all.begin(), all.end());
    return all;
  }
  void expect_the_same(std::string const& one, std::string const& two) const {
    auto const a = files_of(one), b = files_of(two);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a[k].first, b[k].first);
      EXPECT_TRUE(a[k].second == b[k].second) << a[k].first << " differs";
    }
  }
};

std::string repeated(std::string const& text, std::size_t times) {
  std::string all;
  for (std::size_t k = 0; k < times; ++k) all += text;
  return all;
}

std::string const small_scene = R"(
[scene]
title = "a ball on a wall"
gravity = [0, 0, -10]
duration = "0.5"
dt = "1e-3"
[[material]]
name = "glass"
density = 2500
kn = 1e5
tan_phi = "0.5"
[[body]]
name = "ball"
radius = "0.1"
position = [0, 0, "0.2"]
[[body]]
name = "wall"
shape = "wall"
)";

TEST_F(Simulate, WritesEveryOutputFile) {
  put("ball.toml", small_scene);
  Ran const ran = holds("demeter simulate ball.toml --out run");
  EXPECT_TRUE(contains(ran.out, "a ball on a wall"));
  EXPECT_TRUE(contains(ran.out, "gained"));
  EXPECT_EQ(get("run/scene.toml"), small_scene);
  for (std::string const name :
       {"observables.csv", "trajectory.dump", "contacts.csv", "results.json", "film.html", "checkpoint", "run.json",
        "vtk/bodies.pvd", "vtk/contacts.pvd", "vtk/bodies_000000000500.vtp"})
    EXPECT_TRUE(fs::exists(folder / "run" / name)) << name;
  EXPECT_EQ(lines_of(get("run/observables.csv")).size(), 502u) << "a head, the start and 500 steps";
  EXPECT_TRUE(contains(get("run/observables.csv"), "step,time,dt,kinetic,"));
  EXPECT_TRUE(contains(get("run/trajectory.dump"), "ITEM: TIMESTEP\n500\n"));
  EXPECT_TRUE(contains(get("run/results.json"), "\"observable\"") ||
              contains(get("run/results.json"), "\"expect\": []"));
  EXPECT_FALSE(contains(get("run/film.html"), "http"));
  // If the folder is simulated again, no steps are left, but the film is written again.
  fs::remove(folder / "run/film.html");
  std::string const results = get("run/results.json");
  holds("demeter simulate run");
  EXPECT_TRUE(fs::exists(folder / "run/film.html"));
  EXPECT_EQ(get("run/results.json"), results);
}

TEST_F(Simulate, ARunInFiftyDigitsWritesFiftyDigitsToItsFiles) {
  put("ball.toml", small_scene);
  holds("demeter simulate ball.toml --out run --implementation reference@mpfr:50 --set scene.duration=0.01");
  std::string const last = lines_of(get("run/observables.csv")).back();
  EXPECT_GT(last.size(), 600u);
  EXPECT_TRUE(contains(get("run/trajectory.dump"), "1.99"));
}

class Killed : public Simulate, public testing::WithParamInterface<std::string> {};

TEST_P(Killed, AKilledRunThatContinuesWritesTheSameFiles) {
  int const times = sanitized ? 3 : 20;
  put("ball.toml", small_scene + "[[output]]\nkind = \"checkpoint\"\nevery = 50\n");
  std::string const line = "exec demeter simulate ball.toml --implementation reference@" + GetParam() +
                           " --set scene.duration=" + (GetParam() == "double" ? "20" : "2") + " --out ";
  auto const begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run(line + "whole").code, 0);
  double const took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> share(0, 0.12);
  int killed = 0;
  pid_t child = start(line + "killed");
  for (int k = 0; k < times; ++k) {
    std::this_thread::sleep_for(std::chrono::duration<double>(share(random) * took));
    ::kill(child, SIGKILL);
    if (finish(child).code == 128 + SIGKILL) ++killed;
    // Continues the run in two ways: by its folder, if there is one, or by the command that started it.
    bool const is_there = fs::exists(folder / "killed/scene.toml") || fs::exists(folder / "killed.partial/scene.toml");
    child = start(is_there && k % 2 == 0 ? "exec demeter simulate killed" : line + "killed");
  }
  EXPECT_EQ(finish(child).code, 0) << get(".stderr");
  // Creates temporary files with names as a killed run leaves them. No process can have the process number in these
  // names.
  put("killed/.demeter-999999999-1-1.part", "");
  put("killed/vtk/.demeter-999999999-1-1.part", "");
  ASSERT_EQ(run("demeter simulate killed").code, 0) << get(".stderr");
  EXPECT_GE(killed, 1);
  expect_the_same("whole", "killed");
}

INSTANTIATE_TEST_SUITE_P(, Killed, testing::Values("double", "mpfr:50"),
                         [](auto const& each) { return each.param == "double" ? "double" : "fifty"; });

TEST_F(Simulate, AnInterruptedRunIsPartialAndHasACheckpoint) {
  put("ball.toml", small_scene);
  pid_t const child = start("exec demeter simulate ball.toml --out run --set scene.duration=100000");
  wait_until_it_handles(SIGINT, child);
  wait_until(child, [&] { return fs::exists(folder / "run.partial/contacts.csv"); });
  ::kill(child, SIGINT);
  Ran const ran = finish(child);
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(contains(ran.err, "the result is partial; continue with: demeter simulate run")) << ran.err;
  EXPECT_TRUE(fs::exists(folder / "run.partial/checkpoint"));
  EXPECT_FALSE(fs::exists(folder / "run")) << "a folder of that name holds complete runs only";
}

TEST_F(Simulate, ARunIsReplacedOnlyByACompleteRunOfTheSameScene) {
  put("ball.toml", small_scene);
  holds("demeter simulate ball.toml --out run --set scene.duration=0.1");
  auto const before = files_of("run");
  fails(4, "ulimit -f 1; exec demeter simulate ball.toml --out run", "run.partial/");
  EXPECT_EQ(files_of("run"), before);
  fails(2, "demeter simulate one_grain --out run",
        "run: contains a run of another scene, ball.toml: choose another --out");
  fails(1, "demeter simulate ball.toml --out run --set body.ball.velocity=[0,0,1e200]",
        "ball.toml: step 0: all bodies: kinetic_0: got inf, expected a finite number; partial results are in "
        "run.partial");
  EXPECT_EQ(files_of("run"), before);
  Ran const ran = holds("demeter simulate ball.toml --out run --set scene.duration=0.2");
  EXPECT_TRUE(contains(ran.err, "warning: the unfinished run in run.partial had other settings and starts again") ||
              ran.err.empty())
      << ran.err;
  EXPECT_NE(files_of("run"), before);
  EXPECT_FALSE(fs::exists(folder / "run.partial"));
}

TEST_F(Simulate, ARunKilledWhileReplacingAnotherIsComplete) {
  put("ball.toml", small_scene);
  holds("demeter simulate ball.toml --out old --set scene.duration=0.1");
  holds("demeter simulate ball.toml --out new --set scene.duration=0.2");
  auto const whole = files_of("new");
  // The folders at one moment while a new run replaces an old run. `out` is the run in the folder `run`. `partial` is
  // the run in the folder `run.partial`. `previous` is the run in the subfolder `previous` of `run`. If there is no
  // `run`, the subfolder is in `run.partial`. The two flags state which of the two folders have the mark `unfinished`.
  struct Moment {
    std::string out, partial, previous;
    bool out_is_marked, partial_is_marked;
  };
  for (auto const& [out, partial, previous, out_is_marked, partial_is_marked] :
       {Moment{"old", "new", "", false, true}, Moment{"new", "old", "", true, false},
        Moment{"new", "", "", true, false}, Moment{"", "new", "old", false, true},
        Moment{"new", "", "old", true, false}}) {
    fs::remove_all(folder / "run");
    fs::remove_all(folder / "run.partial");
    auto const copy = [&](std::string const& from, std::string const& to) {
      if (!from.empty()) fs::copy(folder / from, folder / to, fs::copy_options::recursive);
    };
    copy(out, "run");
    copy(partial, "run.partial");
    copy(previous, out.empty() ? "run.partial/previous" : "run/previous");
    if (out_is_marked) put("run/unfinished", "");
    if (partial_is_marked) put("run.partial/unfinished", "");
    holds("demeter simulate run");
    EXPECT_TRUE(files_of("run") == whole) << out << " " << partial;
    EXPECT_FALSE(fs::exists(folder / "run.partial")) << out << " " << partial;
  }
}

TEST_F(Simulate, OptionRefinePrintsErrorsAgainstTheOracle) {
  Ran const ran = holds("demeter simulate free_top --refine 3");
  EXPECT_TRUE(contains(ran.out, "top.orientation, error against the oracle"));
  EXPECT_TRUE(contains(ran.out, "slope 2.00"));
}

TEST_F(Simulate, ListsAndPrintsScenes) {
  Ran const ran = holds("demeter simulate");
  EXPECT_TRUE(contains(ran.out, "capsule_on_wall"));
  EXPECT_EQ(lines_of(ran.out).size(), 30u);
  Ran const text = holds("demeter simulate chung_ooi_7 --print");
  EXPECT_EQ(text.out, read_file(fs::path(DEMETER_SOURCE) / "simulator/scenes/chung_ooi_7.toml"));
}

TEST_F(Simulate, UnmetExpectationsOfAChangedSceneAreShownButDoNotFail) {
  Ran const ran = run("demeter simulate chung_ooi_7 --set body.left.spin=[0,0,5] --out run");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "NOT")) << ran.out;
  Ran const formula = run("demeter simulate capsule_cradle --use capsule_contact=documented --out other");
  EXPECT_EQ(formula.code, 0) << formula.err;
}

TEST_F(Simulate, OverlapsIgnoredKeysAndLargeStepsGiveWarnings) {
  Ran const inside = run("demeter simulate clump_clean --out run");
  EXPECT_TRUE(contains(inside.err, "warning: bodies overlap at the start: wall and clump by 0.5 m")) << inside.err;
  put("ball.toml", small_scene);
  Ran const damping = run("demeter simulate ball.toml --out run2 --set material.glass.damping_ratio=0.1");
  EXPECT_TRUE(contains(damping.err, "damping_ratio: has no effect with law = \"linear\"")) << damping.err;
  Ran const unstable =
      run("demeter simulate ball.toml --out run3 --set body.ball.position=[0,0,0.0999] --set scene.dt=0.02 --set "
          "scene.duration=1");
  EXPECT_TRUE(contains(unstable.err, "above the stability bound")) << unstable.err;
}

/// A key without effect is an error in a file, and a warning if --set has changed the scene.
TEST_F(Simulate, KeysWithoutEffectAreReported) {
  put("ball.toml", small_scene);
  struct Unused {
    std::string set, message;
  };
  for (Unused const& each : std::vector<Unused>{
           {"material.glass.restitution=0.5", "restitution: has no effect with law = \"linear\""},
           {"model.velocity_arms=middle", "model.velocity_arms: has no effect with the kinematics demeter and woo"},
           {"material.glass.poisson=0.3", "poisson: has no effect without law = \"hertz\""},
           {"use.contact_force='memory=total'", "memory and damping have no effect without law = \"hertz\""},
           {"scene.dt.period=5", "scene.dt"}}) {
    Ran const ran = run("demeter simulate ball.toml --out run --set \"" + each.set + "\"");
    EXPECT_TRUE(contains(ran.err, each.message)) << each.set << ": " << ran.err;
  }
  for (auto const& [from, to, message] : std::vector<std::array<std::string, 3>>{
           {"kn = ", "restitution = \"0.5\"\nkn = ", "restitution: has no effect with law = \"linear\""},
           {"kn = ", "poisson = \"0.3\"\nkn = ", "poisson: has no effect without law = \"hertz\""}}) {
    std::string text(small_scene);
    auto const at = text.find(from);
    ASSERT_NE(at, std::string::npos) << text;
    put("bad.toml", text.replace(at, from.size(), to));
    Ran const ran = run("demeter simulate bad.toml --out run2");
    EXPECT_EQ(ran.code, 3) << ran.err;
    EXPECT_TRUE(contains(ran.err, message)) << ran.err;
  }
}

TEST_F(Simulate, AFolderDoesNotReplaceTheSceneOfItsName) {
  EXPECT_EQ(run("demeter simulate pyramid --out pyramid").code, 0);
  Ran const again = run("demeter simulate pyramid --set solver.method=documented --out other");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contains(again.err, "pyramid means the built-in scene; the folder of this name is ./pyramid"))
      << again.err;
}

TEST_F(Simulate, OrdersOutsideTheAsymptoticRangeAreNotAsymptotic) {
  Ran const ran = run("demeter simulate rolling_onset --refine 4");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "not asymptotic")) << ran.out;
  EXPECT_TRUE(contains(run("demeter simulate free_top --refine 4").out, "slope 2.0")) << "and others are";
}

TEST_F(Simulate, ReportsErrorsInASceneWithTheirPlace) {
  struct Wrong {
    std::string from, to, message;
  };
  for (auto const& each : std::vector<Wrong>{
           {"dt = \"1e-3\"", "dt = \"1e-3\"\nstpes = 3",
            "bad.toml:7:1: scene.stpes: unknown key, expected one of title, gravity"},
           {"radius = \"0.1\"", "radius = 1\nradius = 2", "bad.toml:15:10: "},
           {"radius = \"0.1\"", "radius = true", "bad.toml:14:10: body[0].radius: got true, expected a finite number"},
           {"radius = \"0.1\"", "radius = nan", "body[0].radius: got nan, expected a finite number"},
           {"radius = \"0.1\"", "radius = inf", "body[0].radius: got inf, expected a finite number"},
           {"radius = \"0.1\"", "radius = \"inf\"", "body[0].radius: got \"inf\", expected a finite number"},
           {"radius = \"0.1\"", "radius = \"pi/0\"", "body[0].radius: got \"pi/0\", expected a finite number"},
           {"radius = \"0.1\"", "radius = \"1e400\"", "body[0].radius: got \"1e400\", expected a finite number"},
           {"radius = \"0.1\"", "radius = 1e400", "bad.toml:14:"},
           {"radius = \"0.1\"", "radius = -1", "bad.toml:14:10: body[0].radius: got -1, expected > 0"},
           {"radius = \"0.1\"", "", "body[0].radius: missing, expected > 0"},
           {"radius = \"0.1\"", "radius = 1\norientation = [0, 0, 0, 0]",
            "body[0].orientation: got 0, expected a quaternion that is not 0"},
           {"radius = \"0.1\"", "radius = 1\nmaterial = \"wood\"", "unknown material \"wood\", expected one of glass"},
           {"radius = \"0.1\"", "radius = 1\nmass = { mass = -2, moments = [1, 1, 1] }",
            "body[0].mass.mass: got -2, expected > 0"},
           {"radius = \"0.1\"", "radius = 1\nmass = { mass = 2, moments = [1, 1, 3] }",
            "body[0].mass.moments: got 3, expected at most the sum of the other two"},
           {"radius = \"0.1\"", "radius = 1\nmass = { mass = 2 }", "body[0].mass: expected mass and moments"},
           {"radius = \"0.1\"", "radius = 1\ncopies = 1000000000000\nshift = [1, 0, 0]",
            "got 1000000000001 shapes, expected at most "},
           {"radius = \"0.1\"", "radius = 1\nblocked = \"xq\"",
            "body[0].blocked: got \"xq\", expected letters of xyzXYZ"},
           {"name = \"ball\"", "name = \"ball\"\nshape = \"cube\"",
            "body[0].shape: got \"cube\", expected one of sphere, capsule"},
           {"name = \"ball\"", "name = \"wall\"", "body[1].name: got \"wall\" twice"},
           {"position = [0, 0, \"0.2\"]", "position = [0, 0]",
            "body[0].position: got a list of 2, expected a list of 3 numbers"},
           {"density = 2500", "density = 0", "material[0].density: got 0, expected > 0"},
           {"density = 2500", "", "expected mass, or a density of its material \"glass\""},
           {"kn = 1e5", "", "kn of the material \"glass\": missing (law "},
           {"duration = \"0.5\"", "", "scene: expected duration, or steps above 0"},
           {"duration = \"0.5\"", "duration = 1\nsteps = 4", "scene.steps: expected steps or duration, not both"},
           {"dt = \"1e-3\"", "dt = 0", "scene.dt: got 0, expected > 0"},
           {"dt = \"1e-3\"", "", "scene.dt: missing, expected seconds or a rule"},
           {"dt = \"1e-3\"", "dt = { rule = \"p-wave\" }", "scene.dt: expected dt, or a rule with materials"},
           {"[[material]]", "[use]\ncapsule_contact = \"wood\"\n[[material]]",
            "use.capsule_contact: got \"wood\", expected one of reference"},
           {"[[material]]", "[model]\nlaw = \"cubic\"\n[[material]]",
            "model.law: got \"cubic\", expected one of linear, dashpot, hertz"},
           {"[[material]]", "[model]\ndamping = 1\n[[material]]", "model.damping: got 1, expected 0 to below 1"},
           {"shape = \"wall\"", "shape = \"wall\"\n[[expect]]\nobservable = \"ball.speed\"",
            "expect[0].observable: unknown observable \"ball.speed\""},
           {"shape = \"wall\"", "shape = \"wall\"\nvelocity = [0, 0, 1]",
            "body[1].velocity: must be 0 for a fixed body"},
           {"a ball on a wall", "a \\u0007",
            "bad.toml:3:9: scene.title: got a control character, expected one line of text"},
           {"[scene]", "[scene", "bad.toml:2:"},
           {"[scene]", "[[scene]]", "scene: got a list of 1, expected a table"},
           {"[scene]", "[" + repeated("a.", 100'000) + "a]", "bad.toml:2: parts of a key: expected at most 16"},
           {"[scene]", "[\n" + repeated("'..'.\"#\\\".\".", 20) + "a = 1", "bad.toml:3: parts of a key"},
           {"[scene]", "x = \"\"\"a\"\"\"\"\n" + repeated("a.", 20) + "a = 1", "bad.toml:3: parts of a key"},
           {"[scene]", "x = " + repeated("[", 100'000), "bad.toml:2: levels of lists and tables"},
           {"[scene]", "[&", "bad.toml:2:2: "},
           {"[scene]", "[scene]\npassword = hunter2", "bad.toml:3:12: "},
       }) {
    std::string text = small_scene;
    text.replace(text.find(each.from), each.from.size(), each.to);
    put("bad.toml", text);
    fails(3, "demeter simulate bad.toml --out run", each.message);
  }
  EXPECT_FALSE(fs::exists(folder / "run")) << "nothing is written of a scene that is wrong";
}

TEST_F(Simulate, ReportsErrorsInTheCommandLine) {
  put("ball.toml", small_scene);
  fails(2, "demeter simulate capsule_on_wal", "did you mean capsule_on_wall?");
  fails(2, "demeter simulate nowhere.toml", "nowhere.toml: No such file");
  fails(2, "demeter simulate ball.toml --implementation quick", "expected reference@double");
  fails(3, "demeter simulate ball.toml --implementation fast",
        "ball.toml: model.dynamics: got smooth, expected nonsmooth (implementation fast)");
  fails(2, "demeter simulate ball.toml --against quick", "expected an implementation such as reference@mpfr:50");
  fails(3, "demeter simulate ball.toml --seeds 3", "body: expected a disc with fill");
  fails(2, "demeter simulate ball.toml --seeds 1", "--seeds");
  fails(2, "demeter simulate ball.toml --implementation reference@mpfr:1", "with 2 to 100000 digits");
  fails(2, "demeter simulate ball.toml --use capsule_contact", "expected KERNEL=FORMULA");
  fails(3, "demeter simulate ball.toml --use cylinder=woo", "use.cylinder: unknown key");
  fails(3, "demeter simulate ball.toml --set scene.duration", "expected KEY=VALUE");
  fails(3, "demeter simulate ball.toml --set body.stone.radius=1", "no element has the name \"stone\"");
  fails(3, "demeter simulate ball.toml --set body[7].radius=1", "got the index 7, expected less than 2");
  fails(3, "demeter simulate ball.toml --set body.ball.radius=-1",
        "ball.toml:12:1: body[0].radius: got -1, expected > 0");
  fails(2, "demeter simulate ball.toml --refine 0", "--refine");
  put("full/other.txt", "");
  fs::create_directories(folder / "full");
  put("full/other.txt", "mine");
  fails(2, "demeter simulate ball.toml --out full", "contains other files");
  fails(3, "demeter simulate full", "expected a folder that demeter simulate wrote");
  EXPECT_EQ(get("full/other.txt"), "mine");
  fails(2, "demeter simulate ball.toml --out ball.toml/run", "ball.toml/run");
}

TEST_F(Simulate, RefusesACheckpointOfAnotherRun) {
  put("ball.toml", small_scene);
  holds("demeter simulate ball.toml --out run --set scene.duration=0.1");
  std::string const whole = get("run/checkpoint"), scene = get("run/scene.toml"), manner = get("run/run.json");
  put("run/checkpoint", whole.substr(0, whole.size() / 2));
  fails(3, "demeter simulate run", "run/checkpoint: truncated or changed");
  std::string other = whole;
  other.replace(0, 20, "demeter checkpoint 9");
  put("run/checkpoint", other);
  fails(3, "demeter simulate run", "got \"demeter checkpoint 9\", expected \"demeter checkpoint 2\"");
  put("run/checkpoint", whole);
  put("run/scene.toml", scene + "# changed\n");
  fails(3, "demeter simulate run", "run/checkpoint: written for another scene");
  put("run/scene.toml", scene);
  put("run/run.json", "{}");
  fails(3, "demeter simulate run", "run/run.json: expected a file that demeter simulate wrote");
  put("run/run.json", manner);
  for (std::string const name : {"observables.csv", "trajectory.dump", "contacts.csv", "vtk/bodies_000000000100.vtp"}) {
    std::string const text = get("run/" + name);
    put("run/" + name, std::string(text.size(), 'x'));
    fails(3, "demeter simulate run", "run/" + name + ": changed since the checkpoint was written");
    put("run/" + name, text);
  }
  fs::resize_file(folder / "run/observables.csv", 10);
  fails(3, "demeter simulate run", "observables.csv: shorter than recorded in the checkpoint");
  fails(2, "demeter simulate run --set scene.duration=3", "a run continues with its own settings");
}

TEST_F(Simulate, EveryFilmIsSmallAndComplete) {
  for (std::string const name : {"capsule_on_wall", "clump_as_printed", "chung_ooi_4", "impact_linear", "free_top"}) {
    run("demeter simulate " + name + " --out " + name);
    std::string const film = get(name + "/film.html");
    EXPECT_GT(film.size(), 20000u) << name;
    EXPECT_LT(film.size(), 5000000u) << name;
    EXPECT_TRUE(contains(film, "</html>")) << name;
    EXPECT_FALSE(contains(film, "nan")) << name;
  }
}

TEST_F(Simulate, FilmsMoveInABrowserAndLogNoError_browser) {
  if (browser().empty()) GTEST_SKIP() << "no Chromium on this machine";
  for (auto const& scene : fs::directory_iterator(fs::path(DEMETER_SOURCE) / "simulator/scenes")) {
    std::string const name = scene.path().stem().string();
    if (name.starts_with("newtons") || name.starts_with("incline_")) continue;  // similar to other scenes
    if (name.starts_with("hourglass")) continue;                                // similar to orifice_20, but slower
    run("demeter simulate " + name + " --out " + name);
    // After the film has played for two seconds, the picture must differ from the first picture.
    auto const picture = [&](std::string const& how) {
      Ran const ran =
          run(browser() +
              " --headless=new --no-sandbox --disable-gpu --user-data-dir=profile --virtual-time-budget=2000 "
              "--enable-logging=stderr --window-size=1000,700 --screenshot=picture.png 'file://" +
              (folder / name / "film.html").string() + how + "'");
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_FALSE(contains(ran.err, "CONSOLE")) << name << "\n" << ran.err;
      return get("picture.png");
    };
    std::string const rest = picture(""), played = picture("#play");
    EXPECT_GT(rest.size(), 5000u) << name;
    EXPECT_FALSE(rest == played) << name << " does not move";
  }
}

}  // namespace
}  // namespace demeter
