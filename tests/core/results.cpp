// The records of results.json: what is written is read again, mistakes are told in one line, and the published schema
// is what the records say.
#include "reports/format/columns.hpp"
#include "reports/format/model.hpp"
#include "reports/format/parse.hpp"
#include "tests/core/command.hpp"

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

  static report::Fields fields() {
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
  Json input;

  static report::Fields fields() {
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
          {{"z", Json::array({1, 2})}}};
}

TEST(Records, AreWrittenInTheOrderOfTheirFields) {
  EXPECT_EQ(report::write(example()).dump(),
            R"({"text":"two","flag":true,"id":18446744073709551615,"number":0.1,"maybe":"inf",)"
            R"("part":{"name":"inner","count":3},"name":"outer","lengths":[0.3,5e-324],)"
            R"("parts":[{"name":"a","count":1},{"name":"b","count":999999999999999}],)"
            R"("named":{"x":1.5,"y":null},"input":{"z":[1,2]},"more":-0.0})");
  EXPECT_EQ(report::write(Part{"p", 0}).dump(), R"({"name":"p"})") << "what is empty is left out";
}

TEST(Records, AreReadAgainToTheBit) {
  Json const written = report::write(example());
  Mistakes mistakes;
  auto const again = report::read<Whole>(Json::parse(written.dump()), mistakes);
  EXPECT_EQ(mistakes.count, 0u);
  EXPECT_EQ(report::write(again), written);
  EXPECT_TRUE(std::signbit(*again.others.entries[0].second));
  EXPECT_EQ(again.id, 18'446'744'073'709'551'615U);
}

TEST(Records, TellEveryMistakeInOneLineAndKeepTheRest) {
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

TEST(Records, AFileOfMistakesIsNotCopiedIntoTheMemory) {
  Json json = report::write(example());
  json["lengths"] = Json(10'000, "long");
  Mistakes mistakes;
  report::read<Whole>(json, mistakes);
  EXPECT_EQ(mistakes.count, 10'000u);
  EXPECT_EQ(mistakes.first.size(), Mistakes::most);
}

// ------------------------------------------------------------------------------------------------------------- columns

struct Table {
  std::vector<Part> parts;
  std::vector<Part> as_they_are;

  static report::Fields fields() {
    using namespace report;
    return {"table",
            "one list in columns and one that is not",
            {in_columns(always("parts", &Table::parts, "in columns")),
             always("as_they_are", &Table::as_they_are, "not in columns")}};
  }
};

TEST(Columns, SayWhatTheListSaid) {
  auto const& shape = report::shape_of<std::vector<Table>>();
  Json const list = report::write(std::vector{Table{{{"a", 1}, {"b", 0}, {"c", 3}}, {{"d", 4}}}, Table{}});
  Json const table = report::with_columns(shape, list);
  EXPECT_EQ(table.dump(), R"([{"parts":{"columns":["name","count"],"rows":[["a",1],["b",null],["c",3]]},)"
                          R"("as_they_are":[{"name":"d","count":4}]},{"parts":[],"as_they_are":[]}])");
  EXPECT_EQ(report::without_columns(shape, table), list);
  EXPECT_EQ(report::without_columns(shape, list), list);
}

TEST(Columns, KeepANullThatIsAValueAndAKeyThatALaterVersionAdds) {
  struct Row {
    Number error;
    std::optional<Part> part;
    static report::Fields fields() {
      return {"row",
              "a row",
              {report::always("error", &Row::error, "an error"), report::or_null("part", &Row::part, "a part")}};
    }
  };
  struct Rows {
    std::vector<Row> rows;
    static report::Fields fields() {
      return {"rows", "rows", {report::in_columns(report::always("rows", &Rows::rows, "rows"))}};
    }
  };
  auto const& shape = report::shape_of<Rows>();
  Json list = report::write(Rows{{{std::nullopt, Part{"p", 0}}, {0.5, std::nullopt}}});
  list["rows"][1]["new"] = 7;
  EXPECT_EQ(report::without_columns(shape, report::with_columns(shape, list)), list);
}

struct Held {
  std::string regime, output, measure;
  std::optional<Part> part;
  static report::Fields fields() {
    using namespace report;
    return {"held",
            "a row whose measure follows from its output",
            {always("regime", &Held::regime, "a regime"), always("output", &Held::output, "an output"),
             always("measure", &Held::measure, "that of the output"), or_null("part", &Held::part, "a part")}};
  }
};

struct Side {
  std::string name;
  std::vector<Held> rows;
  static report::Fields fields() {
    using namespace report;
    return {"side",
            "one of several that have much in common",
            {always("name", &Side::name, "its name"), in_columns(always("rows", &Side::rows, "rows"), "output")}};
  }
};

struct Sides {
  std::vector<Side> sides;
  static report::Fields fields() {
    return {"sides", "sides", {report::alike(report::always("sides", &Sides::sides, "sides"))}};
  }
};

Sides two_alike_and_another() {
  std::vector<Held> rows;
  for (char const* regime : {"typical", "parallel", "far"})
    for (char const* output : {"uN", "normal"})
      rows.push_back({regime, output, output[0] == 'u' ? "scale" : "condition", Part{"p", 0}});
  std::vector<Held> others = rows;
  others[3].measure = "other";
  others[4].part = Part{"q", 2};
  return {{{"a", rows}, {"b", others}, {"c", rows}}};
}

TEST(Columns, WhatFollowsFromOneOrIsLikeAnotherIsSaidOnce) {
  auto const& shape = report::shape_of<Sides>();
  Json const list = report::write(two_alike_and_another());
  Json const table = report::with_columns(shape, list);
  Json const& sides = table["sides"];
  EXPECT_EQ(
      sides[0]["rows"].dump(),
      R"({"columns":["regime","output"],"rows":[["typical","uN"],["typical","normal"],["parallel","uN"],)"
      R"(["parallel","normal"],["far","uN"],["far","normal"]],)"
      R"("with":{"columns":["output","measure","part"],"rows":[["uN","scale","p"],["normal","condition","p"]]}})");
  EXPECT_EQ(sides[1]["rows"]["columns"], Json({"regime", "output", "measure", "part"}));
  EXPECT_EQ(sides[1]["rows"]["rows"][4].dump(), R"(["far","uN","scale",{"name":"q","count":2}])");
  EXPECT_EQ(sides[2]["rows"].dump(), R"({"same_as":"a"})");
  Mistakes mistakes;
  Json const back = report::write(report::read<Sides>(report::without_columns(shape, table), mistakes));
  EXPECT_EQ(mistakes.count, 0u);
  EXPECT_EQ(back, list);
}

TEST(Columns, WhatRefersToNothingIsToldByTheReader) {
  auto const& shape = report::shape_of<Sides>();
  Json const good = report::with_columns(shape, report::write(two_alike_and_another()));
  auto const mistakes_with = [&](char const* path, Json const& value) {
    Json json = good;
    json[Json::json_pointer(path)] = value;
    Mistakes mistakes;
    report::read<Sides>(report::without_columns(shape, std::move(json)), mistakes);
    return mistakes.count == 0 ? "" : mistakes.first[0].text();
  };
  EXPECT_EQ(mistakes_with("/sides/2/rows/same_as", "a"), "");
  std::string const no_list = "sides[2].rows: expected an array, found an object";
  EXPECT_EQ(mistakes_with("/sides/2/rows/same_as", "nobody"), no_list);
  EXPECT_EQ(mistakes_with("/sides/2/rows/same_as", "c"), no_list);
  EXPECT_EQ(mistakes_with("/sides/2/rows/same_as", 3), no_list);
  std::string const none_of_first = "sides[0].rows: expected an array, found an object";
  EXPECT_EQ(mistakes_with("/sides/0/rows/with/rows/0/0", "uT"), none_of_first);
  EXPECT_EQ(mistakes_with("/sides/0/rows/with/columns/0", "part"), none_of_first);
  EXPECT_EQ(mistakes_with("/sides/0/rows/with/rows/0", Json({"uN"})), none_of_first);
  EXPECT_EQ(mistakes_with("/sides/0/rows/with", "nothing"), none_of_first);
}

TEST(Columns, AFileDoesNotGrowBeyondMeasureWhenItIsRead) {
  Json list = Json::array({{{"name", "0"}, {"rows", Json::array()}}});
  for (int i = 0; i < 1000; ++i) list[0]["rows"].push_back({{"regime", "typical"}});
  for (int i = 1; i < 1000; ++i) list.push_back({{"name", std::to_string(i)}, {"rows", {{"same_as", "0"}}}});
  EXPECT_LT(report::without_columns(report::shape_of<Sides>(), {{"sides", list}}).dump().size(), 1'000'000u);

  std::string const most(1'000'000, 'x');
  Json const table{{"columns", {"output"}},
                   {"rows", Json(1000, Json::array({"uN"}))},
                   {"with", {{"columns", {"output", "measure"}}, {"rows", Json::array({Json::array({"uN", most})})}}}};
  Json const sides{{"sides", Json::array({{{"name", "0"}, {"rows", table}}})}};
  EXPECT_LT(report::without_columns(report::shape_of<Sides>(), sides).dump().size(), 2'000'000u);
}

TEST(Columns, WhatIsNoTableIsToldByTheReader) {
  auto const& shape = report::shape_of<Table>();
  for (char const* text :
       {R"({"columns":["name"],"rows":[["a"],["b",1]]})", R"({"columns":["name"],"rows":["a"]})",
        R"({"columns":[1],"rows":[["a"]]})", R"({"columns":"name","rows":[]})", R"({"rows":[]})", R"({})", "3"}) {
    Json const json = report::without_columns(shape, {{"parts", Json::parse(text)}, {"as_they_are", Json::array()}});
    Mistakes mistakes;
    report::read<Table>(json, mistakes);
    ASSERT_EQ(mistakes.count, 1u) << text;
    EXPECT_EQ(mistakes.first[0].text().find("parts: expected an array, found "), 0u) << mistakes.first[0].text();
  }
}

// -------------------------------------------------------------------------------------------------------------- schema

fs::path schema_file() { return fs::path(DEMETER_SOURCE) / "docs/results.schema.json"; }

TEST(Results, ThePublishedSchemaIsWhatTheRecordsSay) {
  EXPECT_TRUE(read_file(schema_file()) == report::schema_text())
      << "demeter report --schema > docs/results.schema.json";
}

class ResultsCommand : public CommandTest {
 protected:
  /// Whether the definition `name` of the published schema takes what a file has; Debian's python3-jsonschema says.
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
  /// What is printed has no key that the records lack.
  template <class Value>
  void expect_nothing_is_lost(std::string const& file) {
    Json const json = report::without_columns(report::shape_of<Value>(), Json::parse(read_file(folder / file)));
    Mistakes mistakes;
    auto const read = report::read<Value>(json, mistakes);
    EXPECT_EQ(mistakes.count, 0u) << file << ": " << mistakes.first.front().text();
    EXPECT_EQ(report::write(read), json) << file;
  }
};

TEST_F(ResultsCommand, EverythingThatIsPrintedFollowsTheSchema_long) {
  ASSERT_EQ(run("demeter list segment_distance --json > list.json").code, 0);
  ASSERT_EQ(
      run("demeter check segment_distance --subject documented,fast --count 50 --budget 0.001 --json > check.json")
          .code,
      1);
  ASSERT_EQ(run("demeter check capsule_mass_properties --mutants --json > mutants.json").code, 0);
  ASSERT_EQ(run("demeter check capsule_mass_properties --ladder --count 5 --json > ladder.json").code, 0);
  ASSERT_EQ(run("demeter continuity capsule_contact --subject documented --paths 40 --json > jumps.json").code, 1);
  ASSERT_EQ(run("demeter report --kernel capsule_mass_properties --count 20 --out site").code, 0);
  expect_nothing_is_lost<report::Listing>("list.json");
  expect_nothing_is_lost<std::vector<report::Kernel>>("check.json");
  expect_nothing_is_lost<std::vector<report::MutationOfKernel>>("mutants.json");
  expect_nothing_is_lost<std::vector<report::LadderOfKernel>>("ladder.json");
  expect_nothing_is_lost<std::vector<report::Continuity>>("jumps.json");
  expect_nothing_is_lost<report::Results>("site/results.json");
  if (!can_validate()) GTEST_SKIP() << "python3-jsonschema is not installed";
  EXPECT_EQ(validate("list.json", "listing"), 0);
  EXPECT_EQ(validate("check.json", "kernel"), 0);
  EXPECT_EQ(validate("mutants.json", "mutation_of_kernel"), 0);
  EXPECT_EQ(validate("ladder.json", "ladder_of_kernel"), 0);
  EXPECT_EQ(validate("jumps.json", "continuity"), 0);
  EXPECT_EQ(validate("site/results.json", "results"), 0);
  std::string wrong = read_file(folder / "site/results.json");
  auto const at = wrong.find("\"judged\"");
  ASSERT_NE(at, std::string::npos);
  wrong.replace(at, 8, "\"judge\"");
  std::ofstream(folder / "wrong.json") << wrong;
  EXPECT_NE(validate("wrong.json", "results"), 0);
}

TEST_F(ResultsCommand, ResultsOfAnotherSchemaAreOneLine) {
  std::ofstream(folder / "old.json") << R"({"schema":9,"kernels":[]})";
  for (char const* command : {"demeter report --from old.json --out site", "demeter compare old.json old.json"}) {
    auto const ran = run(command);
    EXPECT_EQ(ran.code, 3) << command;
    EXPECT_NE(ran.err.find("old.json: schema: expected 4, found 9: results of another version of demeter\n"),
              std::string::npos)
        << ran.err;
  }
}

TEST_F(ResultsCommand, TheSiteIsDrawnOfWhatIsRightAndSaysWhatIsNot) {
  std::ofstream(folder / "cut.json") << R"({"kernels":[{"name":"segment_distance","laws":7}]})";
  auto const ran = run("demeter report --from cut.json --out site");
  EXPECT_EQ(ran.code, 0);
  EXPECT_NE(ran.err.find("cut.json: demeter: missing; expected an object (and "), std::string::npos) << ran.err;
  EXPECT_TRUE(fs::exists(folder / "site/segment_distance.html"));
}

}  // namespace results_test
}  // namespace demeter
