// Tests the recorded vectors: their content, the mistakes that the tool refuses, and the subjects that fail vectors.
#include "kernels/vectors.hpp"

#include "check/search.hpp"
#include "kernels/json_lines.hpp"
#include "reference/core/exact.hpp"
#include "subjects/subjects.hpp"
#include "tests/core/command.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace demeter {
namespace vectors_test {

using Json = nlohmann::ordered_json;

Kernel const& segments() { return *find_kernel("segment_distance"); }
Kernel const& capsules() { return *find_kernel("capsule_mass_properties"); }
Kernel const& clumps() { return *find_kernel("clump_force_torque"); }

fs::path folder_of_vectors() { return fs::path(DEMETER_SOURCE) / "oracles/vectors"; }

std::string replaced(std::string text, std::string const& old_text, std::string const& new_text) {
  std::size_t const at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text << " is not in " << text;
  if (at != std::string::npos) text.replace(at, old_text.size(), new_text);
  return text;
}

bool has(VectorNotes const& notes, std::string const& flag) {
  return std::find(notes.flags.begin(), notes.flags.end(), flag) != notes.flags.end();
}

/// Returns the line of the first vector whose source or comment contains the text.
std::string line_about(Kernel const& kernel, std::string const& text) {
  for (auto const& line : lines_of(vectors_text(kernel)))
    if (line.find(text, line.find("\"source\"")) != std::string::npos) return line;
  ADD_FAILURE() << "no vector of " << kernel.name << " is about " << text;
  return "";
}

/// Returns the vector line that the tool derives from an input in JSON.
Json derived(Kernel const& kernel, std::string const& input) {
  Table cases(kernel.input);
  auto const misread = read_case(kernel, input, cases);
  EXPECT_FALSE(misread) << *misread;
  VectorNotes notes;
  notes.id = 1;
  notes.source = "test";
  std::string wrong;
  auto const line = vector_line(kernel, cases, 0, notes, wrong);
  EXPECT_TRUE(line) << wrong;
  return line ? Json::parse(*line) : Json();
}

/// Returns the rows of the kernel's vectors in which the answer of the subject exceeds a budget.
std::set<std::size_t> failed_rows(Kernel const& kernel, Subject const& subject) {
  auto const& cases = vectors_of(kernel).cases;
  Answers answers;
  answers.clear(kernel.output);
  answer(subject, kernel, cases, answers);
  Truths const truths = kernel.truths(cases);
  std::vector<Judged> judged(kernel.budgets.size());
  std::set<std::size_t> failed;
  for (std::size_t row = 0; row < cases.rows; ++row) {
    if (answers.status[row] == Status::unsupported) continue;
    if (answers.status[row] != Status::answered) {
      failed.insert(row);
      continue;
    }
    kernel.judge(cases, truths, row, answers, row, {}, judged);
    for (auto const& each : judged)
      if (each.computed && each.verdict != Verdict::pass) failed.insert(row);
  }
  return failed;
}

// ------------------------------------------------------------------------------------------------------- what is there

// Only tests that all vectors can be read. Another test, which takes a minute, compares the values with oracle and
// reference.
TEST(Vectors, AllRecordedVectorsCanBeRead) {
  std::size_t total = 0;
  for (auto const& kernel : kernels()) {
    Vectors read{Table(kernel.input), {}};
    auto const wrong = read_vectors(kernel, vectors_text(kernel), read);
    EXPECT_FALSE(wrong) << kernel.name << ": " << *wrong;
    auto const& vectors = vectors_of(kernel);
    EXPECT_EQ(vectors.cases.rows, vectors.notes.size());
    EXPECT_EQ(lines_of(vectors_text(kernel)).size(), vectors.notes.size());
    total += vectors.notes.size();
  }
  EXPECT_GE(total, 400u);
}

TEST(Vectors, BuiltInVectorsEqualTheSourceFiles) {
  for (auto const& kernel : kernels())
    EXPECT_EQ(vectors_text(kernel), read_file(folder_of_vectors() / (kernel.name + ".jsonl"))) << kernel.name;
}

TEST(Vectors, EveryRegimeAndEveryFlagHasVectors) {
  std::set<std::string> flags;
  for (auto const& kernel : kernels()) {
    std::set<std::size_t> regimes;
    for (auto const& notes : vectors_of(kernel).notes) {
      regimes.insert(notes.regime);
      flags.insert(notes.flags.begin(), notes.flags.end());
    }
    for (std::size_t i = 0; i < kernel.regimes.size(); ++i) {
      // Cases with hundreds of members or contacts would give unreadable lines.
      bool const wanted = !std::set<std::string>{"many", "lost_addends", "crowd"}.contains(kernel.regimes[i].name) &&
                          kernel.regimes[i].size == 0;
      EXPECT_EQ(regimes.count(i), wanted ? 1u : 0u) << kernel.name << " " << kernel.regimes[i].name;
    }
  }
  for (auto const& flag : vector_flags()) EXPECT_TRUE(flags.count(flag.name) > 0) << flag.name;
}

// The vectors must have the digits that reports and the specification print.
TEST(Vectors, ExpectedValuesAgreeWithThePrintedDigitsOfTheirSources) {
  struct Printed {
    Kernel const* kernel;
    char const *about, *field, *digits;
  };
  for (auto const& [kernel, about, field, digits] : std::vector<Printed>{
           {&segments(), "DEM yarn thread", "distance", "8.96815693848e-5"},
           {&segments(), "the next step of the same", "distance", "9.01904248939e-5"},
           {&segments(), "Eberly, Robust", "distance", "1.15750461385741e-7"},
           {&segments(), "GeometricTools#40", "distance", "0.4"},
           {&segments(), "godot#55383", "distance", "2.9888"},
           {&segments(), "godot#55384", "distance", "2"},
           {&segments(), "godot#55617", "distance", "2"},
           {&segments(), "GeometRi.CSharp#16", "distance", "1.7"},
           {&segments(), "sceneview#1139", "distance", "1"},
           {&segments(), "fcl#567", "distance", "7911.4718"},
           {&segments(), "fcl#275", "distance", "40"},
           {&segments(), "dart#3343", "distance", "1"},
           {&segments(), "crossing axes of 0.0003 m", "distance", "3e-5"},
           {&segments(), "rotated parallel segments: 0.7323", "distance", "0.0076986"},
           {&segments(), "1.84e-16, given as", "distance", "1.84e-16"},
           {&segments(), "4.590218, given as", "distance", "4.590218"},
           {&capsules(), "(545.42, 545.42", "iyy", "395.972"},
           {&capsules(), "(545.42, 545.42", "ixx", "150.535"},
           {&capsules(), "87.27 is given", "iyy", "52.36"},
           {&capsules(), "give a volume of 0", "volume", "3.14e-100"},
           {&capsules(), "give iyy infinite", "iyy", "2.618e159"},
           {&capsules(), "give NaN", "iyy", "2.618e275"},
       }) {
    auto const line = line_about(*kernel, about);
    if (line.empty()) continue;
    auto const recorded = *parse_exact(Json::parse(line)["expected"][field].get<std::string>());
    auto const printed = *parse_exact(digits);
    // Half a unit of the last printed digit, plus the error of rounding the decimals to doubles.
    std::string unit(digits);
    std::size_t const e = std::min(unit.find('e'), unit.size());
    std::size_t const point = unit.find('.');
    std::size_t const places = point < e ? e - point - 1 : 0;
    double const tolerance =
        0.5 * std::pow(10.0, (e < unit.size() ? std::stod(unit.substr(e + 1)) : 0.0) - static_cast<double>(places));
    EXPECT_LE(nearest(abs(Rational(recorded - printed))), tolerance * 1.000001) << about << " " << digits;
  }
}

// ----------------------------------------------------------------------------------------------------- expected values

TEST(Vectors, ExactValuesAreWrittenShortAndOthersWithThirtyDigits) {
  EXPECT_EQ(recorded_digits({0.5L, 0, 0}), "5e-1");
  EXPECT_EQ(recorded_digits({-1024, 0, 0}), "-1.024e3");
  EXPECT_EQ(recorded_digits({0, 0, 0}), "0");
  EXPECT_EQ(recorded_digits({2, 0, 0x1p-122L}),
            "2.00000000000000000000000000000");                                 // known to 30 digits, but not exact
  EXPECT_EQ(recorded_digits({1.4L, 0, 0}), "1.39999999999999999997831595655");  // the long double nearest to 1.4
  EXPECT_EQ(recorded_digits({1, 0x1p-70L, 0}),
            "1.00000000000000000000084703295");  // exact, but with more than 30 digits
  EXPECT_EQ(recorded_digits({2, 0, 0x1p-90L}), "?");
  EXPECT_EQ(recorded_digits({0, 0, std::numeric_limits<long double>::infinity()}), "");
  EXPECT_EQ(recorded_digits({0x1p-1074L, 0, 0}), "4.94065645841246544176568792868e-324");
}

TEST(Vectors, ParametersOfTheClosestPairAreRecordedOnlyIfUnique) {
  struct Pair {
    char const *input, *s, *t;  // s and t are empty if they are not unique
  };
  for (auto const& [input, s, t] : std::vector<Pair>{
           {R"({"p0":[0,0,0],"p1":[4,0,0],"q0":[1,1,-1],"q1":[1,1,1]})", "2.5e-1", "5e-1"},
           {R"({"p0":[0,0,0],"p1":[3,0,0],"q0":[1,1,0],"q1":[1,2,0]})", "3.33333333333333333333333333333e-1", "0"},
           {R"({"p0":[0,0,0],"p1":[4,0,0],"q0":[5,1,0],"q1":[6,1,0]})", "1", "0"},    // parallel, separate projections
           {R"({"p0":[0,0,0],"p1":[4,0,0],"q0":[6,1,0],"q1":[5,1,0]})", "1", "1"},    // opposite directions
           {R"({"p0":[0,0,0],"p1":[4,0,0],"q0":[-1,1,0],"q1":[-2,1,0]})", "0", "0"},  // q lies before p
           {R"({"p0":[0,0,0],"p1":[4,0,0],"q0":[4,1,0],"q1":[6,1,0]})", "1", "0"},    // one common projected point
           {R"({"p0":[0,0,0],"p1":[4,0,0],"q0":[3.9999999999999996,1,0],"q1":[6,1,0]})", "", ""},
           {R"({"p0":[0,0,0],"p1":[4,0,0],"q0":[4.000000000000001,1,0],"q1":[6,1,0]})", "1", "0"},
           {R"({"p0":[0,0,0],"p1":[4,0,0],"q0":[0,1,0],"q1":[4,1,0]})", "", ""},
           {R"({"p0":[0,0,0],"p1":[0,0,0],"q0":[-1,1,0],"q1":[3,1,0]})", "", "2.5e-1"},  // p is a point
           {R"({"p0":[-1,1,0],"p1":[3,1,0],"q0":[0,0,0],"q1":[0,0,0]})", "2.5e-1", ""},
           {R"({"p0":[1,1,0],"p1":[1,1,0],"q0":[0,0,0],"q1":[0,0,0]})", "", ""},
           {R"({"p0":[0,0,0],"p1":[1,0,0],"q0":[1,0,0],"q1":[2,0,0]})", "1", "0"},  // collinear, touching
           {R"({"p0":[0,0,0],"p1":[2,0,0],"q0":[1,0,0],"q1":[3,0,0]})", "", ""},
           {R"({"p0":[-1,0,0],"p1":[1,0,0],"q0":[-1,-5e-324,1],"q1":[1,5e-324,1]})", "5e-1", "5e-1"},
       }) {
    Json const line = derived(segments(), input);
    auto const& expected = line["expected"];
    EXPECT_EQ(expected.value("s", ""), s) << input;
    EXPECT_EQ(expected.value("t", ""), t) << input;
    bool const all = *s != '\0' && *t != '\0';
    EXPECT_EQ(line["flags"], all ? Json::array() : Json::array({"NotUnique"})) << input;
  }
}

TEST(Vectors, OverflowAndUnderflowAreFlaggedAutomatically) {
  EXPECT_EQ(derived(capsules(), R"({"radius":1e200,"shaft":0,"density":1e-300})")["flags"], Json::array({"Overflow"}));
  EXPECT_EQ(derived(capsules(), R"({"radius":1e-200,"shaft":0,"density":1})")["flags"], Json::array({"Underflow"}));
  EXPECT_EQ(derived(capsules(), R"({"radius":1,"shaft":0,"density":1})")["flags"], Json::array());
}

// Torques of about 2^1000 cancel, and a torque of 1 remains. An earlier reference had too little precision for terms of
// different degree. It computed 0 at two precisions and therefore accepted 0.
TEST(Vectors, TheReferenceRoundsTermsOfDifferentDegreeCorrectly) {
  Json const line = derived(clumps(), R"({"centre":[0,0,0],"members":[)"
                                      R"({"position":[0,1e150,0],"force":[0,0,1e150],"torque":[1,0,0]},)"
                                      R"({"position":[0,1e150,0],"force":[0,0,-1e150],"torque":[0,0,0]}]})");
  EXPECT_EQ(line["expected"]["torque"][0], "1");
}

TEST(Vectors, EveryChangedDigitIsReported) {
  std::size_t changed = 0;
  for (auto const& [kernel, about] :
       std::vector<std::pair<Kernel const*, char const*>>{{&segments(), "DEM yarn thread"},
                                                          {&segments(), "godot#55383"},
                                                          {&capsules(), "H^2/2"},
                                                          {&clumps(), "1e16 + 1"}}) {
    auto const line = line_about(*kernel, about);
    ASSERT_TRUE(check_vectors(*kernel, line + "\n").empty()) << line;
    std::size_t const begin = line.find("\"expected\""), end = line.find("\"flags\"");
    for (std::size_t at = begin; at < end; ++at) {
      if (line[at] < '0' || line[at] > '9') continue;
      if (line[at - 1] >= 'a' && line[at - 1] <= 'z' && line[at - 1] != 'e') continue;  // this digit is part of a name
      auto tampered = line;
      tampered[at] = line[at] == '9' ? '8' : static_cast<char>(line[at] + 1);
      auto const problems = check_vectors(*kernel, tampered + "\n");
      ASSERT_EQ(problems.size(), 1u) << tampered;
      EXPECT_EQ(problems.front().rfind("line 1: expected.", 0), 0u) << problems.front();
      ++changed;
    }
  }
  EXPECT_GT(changed, 200u);
}

// -------------------------------------------------------------------------------------------------------------
// mistakes

TEST(Vectors, EachMistakeIsReportedWithItsLineAndTheExpectedValue) {
  std::string const good =
      R"({"id":1,"kernel":"segment_distance","regime":"typical","input":{"p0":[0,0,0],"p1":[2,0,0],)"
      R"("q0":[1,1,-1],"q1":[1,1,1]},"expected":{"distance":"1","s":"5e-1","t":"5e-1"},)"
      R"("flags":["Lattice"],"source":"test","comment":"middle to middle"})";
  ASSERT_TRUE(check_vectors(segments(), good + "\n").empty()) << check_vectors(segments(), good + "\n").front();
  struct Mistake {
    char const *old_text, *new_text, *message;
  };
  for (auto const& [old_text, new_text, message] : std::vector<Mistake>{
           {"{\"id\"", "\"id\"", "expected a JSON object"},
           {"\"}", "\"", "not JSON"},
           {"\"id\":1", "\"id\":0", "id: 0, expected more than 0"},
           {"\"id\":1", "\"id\":-1", "id: expected a non-negative integer"},
           {"\"id\":1,", "", "missing key \"id\""},
           {"segment_distance", "segment", "kernel: \"segment\", expected \"segment_distance\""},
           {"typical", "usual",
            "regime: unknown regime \"usual\" of segment_distance; expected typical, crossing, near_parallel"},
           {"\"regime\":\"typical\",", "", "missing key \"regime\""},
           {"\"p0\":[0,0,0],", "", "input: missing key \"p0\""},
           {"[1,1,-1]", "[1,1]", "input.q0: expected an array of 3 numbers, got 2"},
           {"[1,1,-1]", "[1,1,\"inf\"]", "input: q0[2]: expected a finite number"},
           {"[1,1,-1]", "[1,1,\"1/3\"]", "input: \"1/3\" is not a binary64; expected numbers in their shortest form"},
           {"[1,1,-1]", "[1,1,-1.0]", "column 103: \".0],\"q1\":[1,1,1]},\"e\" is not as the tool writes it, expected"},
           {"\"distance\":\"1\"", "\"distance\":1",
            "expected.distance: expected a decimal of at most 30 digits in a string"},
           {"\"distance\":\"1\"", "\"distance\":\"1.0000000000000000000000000000000\"",
            "expected.distance: expected a decimal"},
           {"\"distance\":\"1\"", "\"distance\":\"01\"", "expected.distance: expected a decimal"},
           {"\"distance\":\"1\"", "\"distance\":\"1.0\"", "expected.distance: 1.0 is recorded, the oracle gives 1"},
           {"\"distance\":\"1\"", "\"distance\":\"2\"", "expected.distance: 2 is recorded, the oracle gives 1"},
           {"\"distance\":\"1\",", "", "expected.distance: missing; the oracle gives 1"},
           {"\"distance\":\"1\"", "\"depth\":\"1\"", "expected: unknown key \"depth\"; expected distance, s, t"},
           {"{\"distance\":\"1\",\"s\":\"5e-1\",\"t\":\"5e-1\"}", "[]", "expected: expected an object"},
           {"[\"Lattice\"]", "[\"Lattices\"]",
            "flags: unknown flag \"Lattices\"; oracles/vectors/flags.json has KnownBug"},
           {"[\"Lattice\"]", "[\"Lattice\",\"Lattice\"]", "flags: \"Lattice\" given twice"},
           {"[\"Lattice\"]", "[\"NotUnique\",\"Lattice\"]",
            "flags: [\"NotUnique\",\"Lattice\"], expected [\"Lattice\"]"},
           {"[\"Lattice\"]", "[\"Lattice\",\"KnownBug\"]", "expected [\"KnownBug\",\"Lattice\"]"},
           {"[\"Lattice\"]", "\"Lattice\"", "flags: expected an array of names"},
           {"\"source\":\"test\"", "\"source\":\"\"", "source: expected a text that is not empty"},
           {"\"source\":\"test\"", "\"source\":7", "source: expected a text that is not empty"},
           {",\"source\":\"test\"", "", "missing key \"source\""},
           {"\"middle to middle\"", "\"\"", "comment: expected a text that is not empty"},
           {"\"comment\"", "\"coment\"", "unknown key \"coment\"; expected id, kernel"},
           {"\"flags\"", " \"flags\"", "is not as the tool writes it"},
           {"\"source\":\"test\"", "\"source\":\"test\",\"source\":\"test\"", "key \"source\" given twice"},
       }) {
    auto const problems = check_vectors(segments(), replaced(good, old_text, new_text) + "\n");
    ASSERT_EQ(problems.size(), 1u) << new_text;
    EXPECT_EQ(problems.front().rfind("line 1: ", 0), 0u) << problems.front();
    EXPECT_NE(problems.front().find(message), std::string::npos) << problems.front() << "\nexpected " << message;
    EXPECT_EQ(problems.front().find('\n'), std::string::npos);
  }
  auto const second = replaced(good, "\"id\":1", "\"id\":2");
  auto const problems_of = [&](std::string const& text) { return Json(check_vectors(segments(), text)).dump(); };
  EXPECT_EQ(problems_of(good + "\n" + second + "\n"), R"(["line 2: input: the same as on line 1"])");
  EXPECT_EQ(problems_of(good + "\n" + good + "\n"),
            "[\"line 2: id: 1, expected more than 1, the one before (ids are unique and ascend)\"]");
  EXPECT_EQ(problems_of(good), R"(["line 1: expected a newline at the end"])");
  EXPECT_NE(problems_of(good + "\n\n").find("line 2: "), std::string::npos);
  EXPECT_EQ(problems_of(""), "[]");
  // A mistake in one line must not hide mistakes in other lines.
  EXPECT_EQ(
      check_vectors(segments(), replaced(good, "typical", "usual") + "\n" + replaced(second, "\"1\"", "\"3\"") + "\n")
          .size(),
      2u);
}

TEST(Vectors, RecordingAnOutputThatIsNotUniqueIsAMistake) {
  auto const line = line_about(segments(), "the shadow of q within p");
  auto const problems = check_vectors(segments(), replaced(line, "\"5\"", "\"5\",\"s\":\"0\"") + "\n");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.front(), "line 1: expected.s: 0 is recorded, but the output is not unique");
}

TEST(Vectors, DamagedLinesDoNotCrashTheReader) {
  auto const line = line_about(clumps(), "1e16 + 1");
  Random random(7, 0, 0);
  for (int i = 0; i < 3000; ++i) {
    auto text = line;
    for (auto changes = random.integer(1, 4); changes > 0; --changes) {
      auto const at = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()) - 1));
      if (random.chance(0.3)) {
        text.erase(at, static_cast<std::size_t>(random.integer(1, 20)));
        if (text.empty()) text = "{";
      } else {
        text[at] =
            random.chance(0.5) ? "{}[]\",:0eE-+.\\n"[random.integer(0, 14)] : static_cast<char>(random.integer(0, 255));
      }
    }
    Vectors into;
    into.cases.clear(clumps().input);
    auto const wrong = read_vectors(clumps(), text, into);
    EXPECT_EQ(into.cases.rows, into.notes.size());
    EXPECT_TRUE(!wrong || wrong->rfind("line ", 0) == 0) << *wrong;
  }
}

// ---------------------------------------------------------------------------------------------------- schema and flags

TEST(Vectors, TheSchemaListsTheFlagsThatAreExplained) {
  auto const schema = Json::parse(read_file(folder_of_vectors() / "vectors.schema.json"));
  Json names = Json::array();
  for (auto const& flag : vector_flags()) {
    names.push_back(flag.name);
    EXPECT_FALSE(flag.description.empty() || flag.failing_means.empty()) << flag.name;
  }
  EXPECT_EQ(schema["$defs"]["flag"]["enum"], names);
}

// If Debian's python3-jsonschema is installed, it validates the published schema and every vector.
TEST(Vectors, AnIndependentValidatorAcceptsVectorsAndRefusesMistakes) {
  if (std::system("python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-jsonschema is not installed";
  Folder const own;
  fs::path const script = own.path() / "validate.py";
  std::ofstream(script) << R"(
import copy, json, sys
from jsonschema import Draft202012Validator
folder = sys.argv[1]
schema = json.load(open(folder + "/vectors.schema.json"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
vectors = []
for kernel in sys.argv[2:]:
    for number, line in enumerate(open(folder + "/" + kernel + ".jsonl"), 1):
        vectors.append(json.loads(line))
        for error in validator.iter_errors(vectors[-1]):
            sys.exit("%s line %d: %s" % (kernel, number, error.message))
def refuses(change):
    wrong = copy.deepcopy(vectors[0])
    change(wrong)
    if validator.is_valid(wrong): sys.exit("accepted: " + json.dumps(wrong))
refuses(lambda v: v.update(id=0))
refuses(lambda v: v.update(id="1"))
refuses(lambda v: v.update(sorce="typo"))
refuses(lambda v: v.update(source=""))
refuses(lambda v: v.update(flags=["Unheard"]))
refuses(lambda v: v.update(flags=["Lattice", "Lattice"]))
for key in ("id", "kernel", "regime", "input", "expected", "flags", "source"): refuses(lambda v: v.pop(key))
name = next(iter(vectors[0]["expected"]))
for text in ("01", "1.", "10", "+1", "1e+5", "1e05", "-0", "1." + 30 * "1", "nan", 1.5):
    if text != "nan": refuses(lambda v: v["expected"].update({name: text}))
)";
  std::string command = "python3 '" + script.string() + "' '" + folder_of_vectors().string() + "'";
  for (auto const& kernel : kernels()) command += " " + kernel.name;
  EXPECT_EQ(std::system(command.c_str()), 0);
}

// -------------------------------------------------------------------------------------------------- subjects that fail

TEST(Vectors, EveryCorrectSubjectPassesAllVectors) {
  std::size_t judged = 0;
  for (auto const* each : subjects()) {
    Subject const& subject = *each;
    if (subject.name.rfind("fast@", 0) != 0 && subject.name != "correctly_rounded") continue;
    for (auto const& kernel : kernels()) {
      if (subject.find(kernel.name) == nullptr) continue;
      ++judged;
      for (auto const row : failed_rows(kernel, subject))
        ADD_FAILURE() << subject.name << " fails vector " << vectors_of(kernel).notes[row].id << " of " << kernel.name;
    }
  }
  EXPECT_GE(judged, kernels().size() + 1);
}

TEST(Vectors, VectorsAboutKnownBugsFailInTheCodesWithThoseBugs) {
  struct Caught {
    char const *subject, *kernel, *about;  ///< about: a part of the source or comment of the vector
  };
  for (auto const& [name, kernel_name, about] : std::vector<Caught>{
           {"textbook@double", "segment_distance", "Eberly, Robust Computation"},
           {"textbook@double", "segment_distance", "worst input of the textbook form"},
           {"textbook@double", "segment_distance", "half-length 2^-500"},
           {"textbook@double", "segment_distance", "a T of 2^1000"},
           {"threshold@double", "segment_distance", "half-length 5, pitch 9.99e-05"},
           {"threshold@double", "segment_distance", "worst input of the threshold form"},
           {"threshold@double", "segment_distance", "fibres of 1000 crossing at 5e-5"},
           {"threshold@double", "segment_distance", "Eberly, Robust Computation"},
           {"reference@double", "segment_distance", "worst input of the textbook form"},
           {"documented@double", "capsule_mass_properties", "the printed formulas give a volume of 0"},
           {"documented@double", "capsule_mass_properties", "the printed formulas give iyy infinite"},
           {"documented@double", "capsule_mass_properties", "the printed formulas give NaN"},
           {"factored@double", "capsule_mass_properties", "the printed formulas give a volume of 0"},
           {"via_origin@double", "clump_force_torque", "300000 from the origin"},
           {"via_origin@double", "clump_force_torque", "the heavy member at the centre"},
           {"documented@double", "clump_force_torque", "products overflow, and cancel exactly"},
           {"ode", "segment_distance", "rotated parallel segments: 0.7323"},
           {"ode", "segment_distance", "rotated parallel segments, the shadow"},
           {"ode", "segment_distance", "Eberly, Robust Computation"},
           {"fcl", "segment_distance", "axes of half-length 3e-08"},
           {"fcl", "segment_distance", "Eberly, Robust Computation"},
           {"bullet", "segment_distance", "Eberly, Robust Computation"},
           {"bullet", "capsule_mass_properties", "(545.42, 545.42, 218.17) is given"},
           {"bullet", "capsule_mass_properties", "87.27 is given for 52.36"},
           {"simbody", "superquadric_depth", "a sphere near the end of a long ellipsoid"},
       }) {
    auto const* subject = find_subject(name);
    if (subject == nullptr || find_kernel(kernel_name) == nullptr) continue;  // the peer or kernel is not in this build
    Kernel const& kernel = *find_kernel(kernel_name);
    auto const failed = failed_rows(kernel, *subject);
    auto const lines = lines_of(vectors_text(kernel));
    bool found = false, caught = false;
    for (std::size_t row = 0; row < lines.size(); ++row) {
      if (lines[row].find(about, lines[row].find("\"source\"")) == std::string::npos) continue;
      found = true;
      caught = caught || failed.count(row) > 0;
    }
    EXPECT_TRUE(found) << about;
    EXPECT_TRUE(caught) << name << " passes the vectors about " << about;
  }
}

// For each subject that is not right, a search found worst cases. The subject must exceed its budget in at least one of
// them.
TEST(Vectors, WorstCasesOfASearchExceedTheBudgetOfTheirSubject) {
  std::map<std::string, std::pair<int, int>> over;  // number of vectors and number of failures, by kernel and subject
  for (auto const& kernel : kernels()) {
    auto const& notes = vectors_of(kernel).notes;
    for (auto const* name : {"textbook@double", "threshold@double", "reference@double", "documented@double",
                             "factored@double", "via_origin@double"}) {
      auto const* subject = find_subject(name);
      if (subject->find(kernel.name) == nullptr) continue;
      auto const failed = failed_rows(kernel, *subject);
      for (std::size_t row = 0; row < notes.size(); ++row) {
        if (notes[row].source.find(std::string("largest error of ") + name) == std::string::npos) continue;
        auto& [count, bad] = over[kernel.name + " " + name];
        ++count;
        if (failed.count(row) > 0) ++bad;
      }
    }
  }
  for (auto const* which :
       {"segment_distance textbook@double", "segment_distance threshold@double", "segment_distance reference@double",
        "capsule_mass_properties documented@double", "clump_force_torque via_origin@double"}) {
    EXPECT_GT(over[which].first, 5) << which;
    EXPECT_GT(over[which].second, 0) << which;
  }
}

TEST(Vectors, TheCorrectlyRoundedFormIsRightForCasesThatAreHardToRound) {
  auto const* subject = find_subject("correctly_rounded");
  ASSERT_NE(subject, nullptr);
  Kernel const& kernel = capsules();
  auto const& vectors = vectors_of(kernel);
  Answers answers;
  answers.clear(kernel.output);
  answer(*subject, kernel, vectors.cases, answers);
  auto const lines = lines_of(vectors_text(kernel));
  std::size_t hard = 0;
  for (std::size_t row = 0; row < lines.size(); ++row) {
    if (!has(vectors.notes[row], "HardToRound")) continue;
    ++hard;
    auto const expected = Json::parse(lines[row])["expected"];
    for (auto const& node : kernel.output.root.children) {
      // r + a/2 in double is rounded once and is therefore right. The recorded digits may not give the right double:
      // the exact sum can be the midpoint of two doubles with more than 30 digits.
      double const right = node.name == "bounding_radius"
                               ? vectors.cases.columns[0][row] + vectors.cases.columns[1][row] / 2
                               : nearest(*parse_exact(expected[node.name].get<std::string>()));
      EXPECT_EQ(answers.output.columns[node.column][row], right) << node.name << " of " << lines[row];
    }
  }
  EXPECT_GE(hard, 40u);
}

// -------------------------------------------------------------------------------------------------------------- search

TEST(Search, DistanceFromAMidpointIsInUnitsOfTheSpacingOfDoubles) {
  EXPECT_EQ(distance_from_midpoint("1"), 0.5);
  EXPECT_EQ(distance_from_midpoint("-1.5e0"), 0.5);
  EXPECT_EQ(distance_from_midpoint("0"), std::nullopt);
  EXPECT_EQ(distance_from_midpoint("1e-310"), std::nullopt);
  EXPECT_EQ(distance_from_midpoint("1e310"), std::nullopt);
  EXPECT_EQ(distance_from_midpoint("9.007199254740993e15"), std::nullopt);  // 2^53 + 1, a midpoint
  EXPECT_EQ(distance_from_midpoint("9.00719925474099325e15"), 0.125);       // the spacing of doubles is 2 here
}

TEST(Search, FindsWorseCasesThanRandomDrawsAndIsReproducible) {
  SearchOptions drawn;
  drawn.seed = 3;
  drawn.cases = 200;
  drawn.rounds = 0;
  drawn.regimes = {0, 1};
  drawn.output = "distance";
  SearchOptions climbed = drawn;
  climbed.rounds = 60;
  auto const* subject = find_subject("fast@scalar");
  auto const before = search_worst(segments(), *subject, drawn), after = search_worst(segments(), *subject, climbed),
             again = search_worst(segments(), *subject, climbed);
  ASSERT_EQ(before.size(), 2u);
  ASSERT_EQ(after.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(after[i].measure, before[i].measure);
    EXPECT_EQ(after[i].measure, again[i].measure);
    EXPECT_EQ(after[i].input.columns, again[i].input.columns);
    EXPECT_EQ(after[i].output, "distance");
    EXPECT_LE(after[i].budgets_exceeded, 1);
  }
}

TEST(Search, HardToRoundFindsTheDrawnCaseClosestToAMidpoint) {
  SearchOptions options;
  options.cases = 3000;
  options.regimes = {0};
  auto const found = search_hard_to_round(capsules(), options);
  // Four of the five outputs suffice: the bounding radius is a sum of two doubles, whose fractions lie on a grid.
  ASSERT_GE(found.size(), 4u);
  for (auto const& each : found) {
    EXPECT_LT(each.measure, 0.002) << each.output;  // the smallest of 3000 random fractions is below this limit
    EXPECT_GT(each.measure, 0) << each.output;
  }
}

// ------------------------------------------------------------------------------------------------------------ the verb

class VectorsCommand : public CommandTest {
 protected:
  void SetUp() override {
    fs::create_directories(folder / "oracles/vectors");
    for (auto const& kernel : kernels()) put("oracles/vectors/" + kernel.name + ".jsonl", "");
  }
  std::string file(Kernel const& kernel) const { return get("oracles/vectors/" + kernel.name + ".jsonl"); }
};

char const* const one_case = R"({"input":{"p0":[0,0,0],"p1":[2,0,0],"q0":[1,1,-1],"q1":[1,1,"1"]}})"
                             "\n";

TEST_F(VectorsCommand, AddsACaseWithTheTruth) {
  auto const added =
      run("demeter vectors --add segment_distance --regime lattice --source 'a test' --flag Lattice,KnownBug "
          "--comment 'middle to middle'",
          one_case);
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_EQ(added.out, "oracles/vectors/segment_distance.jsonl: 1 added, 1 in all\n");
  EXPECT_EQ(
      file(segments()),
      R"({"id":1,"kernel":"segment_distance","regime":"lattice","input":{"p0":[0,0,0],"p1":[2,0,0],"q0":[1,1,-1],)"
      R"("q1":[1,1,1]},"expected":{"distance":"1","s":"5e-1","t":"5e-1"},"flags":["KnownBug","Lattice"],)"
      R"("source":"a test","comment":"middle to middle"})"
      "\n");
  EXPECT_EQ(run("demeter vectors --check segment_distance --directory oracles/vectors").code, 0);
  auto const twice = run("demeter vectors --add segment_distance --regime lattice --source 'a test'", one_case);
  EXPECT_EQ(twice.code, 3);
  EXPECT_EQ(twice.err, "demeter vectors: line 1: the same input as vector 1; nothing was added\n");
}

/// Returns the number of vectors of a kernel that take at most a few seconds.
std::size_t affordable(Kernel const& kernel) {
  std::size_t const all = vectors_of(kernel).notes.size();
  return kernel.case_divisor < 4 ? all : std::min<std::size_t>(all, 4);
}

std::string first_vectors(Kernel const& kernel) {
  return "demeter vectors " + kernel.name + " | head -n " + std::to_string(affordable(kernel));
}

TEST_F(VectorsCommand, AddingVectorsAgainChangesNothing_long) {
  for (auto const& kernel : kernels()) {
    auto const added = run(first_vectors(kernel) + " | demeter vectors --add " + kernel.name);
    EXPECT_EQ(added.code, 0) << added.err;
    auto const lines = lines_of(vectors_text(kernel));
    std::string expected;
    for (std::size_t i = 0; i < affordable(kernel); ++i) expected += std::string(lines[i]) + "\n";
    EXPECT_EQ(file(kernel), expected) << kernel.name;
  }
}

TEST_F(VectorsCommand, OneInvalidLineMeansThatNoVectorIsAdded) {
  struct Wrong {
    std::string options, input;
    int code;
    char const* reason;
  };
  std::string const good = one_case;
  for (auto const& [options, input, code, reason] : std::vector<Wrong>{
           {"segment_distance --regime typical", good, 3,
            "line 1: source: missing, expected --source or a \"source\" in the line"},
           {"segment_distance --source x", good, 3,
            "line 1: regime: missing, expected --regime or a \"regime\" in the line"},
           {"segment_distance --source x --regime usual", good, 3, "line 1: unknown regime \"usual\""},
           {"segment_distance --source x --regime typical --flag Nonsense", good, 2, "unknown flag \"Nonsense\""},
           {"segment_distance --source x --regime typical", "", 3, "no cases on standard input"},
           {"segment_distance --source x --regime typical", good + "{}\n", 3, "line 2: missing key \"input\""},
           {"segment_distance --source x --regime typical", good + good, 3, "line 2: the same input as vector 1"},
           {"segment_distance --source x --regime typical", good + "nonsense\n", 3, "line 2: expected a JSON object"},
           {"capsule_mass_properties --source x --regime typical", R"({"input":{"radius":-1,"shaft":1,"density":1}})",
            3, "line 1: radius: got -1, expected > 0"},
           {"--source x --regime typical", good, 2, "exactly one kernel"},
           {"segment_distance --source x --regime typical --directory nowhere", good, 2,
            "nowhere/segment_distance.jsonl"},
       }) {
    auto const ran = run("demeter vectors --add " + options, input);
    EXPECT_EQ(ran.code, code) << options << "\n" << ran.err;
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
    EXPECT_NE(ran.err.find(reason), std::string::npos) << ran.err;
    EXPECT_EQ(file(segments()), "");
  }
}

TEST_F(VectorsCommand, CheckReportsFileAndLineOfAMistake) {
  EXPECT_EQ(run("demeter vectors --check segment_distance").code, 0);
  auto const line = line_about(segments(), "godot#55383");
  put("oracles/vectors/segment_distance.jsonl", replaced(line, "2.98879", "2.98878") + "\n");
  auto const ran = run("demeter vectors --check --directory oracles/vectors");
  EXPECT_EQ(ran.code, 1);
  std::string const wrong = "oracles/vectors/segment_distance.jsonl: line 1: expected.distance: 2.98878";
  EXPECT_NE(ran.out.find(wrong), std::string::npos) << ran.out;
  EXPECT_EQ(ran.err.rfind("demeter vectors: " + wrong, 0), 0u) << ran.err;
  EXPECT_EQ(lines_of(ran.err).size(), 1u);
}

TEST_F(VectorsCommand, VectorsCanBePipedThroughEvaluateAndVerify) {
  for (auto const& kernel : kernels()) {
    for (auto const* implementation : {"fast", "reference"}) {
      auto const ran = run(first_vectors(kernel) + " | demeter evaluate " + kernel.name + " --implementation " +
                           implementation + " | demeter verify " + kernel.name);
      EXPECT_EQ(ran.code, 0) << kernel.name << " " << ran.err;
      auto const count = std::to_string(affordable(kernel));
      EXPECT_EQ(ran.out.rfind(kernel.name + ": " + count + " answers, " + count + " pass, 0 fail", 0), 0u) << ran.out;
    }
  }
}

TEST_F(VectorsCommand, CasesFoundByASearchCanBeAdded) {
  for (auto const* search : {"capsule_mass_properties --search documented --output volume --count 50 --rounds 5",
                             "capsule_mass_properties --hard-to-round --count 50 --regime typical"}) {
    auto const ran =
        run(std::string("demeter vectors ") + search + " --seed 5 | demeter vectors --add capsule_mass_properties");
    EXPECT_EQ(ran.code, 0) << ran.err;
  }
  auto const lines = lines_of(file(capsules()));
  EXPECT_GE(lines.size(), 12u);
  EXPECT_NE(lines.front().find("search: largest error of documented@double, seed 5"), std::string::npos);
  EXPECT_EQ(run("demeter vectors --check capsule_mass_properties --directory oracles/vectors").code, 0);
}

TEST_F(VectorsCommand, PrintsTheSelectedVectors) {
  auto const all = run("demeter vectors segment_distance --flag KnownBug --regime parallel");
  EXPECT_EQ(all.code, 0);
  for (auto const& line : lines_of(all.out)) {
    EXPECT_NE(line.find("\"regime\":\"parallel\""), std::string::npos);
    EXPECT_NE(line.find("\"KnownBug\""), std::string::npos);
  }
  EXPECT_GE(lines_of(all.out).size(), 4u);
  EXPECT_EQ(run("demeter vectors --flag Nonsense").code, 2);
  EXPECT_EQ(run("demeter vectors --regime nonsense").code, 2);
  EXPECT_EQ(run("demeter vectors --check --add segment_distance").code, 2);
  EXPECT_NE(run("demeter vectors --list").out.find(" in all\n"), std::string::npos);
  EXPECT_NE(run("demeter vectors --flags").out.find("NotUnique (set by the tool)"), std::string::npos);
}

}  // namespace vectors_test
}  // namespace demeter
