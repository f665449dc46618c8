// Tests the records of results.json. Written records must be read back, mistakes must be reported in one line, and the
// published schema must agree with the records.
#include "base/files.hpp"
#include "reports/format/gzip.hpp"
#include "reports/format/members.hpp"
#include "reports/format/model.hpp"
#include "reports/format/parse.hpp"
#include "tests/core/command.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

namespace demeter {
namespace results_test {

using report::Json, report::Mistakes, report::Number;

// ------------------------------------------------------------------------------------------------------------- records

struct Part {
  std::string name;
  std::int64_t count = 0;

  static report::Members members() {
    return {"part",
            "a part",
            {report::always("name", &Part::name, "its name"), report::if_any("count", &Part::count, "how many")}};
  }
};

struct Whole {
  std::string text;
  bool flag = false;
  std::uint64_t id = 0;
  double number = 0;
  Number maybe;
  std::optional<Part> part;
  Part within;
  std::vector<double> lengths;
  std::vector<Part> parts;
  report::ByName<Number> named, others;
  report::KernelJson input;

  static report::Members members() {
    using namespace report;
    return {"whole",
            "one of each kind",
            {one_of({"one", "two"}, always("text", &Whole::text, "a text")), always("flag", &Whole::flag, "a flag"),
             always("id", &Whole::id, "an id"), always("number", &Whole::number, "a number"),
             if_any("maybe", &Whole::maybe, "perhaps a number"), or_null("part", &Whole::part, "perhaps a part"),
             inlined(&Whole::within), above_zero(always("lengths", &Whole::lengths, "above 0")),
             always("parts", &Whole::parts, "parts"), always("named", &Whole::named, "by name"),
             always("input", &Whole::input, "a case"), other_keys(&Whole::others, "everything else")}};
  }
};

Whole example() {
  return {"two",
          true,
          18'446'744'073'709'551'615U,
          0.1,
          std::numeric_limits<double>::infinity(),
          Part{"inner", 3},
          {"outer", 0},
          {0.3, 5e-324},
          {{"a", 1}, {"b", 999'999'999'999'999}},
          {{{"x", 1.5}, {"y", std::nullopt}}},
          {{{"more", -0.0}}},
          Json{{"z", Json::array({1, 2})}}};
}

TEST(Records, AreWrittenInTheOrderOfTheirFields) {
  EXPECT_EQ(report::write(example()).dump(),
            R"({"text":"two","flag":true,"id":18446744073709551615,"number":0.1,"maybe":"inf",)"
            R"("part":{"name":"inner","count":3},"name":"outer","lengths":[0.3,5e-324],)"
            R"("parts":[{"name":"a","count":1},{"name":"b","count":999999999999999}],)"
            R"("named":{"x":1.5,"y":null},"input":{"z":[1,2]},"more":-0.0})");
  EXPECT_EQ(report::write(Part{"p", 0}).dump(), R"({"name":"p"})") << "what is empty is left out";
}

TEST(Records, AreReadBackToTheBit) {
  Json const written = report::write(example());
  Mistakes mistakes;
  auto const again = report::read<Whole>(Json::parse(written.dump()), mistakes);
  EXPECT_EQ(mistakes.count, 0u);
  EXPECT_EQ(report::write(again), written);
  EXPECT_TRUE(std::signbit(*again.others.entries[0].second));
  EXPECT_EQ(again.id, 18'446'744'073'709'551'615U);
}

TEST(Records, EachMistakeIsReportedInOneLineAndTheRestIsRead) {
  Json const good = report::write(example());
  struct Wrong {
    char const *where, *instead, *told;
  };
  for (Wrong const& each : std::initializer_list<Wrong>{
           {"/text", "\"three\"", "text: expected \"one\" or \"two\", found \"three\""},
           {"/text", "1", "text: expected a string, found 1"},
           {"/flag", "null", "flag: expected true or false, found null"},
           {"/id", "-1", "id: expected a whole number, found -1"},
           {"/id", "1.5", "id: expected a whole number, found 1.5"},
           {"/number", "\"1.5\"", "number: expected a number, found \"1.5\""},
           {"/maybe", "null", "maybe: expected a number, found null"},
           {"/part", "[]", "part: expected an object, found an empty array"},
           {"/part/count", "1000000000000000", "part.count: expected a count, found 1000000000000000"},
           {"/part/name", "{}", "part.name: expected a string, found an object"},
           {"/name", "true", "name: expected a string, found true"},
           {"/lengths/1", "0", "lengths[1]: expected a number above 0, found 0"},
           {"/lengths/1", "\"inf\"", "lengths[1]: expected a number above 0, found \"inf\""},
           {"/parts", "\"a\"", "parts: expected an array, found \"a\""},
           {"/parts/1/count", "-3", "parts[1].count: expected a count, found -3"},
           {"/named/y", "\"\"", "named.y: expected a number, found \"\""},
           {"/more", "[1]", "more: expected a number, found an array"},
           {"/input", "7", "input: expected an object, found 7"}}) {
    Json json = good;
    json[Json::json_pointer(each.where)] = Json::parse(each.instead);
    Mistakes mistakes;
    auto const kept = report::read<Whole>(json, mistakes);
    ASSERT_EQ(mistakes.count, 1u) << each.told;
    EXPECT_EQ(mistakes.first[0].text(), each.told);
    EXPECT_EQ(kept.named.entries.size(), 2u) << each.told;
    EXPECT_EQ(kept.parts.size(), std::string(each.where) == "/parts" ? 0u : 2u) << each.told;
  }
  for (char const* key : {"text", "flag", "id", "number", "part", "name", "lengths", "parts", "named", "input"}) {
    Json json = good;
    json.erase(key);
    Mistakes mistakes;
    report::read<Whole>(json, mistakes);
    ASSERT_EQ(mistakes.count, 1u) << key;
    EXPECT_EQ(mistakes.first[0].text().find(std::string(key) + ": missing; expected "), 0u) << mistakes.first[0].text();
  }
  Mistakes mistakes;
  report::read<Whole>(Json(3), mistakes, "here");
  EXPECT_EQ(mistakes.first[0].text(), "here: expected an object, found 3");
}

TEST(Records, OnlyTheFirstMistakesAreKept) {
  Json json = report::write(example());
  json["lengths"] = Json(10'000, "long");
  Mistakes mistakes;
  report::read<Whole>(json, mistakes);
  EXPECT_EQ(mistakes.count, 10'000u);
  EXPECT_EQ(mistakes.first.size(), Mistakes::most);
}

// ---------------------------------------------------------------------------------------------------------------- gzip

std::string problem_of(std::string const& file, std::size_t most = report::most_unpacked) {
  std::string why;
  EXPECT_FALSE(report::gunzip(file, why, most));
  return why;
}

TEST(Gzip, UnpackingReturnsThePackedText) {
  std::string noise;
  for (std::uint32_t i = 0, state = 1; i < 1'000'000; ++i) {
    state = state * 1'664'525U + 1'013'904'223U;
    noise += static_cast<char>(state >> 24);
  }
  for (std::string const& text : {std::string(), std::string("{}\n"), noise, std::string(3'000'000, 'x')}) {
    std::string why;
    EXPECT_TRUE(report::gunzip(report::gzip(text), why) == text) << text.size() << " bytes: " << why;
    EXPECT_TRUE(report::gunzip(report::gzip(text) + report::gzip("end"), why) == text + "end") << why;
  }
}

TEST(Gzip, PackedFilesHaveNoTimeAndNoName) {
  std::string const file = report::gzip("{}");
  EXPECT_EQ(file.substr(0, 8), std::string("\x1f\x8b\x08\x10\0\0\0\0", 8)) << "method 8, a comment, time 0";
  EXPECT_EQ(file.substr(10, output_mark.size()), output_mark);
}

TEST(Gzip, ReportsEveryTruncationAndEveryChangedByte) {
  std::string const file = report::gzip(R"({"kernels":[]})");
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_TRUE(problem_of(file.substr(0, size)).starts_with("truncated gzip data: it ends after ")) << size;
  for (std::size_t at = 0; at < file.size(); ++at) {
    if (at >= 4 && at < 10 + output_mark.size())
      continue;  // these bytes are the time, the level, the system and the
                 // comment
    std::string changed = file;
    changed[at] = static_cast<char>(~changed[at]);
    EXPECT_NE(problem_of(changed), "") << "byte " << at;
  }
  EXPECT_EQ(problem_of(file + "more"), "corrupt gzip data after 14 bytes of text: incorrect header check");
}

TEST(Gzip, UnpackingStopsAtTheLimitOfSize) {
  std::string const file = report::gzip(std::string(std::size_t{20} << 20, 'x'));
  EXPECT_LT(file.size(), 30'000U);
  EXPECT_EQ(problem_of(file, std::size_t{4} << 20), "gzip data: got more than 4 MiB of text, expected less");
}

TEST(Gzip, FilesThatAreNotCompressedAreReturnedUnchanged) {
  std::string why;
  for (std::string const& text : {std::string("{}"), std::string(), std::string("\x1f")})
    EXPECT_EQ(report::unpacked(text, why), text);
  EXPECT_EQ(report::unpacked(report::gzip("{}"), why), "{}");
}

// -------------------------------------------------------------------------------------------------------------- schema

fs::path schema_file() { return fs::path(DEMETER_SOURCE) / "docs/results.schema.json"; }

TEST(Results, ThePublishedSchemaAgreesWithTheRecords) {
  EXPECT_TRUE(read_file(schema_file()) == report::schema_text())
      << "demeter report --schema > docs/results.schema.json";
}

class ResultsCommand : public CommandTest {
 protected:
  /// Validates a file against the definition `name` of the published schema, with Debian's python3-jsonschema. Returns
  /// the exit code.
  int validate(std::string const& file, std::string const& name) {
    std::ofstream(folder / "validate.py") << R"(
import json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[1]))
Draft202012Validator.check_schema(schema)
document = json.load(open(sys.argv[2]))
if not Draft202012Validator(schema).is_valid(document): print("not by the whole schema")
del schema["anyOf"]
schema["$ref"] = "#/$defs/" + sys.argv[3]
for part in document if isinstance(document, list) else [document]:
    for error in Draft202012Validator(schema).iter_errors(part): sys.exit("%s: %s" % (list(error.path), error.message))
)";
    return run("python3 validate.py '" + schema_file().string() + "' " + file + " " + name + " >&2").code;
  }
  static bool can_validate() {
    return std::system("python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null") == 0;
  }
  /// Expects that the records contain every key of the printed JSON.
  template <class Value>
  void expect_nothing_is_lost(std::string const& file) {
    Json const json = Json::parse(read_file(folder / file));
    Mistakes mistakes;
    auto const read = report::read<Value>(json, mistakes);
    EXPECT_EQ(mistakes.count, 0u) << file << ": " << mistakes.first.front().text();
    EXPECT_EQ(report::write(read), json) << file;
  }
};

TEST_F(ResultsCommand, AllJsonOutputFollowsTheSchema_long) {
  ASSERT_EQ(run("demeter list segment_distance --json > list.json").code, 0);
  ASSERT_EQ(
      run("demeter check segment_distance --subject documented,fast --count 50 --budget 0.001 --json > check.json")
          .code,
      1);
  ASSERT_EQ(run("demeter check capsule_mass_properties --mutants --json > mutants.json").code, 0);
  ASSERT_EQ(run("demeter check capsule_mass_properties --ladder --count 5 --json > ladder.json").code, 0);
  ASSERT_EQ(run("demeter continuity capsule_contact --subject documented --paths 40 --json > jumps.json").code, 1);
  ASSERT_EQ(run("demeter report --kernel capsule_mass_properties --count 20 --out site").code, 0);
  ASSERT_EQ(run("gzip -dc site/results.json.gz >results.json").code, 0);
  expect_nothing_is_lost<report::Listing>("list.json");
  expect_nothing_is_lost<std::vector<report::Kernel>>("check.json");
  expect_nothing_is_lost<std::vector<report::MutationOfKernel>>("mutants.json");
  expect_nothing_is_lost<std::vector<report::LadderOfKernel>>("ladder.json");
  expect_nothing_is_lost<std::vector<report::Continuity>>("jumps.json");
  expect_nothing_is_lost<report::Results>("results.json");
  if (!can_validate()) GTEST_SKIP() << "python3-jsonschema is not installed";
  EXPECT_EQ(validate("list.json", "listing"), 0);
  EXPECT_EQ(validate("check.json", "kernel"), 0);
  EXPECT_EQ(validate("mutants.json", "mutation_of_kernel"), 0);
  EXPECT_EQ(validate("ladder.json", "ladder_of_kernel"), 0);
  EXPECT_EQ(validate("jumps.json", "continuity"), 0);
  EXPECT_EQ(validate("results.json", "results"), 0);
  std::string wrong = read_file(folder / "results.json");
  auto const at = wrong.find("\"judged\"");
  ASSERT_NE(at, std::string::npos);
  wrong.replace(at, 8, "\"judge\"");
  std::ofstream(folder / "wrong.json") << wrong;
  EXPECT_NE(validate("wrong.json", "results"), 0);
}

TEST_F(ResultsCommand, ResultsOfAnotherSchemaAreReportedInOneLine) {
  std::ofstream(folder / "old.json") << R"({"schema":9,"kernels":[]})";
  for (char const* command : {"demeter report --from old.json --out site", "demeter compare old.json old.json"}) {
    auto const ran = run(command);
    EXPECT_EQ(ran.code, 3) << command;
    EXPECT_NE(ran.err.find("old.json: schema: got 9, expected 1: results of another version of demeter\n"),
              std::string::npos)
        << ran.err;
  }
}

TEST_F(ResultsCommand, CompressedAndPlainFilesGiveTheSameResults) {
  ASSERT_EQ(run("demeter check capsule_mass_properties --subject fast --count 300 --json >plain").code, 0);
  ASSERT_EQ(run("gzip -c plain >compressed; cp plain named.gz").code, 0);
  for (char const* file : {"plain", "compressed", "named.gz"}) {
    auto const compared = run(std::string("demeter compare plain ") + file);
    EXPECT_EQ(compared.code, 0) << file << ": " << compared.err;
    EXPECT_TRUE(contains(compared.out, " 0 regressions, 0 gone, 0 better, 0 new")) << compared.out;
  }
  std::ofstream(folder / "results.json") << R"({"schema":1,"kernels":[]})";
  ASSERT_EQ(run("demeter report --from results.json --out site").code, 0);
  ASSERT_EQ(run("demeter report --from site/results.json.gz --out again").code, 0);
  EXPECT_TRUE(read_file(folder / "again/results.json.gz") == read_file(folder / "site/results.json.gz"));
}

TEST_F(ResultsCommand, DamagedFilesAreReportedInOneLineEach) {
  std::string const good = report::gzip(R"({"schema":1,"kernels":[]})");
  std::string const blanks = report::gzip(std::string(std::size_t{16} << 20, ' '));
  std::string bomb;  // 320 MiB of text after unpacking
  for (int i = 0; i < 20; ++i) bomb += blanks;
  struct Damaged {
    char const* name;
    std::string bytes;
    char const* problem;
  };
  for (auto const& [name, bytes, problem] : std::initializer_list<Damaged>{
           {"truncated.json.gz", good.substr(0, good.size() / 2), "truncated gzip data: it ends after "},
           {"header.json.gz", good.substr(0, 2), "truncated gzip data: it ends after 0 bytes of text"},
           {"checksum.json.gz", good.substr(0, good.size() - 8) + std::string(8, 'x'), "incorrect data check"},
           {"empty.json.gz", "", "empty file, expected results as JSON"},
           {"of_nothing.json.gz", report::gzip(""), "empty file, expected results as JSON"},
           {"text.json.gz", "no results\n", "JSON"},
           {"bomb.json.gz", bomb, "gzip data: got more than 256 MiB of text, expected less"}}) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    std::ofstream(folder / "plain.json") << "[]";
    for (std::string const command : {"demeter report --out site --from ", "demeter compare "}) {
      auto const ran = run(command + name + (command == "demeter compare " ? " plain.json" : ""));
      EXPECT_EQ(ran.code, 3) << command << name;
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
      EXPECT_NE(ran.err.find(std::string(name) + ": "), std::string::npos) << ran.err;
      EXPECT_NE(ran.err.find(problem), std::string::npos) << ran.err;
    }
  }
}

TEST_F(ResultsCommand, TheSiteIsWrittenFromTheValidPartsAndMistakesAreReported) {
  std::ofstream(folder / "cut.json") << R"({"kernels":[{"name":"segment_distance","laws":7}]})";
  auto const ran = run("demeter report --from cut.json --out site");
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("cut.json: schema: missing; expected a whole number (and "), std::string::npos) << ran.err;
  EXPECT_TRUE(fs::exists(folder / "site/segment_distance.html"));
}

}  // namespace results_test
}  // namespace demeter
