// Tests programs as peers. First, the messages of the command with and without the programs. Second, the adapters with
// recorded output of the programs: this needs no program. Third, defects that the command must find in installed
// programs.
#include "subjects/outside/programs.hpp"

#include "check/check.hpp"
#include "check/tolerance.hpp"
#include "kernels/vectors.hpp"
#include "reference/spec/clump_mass_properties.hpp"
#include "reference/spec/nscd_solve.hpp"
#include "tests/outside/shell.hpp"
#include "tests/places.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace demeter {
namespace programs_test {

// -------------------------------------------------------------------------------------------------------- adapters

TEST(Programs, EveryAdapterStatesItsNameKernelsAndFormulas) {
  std::set<std::string> names;
  for (auto const& adapter : program_adapters()) {
    EXPECT_EQ(adapter.wrong, "");
    EXPECT_TRUE(names.insert(adapter.name).second) << adapter.name;
    EXPECT_EQ(adapter.answers.empty(), false) << adapter.name;
    for (auto const& [kernel, formula] : adapter.formulas) {
      ASSERT_NE(find_kernel(kernel), nullptr) << adapter.name;
      auto const& known = find_kernel(kernel)->formulas;
      EXPECT_TRUE(std::any_of(known.begin(), known.end(),
                              [&formula = formula](auto const& each) { return each.name == formula; }))
          << adapter.name << " " << formula;
    }
  }
  for (auto const* name : {"homework_jacobi", "homework_nlgs", "lammps", "liggghts", "siconos", "voronota", "yade"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Programs, AnIncompleteAdapterIsReported) {
  std::string const whole =
      "\"\"\"A program\"\"\"\n# program: a\n# package: b\n# cases: 7\n# version: a --version\n# home: "
      "https://a.example\n# declares segment_distance: distance | half as long | the manual\n"
      "# answers segment_distance: what it does: all\n# module: m\n# formula segment_distance: printed\n"
      "# variant one: the first\n# variant two: the other\nimport core\n# package: not any more\n";
  ProgramAdapter const adapter = read_adapter("name", whole);
  EXPECT_EQ(adapter.wrong, "");
  EXPECT_EQ(adapter.doc, "A program");
  EXPECT_EQ(adapter.program, "a");
  EXPECT_EQ(adapter.package, "b");
  EXPECT_EQ(adapter.cases, 7u);
  EXPECT_EQ(adapter.home, "https://a.example");
  ASSERT_EQ(adapter.declared.size(), 1u);
  EXPECT_EQ(adapter.declared[0].first, "segment_distance");
  EXPECT_EQ(adapter.declared[0].second, "distance | half as long | the manual");
  ASSERT_EQ(adapter.answers.size(), 1u);
  EXPECT_EQ(adapter.answers[0].first, "segment_distance");
  EXPECT_EQ(adapter.answers[0].second, "what it does: all");
  EXPECT_EQ(adapter.module, "m");
  ASSERT_EQ(adapter.formulas.size(), 1u);
  EXPECT_EQ(adapter.formulas[0].first + " " + adapter.formulas[0].second, "segment_distance printed");
  ASSERT_EQ(adapter.variants.size(), 2u);
  EXPECT_EQ(adapter.variants[1].first + " " + adapter.variants[1].second, "two the other");
  for (std::string const line :
       {"\"\"\"A program\"\"\"", "# program", "# package", "# cases", "# version", "# answers"}) {
    auto const at = whole.find(line);
    std::string const without = std::string(whole).erase(at, whole.find('\n', at) + 1 - at);
    EXPECT_NE(read_adapter("name", without).wrong, "") << line;
  }
}

/// Simulates installed programs. The PATH contains only `bin`, with fake programs and some tools.
class ProgramCommand : public OutsideCommand {
 protected:
  void SetUp() override {
    fs::create_directory(folder / "bin");
    for (std::string const tool : {"sh", "bash", "cat", "kill", "timeout", "python3", "sed", "head", "grep"})
      for (std::string const place : {"/usr/bin/", "/bin/"})
        if (fs::exists(place + tool) && !fs::exists(folder / "bin" / tool))
          fs::create_symlink(place + tool, folder / "bin" / tool);
  }
  /// Writes a fake program: a line that states the interpreter, then `text`.
  void pretend(std::string const& program, std::string const& text, std::string const& interpreter = "/bin/sh") {
    std::ofstream(folder / "bin" / program) << "#!" << interpreter << "\n" << text;
    fs::permissions(folder / "bin" / program, fs::perms::owner_all);
  }
  /// Runs a line of shell. The PATH has only `bin` and the folder of the command.
  int run_alone(std::string const& line) {
    return run("PYTHONPATH=\"$PWD/modules\"; export PYTHONPATH; PATH=\"$PWD/bin:" +
               fs::path(DEMETER_COMMAND).parent_path().string() + "\"; " + line);
  }
  int ask_three(std::string const& program) {
    return run_alone(
        "demeter generate clump_mass_properties --regime vectors --count 1 > case.jsonl; demeter evaluate "
        "clump_mass_properties --implementation " +
        program + " < case.jsonl");
  }
};

TEST_F(ProgramCommand, AMissingProgramIsReportedWithItsPackage) {
  fs::remove(folder / "bin" / "python3");
  EXPECT_EQ(run_alone("demeter doctor"), 0) << err;
  for (auto const& adapter : program_adapters()) {
    std::string const reason = "not installed (Debian: " + adapter.package + ")", why = adapter.name + ": " + reason;
    EXPECT_TRUE(contains(out, reason)) << out;
    EXPECT_EQ(run_alone("demeter check clump_mass_properties --subject " + adapter.name), 2);
    EXPECT_EQ(err, "demeter check: --subject " + why + "\n");
    EXPECT_EQ(out, "");
    EXPECT_EQ(run_alone("demeter evaluate clump_mass_properties --implementation " + adapter.name), 2);
    EXPECT_EQ(err, "demeter evaluate: " + why + "\n");
    EXPECT_EQ(run_alone("demeter list --json"), 0);
    EXPECT_TRUE(contains(out, "\"why\": \"" + reason + "\"")) << out;
    EXPECT_EQ(run_alone("demeter list"), 0);
    EXPECT_TRUE(contains(out, "\n  " + why + "\n")) << out;
  }
}

std::string const lammps_on_three =
    "cat > given\ncat << END\nITEM: NUMBER OF ENTRIES\n1\nITEM: ENTRIES c[1]\n"
    "1570.7963267948967 0 0.33333333333333331 0.33333333333333331 855.2113334772215 680.67840827778855 "
    "331.61255787892259 0.92387953251128674 0.38268343236508973 -0 0\nEND\n";

TEST_F(ProgramCommand, AnswersOfLammpsAreReadAndJudged) {
  pretend("lmp", lammps_on_three);
  EXPECT_EQ(ask_three("lammps"), 0) << err;
  put("answers", out);
  EXPECT_EQ(run("demeter verify clump_mass_properties < answers"), 0) << out;
  EXPECT_TRUE(contains(out, "1 answers, 1 pass")) << out;
  EXPECT_EQ(
      run_alone("demeter generate clump_mass_properties --regime vectors --count 9 > cases.jsonl; demeter evaluate "
                "clump_mass_properties --implementation lammps < cases.jsonl > answers.jsonl; "
                "demeter verify clump_mass_properties < answers.jsonl"),
      1);
  EXPECT_TRUE(contains(out, "9 answers, 1 pass, 7 fail")) << "the recorded answer, to eight clumps of spheres:\n"
                                                          << out;
  EXPECT_TRUE(contains(read_file(folder / "given"), "create_atoms 1 single 0.0 0.0 0.0 units box")) << "the last asked";
  EXPECT_TRUE(contains(read_file(folder / "answers.jsonl"), "\"unsupported\":\"a member that is not a solid sphere\""));
}

TEST_F(ProgramCommand, BytesThatAreNotUtf8DoNotEndTheAdapter) {
  pretend("lmp", "printf 'spent 3 \\265s\\n'; " + lammps_on_three);
  EXPECT_EQ(ask_three("lammps"), 0) << err;
  EXPECT_TRUE(contains(out, "\"output\"")) << out;
}

TEST_F(ProgramCommand, ACaseThatAProgramRefusesIsUnsupportedAndACrashFails) {
  pretend("lmp", "cat > given\necho 'ERROR: One atom in rigid body' >&2\nexit 1\n");
  ask_three("lammps");
  EXPECT_TRUE(contains(out, "\"unsupported\":\"ERROR: One atom in rigid body\"")) << out;
  pretend("lmp", "cat > given\nkill -SEGV $$\n");
  EXPECT_EQ(run_alone("demeter check clump_mass_properties --regime vectors --subject lammps --count 3"), 1);
  EXPECT_TRUE(contains(out, "FAILED")) << out;
  pretend("lmp", "cat > given\necho nothing of use\n");
  EXPECT_EQ(run_alone("demeter check clump_mass_properties --regime vectors --subject lammps --count 3"), 1);
  EXPECT_TRUE(contains(out, "FAILED")) << out;
}

TEST_F(ProgramCommand, TheWrongProductOfInertiaOfLiggghtsIsFoundInItsOutput) {
  pretend("liggghts",
          "cat > given\ncat << END\nITEM: ENTRIES\nITEM: ATOMS id x y z\nITEM: ENTRIES\n"
          "1571.0240000000001 2.6018523 9.3109001 8.2337801 854.00681966 418.62745917 593.06588465 "
          "1 7.71471e-05 0.00052224 0.000314132 0.7081 -0.706112 -0.000424272 0.706112 0.7081\n"
          "ITEM: ATOMS id x y z\n1 2.6023475 8.9769169 7.8996558\n2 2.6023475 8.9769169 8.8996558\n"
          "3 2.6023475 9.9769169 7.8996558\nEND\n");
  EXPECT_EQ(ask_three("liggghts"), 0) << err;
  EXPECT_TRUE(contains(out, ",87.2")) << "I_yz, for 174.533: " << out;
  put("answers", out);
  // Errors are in u: 1e14 u is 1 %. Sampling changes the mass by about 0.01 %, and the defect changes the inertia by
  // about 10 %.
  EXPECT_EQ(run("demeter verify clump_mass_properties < answers"), 1);
  auto const error = nlohmann::json::parse(out.substr(0, out.find('\n')))["error"];
  EXPECT_LT(error["mass"].get<double>(), 1e13) << error;
  for (auto const* output : {"inertia", "principal"}) EXPECT_NEAR(error[output].get<double>(), 9.2e14, 1e13) << error;
  EXPECT_TRUE(contains(read_file(folder / "given"), "nspheres 3 ntry 1000000 spheres")) << "what it was given";
}

TEST_F(ProgramCommand, YadeIsStartedOnceForManyCases) {
  pretend("yade",
          "import sys\nprint('Welcome')\nopen('starts', 'a').write('x')\n"
          "class State: mass, pos, inertia, ori = 1.5, (1, 2, 3), (4, 5, 6), (0, 0, 0, 1)\n"
          "class Body: state = State\n"
          "class O:\n"
          "  def reset(): pass\n"
          "  class materials: append = lambda material: 0\n"
          "  class bodies:\n"
          "    appendClumped = lambda members, discretization: (len(members), [])\n"
          "    __class_getitem__ = lambda cls, index: Body\n"
          "class utils: sphere = lambda centre, radius, material: None\n"
          "FrictMat = lambda density: None\n"
          "exec(open(sys.argv[-1]).read())\n",
          DEMETER_PYTHON);
  EXPECT_EQ(
      run_alone("demeter generate clump_mass_properties --regime spheres --count 50 > cases.jsonl; demeter evaluate "
                "clump_mass_properties --implementation yade < cases.jsonl > answers.jsonl"),
      0)
      << err;
  auto const text = read_file(folder / "answers.jsonl");
  std::size_t answers = 0;
  for (auto at = text.find("\"inertia\":[4,5,6,0,0,0]"); at != text.npos;
       at = text.find("\"inertia\":[4,5,6,0,0,0]", at + 1))
    ++answers;
  EXPECT_EQ(answers, 50u) << text.substr(0, 500);
  EXPECT_EQ(read_file(folder / "starts"), "x");
}

TEST_F(ProgramCommand, DistantBallsThatTheAdapterOfVoronotaAddsAreNotInTheAnswer) {
  // The fake output has two balls of the case and four balls that the adapter adds. A line with two different indices
  // is the contact area of two balls. A line with equal indices is an exposed area.
  pretend("voronota",
          "for each; do last=$each; done; cat > given\n"
          "printf '0 1 5\\n0 0 2e9\\n1 1 3e9\\n5 5 7e9\\n'\nprintf '0 1e14\\n1 2e14\\n5 9e14\\n' > \"$last\"\n");
  auto const ask = [this](std::string const& radius) {
    std::ofstream(folder / "case") << R"({"id":4,"kernel":"clump_union_mass_properties","input":{"density":1,"balls":[)"
                                   << R"({"centre":[0,0,0],"radius":)" << radius << R"(},{"centre":[1,0,0],"radius":)"
                                   << radius << "}]}}\n";
    return run_alone(DEMETER_PYTHON " -B " DEMETER_SOURCE "/subjects/programs/voronota.py < case");
  };
  EXPECT_EQ(ask("1e-150"), 0) << err;
  EXPECT_TRUE(contains(out, "{\"id\": 4, \"unsupported\": \"beyond the range of numbers")) << out;
  EXPECT_EQ(ask("1"), 0) << err;
  EXPECT_TRUE(contains(out, "{\"id\": 4, \"output\": {\"volume\": 2.4, \"surface_area\": 2.0}}")) << out;
  auto const balls = read_file(folder / "given");
  EXPECT_EQ(std::count(balls.begin(), balls.end(), '\n'), 6) << balls;
}

/// A grain in a corner of two walls, for which sweeps without accumulated impulses do not give the solution.
std::string const corner =
    R"({"id":3,"kernel":"nscd_solve","input":{"masses":[1,"inf"],"velocities":[[-1,-1],[0,0]],"contacts":[)"
    R"({"i":0,"j":1,"normal":[0,1],"gap":0},{"i":0,"j":1,"normal":[0.6,0.8],"gap":0}],"dt":1}})"
    "\n";

TEST_F(ProgramCommand, TheHomeworkAgreesWithItsFormulaAndFailsAgainstTheReference) {
  put("corner", corner);
  EXPECT_EQ(run_alone("demeter evaluate nscd_solve --implementation homework_nlgs < corner"), 0) << err;
  auto const answer = nlohmann::json::parse(out);
  EXPECT_NEAR(answer["output"]["velocities"][0][0].get<double>(), -0.64, 1e-15) << out;
  EXPECT_NEAR(answer["output"]["velocities"][0][1].get<double>(), 0.48, 1e-15) << out;
  EXPECT_FALSE(answer["output"].contains("impulses")) << out;
  std::string const check = "demeter check nscd_solve --subject homework_nlgs --regime corner --count 300 --laws 1 ";
  EXPECT_EQ(run_alone(check), 0) << out << err;
  EXPECT_TRUE(contains(out, "truth: the formula documented")) << out;
  EXPECT_EQ(run_alone(check + "--formula reference"), 1) << out;
}

TEST_F(ProgramCommand, TheHomeworkIsTimedInPython) {
  EXPECT_EQ(run(DEMETER_PYTHON " -B " DEMETER_SOURCE "/bench/programs/homework.py 30"), 0) << err;
  EXPECT_TRUE(contains(out, "30 discs, ")) << out;
  EXPECT_TRUE(contains(out, "Gauss-Seidel, plain loops")) << out;
  EXPECT_TRUE(contains(out, "Jacobi")) << out;
}

/// A fake NumPy and a fake Siconos of a few lines. This Siconos divides by the diagonal, which is right for one
/// contact.
std::string const pretended_numpy =
    "class List(list):\n"
    "  def tolist(self): return list(self)\n"
    "  def all(self): return all(self)\n"
    "def array(values, order=None): return values\n"
    "def zeros(size): return List([0.0] * size)\n"
    "def isfinite(values): return List(abs(x) < 1e999 for x in values)\n";
std::string const pretended_siconos =
    "import os, time\n"
    "SICONOS_DPARAM_TOL = SICONOS_IPARAM_MAX_ITER = 0\n"
    "SICONOS_LCP_LEMKE, SICONOS_LCP_PGS, SICONOS_LCP_QP, SICONOS_LCP_PATH, SICONOS_FRICTION_2D_NSGS = range(5)\n"
    "class SolverOptions:\n"
    "  def __init__(self, solver): self.solver, self.dparam, self.iparam = solver, [1e-6], [1000]\n"
    "def LCP(W, q): return W, q\n"
    "def FrictionContactProblem(dimension, contacts, W, q, mu):\n"
    "  assert dimension == 2 and len(q) == 2 * contacts and mu == [0] * contacts\n"
    "  return W, q\n"
    "def linearComplementarity_driver(problem, z, w, options):\n"
    "  assert options.dparam == [1e-12] and options.iparam == [10000]\n"
    "  print('what it prints is no answer', flush=True)\n"
    "  os.write(1, b'{}\\n')\n"
    "  if options.solver == SICONOS_LCP_QP: raise RuntimeError('Unknown error!\\nql0001 is not available\\n\\n')\n"
    "  if options.solver == SICONOS_LCP_PATH: os.abort()\n"
    "  for k, row in enumerate(problem[0]): z[k] = max(0.0, -problem[1][k] / row[k])\n"
    "  return 0 if options.solver == SICONOS_LCP_LEMKE else 7\n"
    "def fc2d_driver(problem, r, u, options):\n"
    "  for k in range(0, len(r), 2): r[k] = max(0.0, -problem[1][k] / problem[0][k][k])\n"
    "  return 0\n"
    "def solver_options_id_to_name(solver): return 'solver %d' % solver\n";

TEST_F(ProgramCommand, EachSolverOfSiconosIsASubjectAndKeepsItsMessages) {
  fs::create_directories(folder / "modules" / "siconos");
  put("modules/numpy.py", pretended_numpy);
  put("modules/siconos/__init__.py", "");
  put("modules/siconos/numerics.py", pretended_siconos);
  EXPECT_EQ(run_alone("demeter doctor"), 0) << err;
  EXPECT_TRUE(contains(out, "siconos_lcp_lemke found")) << out;
  // Two bodies approach each other, with q = -3 and W = 3. The impulse is 1.
  put("meet", R"({"id":1,"kernel":"nscd_solve","input":{"masses":[1,0.5],"velocities":[[-2,5],[1,0]],"contacts":[)"
              R"({"i":0,"j":1,"normal":[1,0],"gap":0}],"dt":1}})"
              "\n");
  for (std::string const solver : {"lcp_lemke", "friction_2d_nsgs"}) {
    EXPECT_EQ(run_alone("demeter evaluate nscd_solve --implementation siconos_" + solver + " < meet"), 0) << err;
    EXPECT_TRUE(contains(out, "\"velocities\":[[-1,5],[-1,0]],\"impulses\":[1]")) << out;
  }
  for (auto const& [solver, words] :
       {std::pair<std::string, std::string>("lcp_pgs", "\"unsupported\":\"Siconos: info = 7 of solver 1\""),
        {"lcp_qp", "\"unsupported\":\"Siconos: ql0001 is not available\""},
        {"lcp_path", "Siconos ended by signal 6"}}) {
    run_alone("demeter evaluate nscd_solve --implementation siconos_" + solver + " < meet");
    EXPECT_TRUE(contains(out + err, words)) << out << err;
  }
  // In a corner, the fake solver, which only divides by the diagonal, must fail.
  EXPECT_EQ(run_alone("demeter check nscd_solve --regime corner --count 20 --subject siconos_lcp_lemke"), 1) << out;
  EXPECT_EQ(run_alone("demeter check nscd_solve --subject siconos"), 2);
  EXPECT_TRUE(contains(err, "unknown subject \"siconos\"")) << err;
}

TEST_F(ProgramCommand, AMissingSiconosIsReportedWithItsPackage) {
  fs::remove(folder / "bin" / "python3");
  EXPECT_EQ(run_alone("demeter check nscd_solve --subject siconos_lcp_lemke"), 2);
  EXPECT_EQ(err, "demeter check: --subject siconos_lcp_lemke: not installed (Debian: python3-siconos)\n");
}

// -------------------------------------------------------------------------------------------- those that are installed

using Output = clump_mass_properties::Output<double>;
Kernel const& clumps() { return *find_kernel("clump_mass_properties"); }

/// Rows of the recorded clumps: three disjoint spheres, three of different radii, three that overlap, and the first
/// clump again, 19,000 km from the origin.
enum Recorded : std::size_t { three, asymmetric, overlapping, at_19000_km = 6, recorded = 7 };

struct Asked {
  Subject const* subject = nullptr;
  Table cases;
  Answers answers;
};
std::optional<Asked> ask(std::string const& name) {
  Asked result;
  for (auto const& subject : found_programs().subjects)
    if (subject.name == name) result.subject = &subject;
  if (result.subject == nullptr) return std::nullopt;
  result.cases.clear(clumps().input);
  for (std::size_t row = 0; row < recorded; ++row)
    append_row(clumps().input, result.cases, vectors_of(clumps()).cases, row);
  answer(*result.subject, clumps(), result.cases, result.answers);
  return result;
}

/// Returns the verdict on one output. The budget is `units`, or the budget of the contract if `units` is 0.
Verdict verdict(Asked const& asked, std::size_t row, std::string_view output, double units = 0) {
  Held held;
  std::size_t wanted = 0;
  for (std::size_t k = 0; k < clumps().budgets.size(); ++k) {
    if (units > 0) held.units.emplace_back(clumps().budgets[k].output, units);
    if (clumps().budgets[k].output == output) wanted = k;
  }
  std::vector<Judged> judged(clumps().budgets.size());
  clumps().judge(asked.cases, clumps().truths(asked.cases), row, asked.answers, row,
                 tolerance_of(clumps(), *asked.subject, held), judged);
  EXPECT_TRUE(judged[wanted].computed) << output;
  return judged[wanted].verdict;
}

TEST(InstalledPrograms_programs, LammpsIsRightOnSpheres) {
  auto const asked = ask("lammps");
  if (!asked) GTEST_SKIP() << "not installed (Debian: lammps)";
  for (std::size_t row = 0; row < recorded; ++row) {
    ASSERT_EQ(asked->answers.status[row], Status::answered) << row;
    for (auto const* output : {"mass", "centroid", "inertia", "principal", "orientation"})
      EXPECT_EQ(verdict(*asked, row, output), Verdict::pass) << row << " " << output;
  }
}

TEST(InstalledPrograms_programs, YadeIsRightOnSpheresButNotFarFromTheOrigin) {
  auto const asked = ask("yade");
  if (!asked) GTEST_SKIP() << "not installed (Debian: yade)";
  for (std::size_t const row : {three, asymmetric, overlapping}) {
    ASSERT_EQ(asked->answers.status[row], Status::answered) << row;
    for (auto const* output : {"mass", "centroid", "inertia", "principal", "orientation"})
      EXPECT_EQ(verdict(*asked, row, output), Verdict::pass) << row << " " << output;
  }
  // Yade sums moments about the origin and then subtracts. Far from the origin, the moments about the centroid have no
  // correct digits.
  EXPECT_EQ(verdict(*asked, at_19000_km, "mass"), Verdict::pass);
  EXPECT_EQ(verdict(*asked, at_19000_km, "inertia", 1e14), Verdict::fail) << "by more than a hundredth";
}

TEST(InstalledPrograms_programs, TheWrongProductOfInertiaOfLiggghtsIsFound) {
  auto const asked = ask("liggghts");
  if (!asked) GTEST_SKIP() << "not installed (Debian: liggghts)";
  ASSERT_EQ(asked->answers.status[three], Status::answered) << asked->answers.message.at(three);
  ASSERT_EQ(asked->answers.status[asymmetric], Status::answered);
  EXPECT_EQ(asked->answers.status[overlapping], Status::unsupported);
  // Sampling is correct to 0.1 %. LIGGGHTS averages the product of inertia with another element. This other element is
  // 0 here, so the product is halved.
  Output const out = load<Output>(asked->answers.output, three);
  EXPECT_NEAR(out.mass, 1570.796, 1.6);
  EXPECT_NEAR(out.inertia[0], 855.211, 1.6);
  EXPECT_NEAR(out.inertia[5], 87.22, 0.2) << "the truth is 174.533";
  EXPECT_NEAR(out.principal[0], 418.6, 0.5) << "331.613";
  EXPECT_NEAR(out.principal[1], 593.1, 0.5) << "680.678";
  Output const uneven = load<Output>(asked->answers.output, asymmetric);
  EXPECT_NEAR(uneven.principal[0], 3776.3, 4) << "3959.701";
  EXPECT_NEAR(uneven.principal[2], 9557.9, 10) << "9309.645";
  for (std::size_t const row : {three, asymmetric}) {
    EXPECT_EQ(verdict(*asked, row, "mass", 1e14), Verdict::pass) << "a hundredth";
    EXPECT_EQ(verdict(*asked, row, "inertia", 1e14), Verdict::fail);
    EXPECT_EQ(verdict(*asked, row, "principal", 1e14), Verdict::fail);
  }
}

/// Expects that a subject answers at least half of the cases of two regimes. Each answer must be within 1e10 units of
/// the scale.
void expect_solves(std::string const& name) {
  auto const* const subject = find_subject(name);
  if (subject == nullptr) GTEST_SKIP() << find_subject(name, {}).wrong;
  Kernel const& kernel = *find_kernel("nscd_solve");
  Table cases(kernel.input);
  for (std::size_t regime = 0; regime < 2; ++regime)
    for (std::uint64_t id = 0; id < 20; ++id) kernel.generate(regime, 1, id, cases);
  Answers answers;
  answer(*subject, kernel, cases, answers);
  Held held;
  for (auto const& budget : kernel.budgets) held.units.emplace_back(budget.output, 1e10);
  auto const truths = kernel.truths(cases);
  std::size_t answered = 0;
  for (std::size_t row = 0; row < cases.rows; ++row) {
    if (answers.status[row] != Status::answered) continue;
    ++answered;
    std::vector<Judged> judged(kernel.budgets.size());
    kernel.judge(cases, truths, row, answers, row, tolerance_of(kernel, *subject, held), judged);
    EXPECT_EQ(judged[0].verdict, Verdict::pass) << row;
  }
  EXPECT_GE(answered, cases.rows / 2);
}
TEST(InstalledPrograms_programs, LemkeOfSiconosSolvesDrawnCases) { expect_solves("siconos_lcp_lemke"); }
TEST(InstalledPrograms_programs, TheFrictionSolverOfSiconosSolvesCasesWithoutFriction) {
  expect_solves("siconos_friction_2d_nsgs");
}

TEST(InstalledPrograms_programs, JacobiInNumpyAgreesWithItsFormula) {
  auto const* const subject = find_subject("homework_jacobi");
  if (subject == nullptr) GTEST_SKIP() << find_subject("homework_jacobi", {}).wrong;
  Kernel const& kernel = *find_kernel("nscd_solve");
  Table cases(kernel.input);
  kernel.generate(0, 1, 0, cases);
  kernel.generate(0, 1, 1, cases);
  Answers answers, printed;
  answer(*subject, kernel, cases, answers);
  answer(*find_subject("documented_jacobi"), kernel, cases, printed);
  for (std::size_t row = 0; row < cases.rows; ++row) {
    ASSERT_EQ(answers.status[row], Status::answered);
    auto const out = load<nscd_solve::Output<double>>(answers.output, row),
               expected = load<nscd_solve::Output<double>>(printed.output, row);
    auto const speed = nscd_solve::Contract::scale(load<nscd_solve::Input<double>>(cases, row)).velocities[0][0];
    for (std::size_t a = 0; a < out.velocities.size(); ++a)
      EXPECT_LT((out.velocities[a] - expected.velocities[a]).norm(), 1e-9L * speed) << row << " " << a;
  }
}

TEST(InstalledPrograms_programs, ASubjectWithALimitOfCasesGetsNoMoreCasesAndNoLaws) {
  Subject dear;
  dear.cases = 10;
  CheckOptions options;
  options.cases = 1000;
  EXPECT_EQ(affordable({}, options).cases, 1000u);
  EXPECT_GT(affordable({}, options).law_cases, 0u);
  EXPECT_EQ(affordable(dear, options).cases, 10u);
  EXPECT_EQ(affordable(dear, options).law_cases, 0u);
  EXPECT_FALSE(affordable(dear, options).shrink);
  options.cases = 3;
  EXPECT_EQ(affordable(dear, options).cases, 3u);
  for (auto const& program : found_programs().subjects) {
    EXPECT_TRUE(program.cases > 0 && program.separate() && !program.ours()) << program.name;
    EXPECT_NE(version_of(program), "") << program.name;
    EXPECT_EQ(find_subject(program.name), &program);
    for (auto const* subject : subjects()) EXPECT_NE(subject->name, program.name) << "asked by default";
  }
}

}  // namespace programs_test
}  // namespace demeter
