// Tests lists, nulls and labels in the answers of libraries and programs.
#include "tests/outside/lists.hpp"

#include "check/check.hpp"
#include "kernels/lists.hpp"
#include "reports/format/describe.hpp"
#include "subjects/subjects.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace demeter::toy_lists {
namespace lists_test {

Kernel const& kernel() {
  static Kernel const made = make_kernel<Parts>();
  return made;
}

std::string library(std::string const& deed) {
  return "lib:" DEMETER_OUTSIDE_LIBRARIES "/" + (deed.empty() ? "lists" : "lists_" + deed) + ".so";
}
std::string program(std::string const& deed) {
  return "pipe:" DEMETER_PYTHON " " DEMETER_SOURCE "/tests/outside/lists.py " + deed;
}

Subject open(std::string const& what) {
  SubjectOptions options;
  options.time = std::chrono::minutes(2);  // long enough: one subject asks for more memory many times
  Opened opened = open_outside(what, options, {&kernel(), 1});
  EXPECT_EQ(opened.wrong, "");
  return opened.subject ? std::move(*opened.subject) : Subject{};
}

/// Returns cases with no point, with one point, and with several points. The last case is the one in which the subjects
/// misbehave.
Table cases() {
  Table table(kernel().input);
  append(table, Input<double>{0, {}});
  append(table, Input<double>{1, {{0, 1, 2}}});
  append(table, Input<double>{0, {{-2, 1, 2}, {-1, 5, 4}, {0, -8, 9}}});
  append(table, Input<double>{3, {{0, 1, 2}, {5, 3, 4}, {-1, 5, 6}, {9, 7, 8}}});
  return table;
}
constexpr std::size_t culprit = 3;

struct Verdicts {
  Answers answers;
  std::vector<std::vector<Judged>> judged;  ///< the verdicts of each row
};

Verdicts ask(std::string const& what) {
  Subject const subject = open(what);
  Verdicts result;
  if (subject.find("toy_lists") == nullptr) {
    ADD_FAILURE() << what;
    return result;
  }
  Table const asked = cases();
  answer(subject, kernel(), asked, result.answers);
  Truths const truths = kernel().truths(asked);
  for (std::size_t row = 0; row < asked.rows; ++row) {
    result.judged.emplace_back(kernel().budgets.size());
    kernel().judge(asked, truths, row, result.answers, row, {}, result.judged.back());
  }
  return result;
}

std::string verdict(Answers const& answers, std::size_t row) {
  auto const message = answers.message.find(row);
  return std::string(labels(Status{})[static_cast<std::size_t>(answers.status.at(row))]) +
         (message == answers.message.end() ? "" : ": " + message->second);
}

/// Returns the names of the outputs of a row that are wrong or missing.
std::set<std::string> wrong(std::vector<Judged> const& judged) {
  std::set<std::string> names;
  for (std::size_t k = 0; k < judged.size(); ++k)
    if (!judged[k].computed || judged[k].verdict != Verdict::pass)
      names.insert(std::string(kernel().budgets[k].output));
  return names;
}

void expect_right(Verdicts const& verdicts, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    EXPECT_EQ(verdict(verdicts.answers, row), "answered") << row;
    EXPECT_EQ(wrong(verdicts.judged.at(row)), std::set<std::string>{}) << row;
  }
}

TEST(Lists, LibrariesAndProgramsCanAnswerWithLists) {
  std::string const libraries = "lib:" DEMETER_OUTSIDE_LIBRARIES;
  for (std::string const& what :
       {library(""), program(""), libraries + "/adapter_c.so", libraries + "/adapter_cpp.so",
        std::string("pipe:" DEMETER_PYTHON " " DEMETER_SOURCE "/subjects/adapters/adapter.py")}) {
    expect_right(ask(what), cases().rows);
    Subject const subject = open(what);
    CheckOptions options;
    options.cases = 500;
    options.law_cases = 100;
    auto const result = check(kernel(), {&subject}, options);
    EXPECT_TRUE(result[0].passed()) << what;
    ASSERT_EQ(result[0].accuracy.size(), kernel().budgets.size());
    for (auto const& cell : result[0].accuracy) EXPECT_EQ(cell.judged, 500u) << what;
    EXPECT_EQ(result[0].laws[0].applicable, 100u);
  }
  std::ifstream file(DEMETER_SOURCE "/tests/outside/lists.c");
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  EXPECT_LE(lines, 40u) << "three lists, nulls and a label in so few lines of C";
}

TEST(Lists, AWrongListFailsInItsOutput) {
  for (auto const& [deed, output] : std::vector<std::pair<std::string, std::string>>{{"element", "doubled"},
                                                                                     {"record", "steps"},
                                                                                     {"short", "steps"},
                                                                                     {"long", "steps"},
                                                                                     {"no_null", "signs"},
                                                                                     {"null", "signs"},
                                                                                     {"null_number", "highest"},
                                                                                     {"label", "order"},
                                                                                     {"law", "steps"}})
    for (std::string const& what : {library(deed), program(deed)}) {
      auto const verdicts = ask(what);
      expect_right(verdicts, culprit);
      EXPECT_EQ(verdict(verdicts.answers, culprit), "answered") << what;
      EXPECT_EQ(wrong(verdicts.judged[culprit]), std::set<std::string>{output}) << what;
    }
}

TEST(Lists, ADefectIsShrunkAndTheBrokenLawIsReported) {
  for (std::string const& what : {library("law"), program("law")}) {
    Subject const subject = open(what);
    Kernel at_limit_3 = kernel();
    at_limit_3.draw = [](std::size_t, std::uint64_t, std::uint64_t id, Sizes const&, Table& into) {
      Input<double> in{3, {{0, 1, 2}, {-1, 5, 6}, {9, 7, 8}}};
      if (id % 2 == 0) in.limit = 1;
      append(into, in);
    };
    CheckOptions options;
    options.cases = options.law_cases = 20;
    auto const result = check(at_limit_3, {&subject}, options);
    ASSERT_EQ(result[0].failures.size(), 1u) << what;
    EXPECT_EQ(kernel().budgets[result[0].failures[0].budget].output, "steps");
    EXPECT_EQ(load<Input<double>>(result[0].failures[0].example.input, 0).points.size(), 2u) << "shrunk";
    EXPECT_GT(result[0].laws[0].broken, 0u) << what;
  }
}

TEST(Lists, MalformedListsAreReportedAndOtherCasesAreAnswered) {
  for (auto const& [what, expected] : std::vector<std::pair<std::string, std::string>>{
           {library("given"), "malformed: doubled: a list of 3, expected 4, as long as points"},
           {program("given_short"), "malformed: doubled: a list of 3, expected 4, as long as points"},
           {program("given_long"), "malformed: signs: a list of 5, expected 4, as long as points"},
           {program("given_none"), "malformed: doubled: a list of 0, expected 4, as long as points"},
           {program("no_list"), "malformed: output.doubled: expected an array"},
           {program("null_record"), "malformed: output.steps[0]: expected an object"},
           {program("half_record"), "malformed: output.steps[0]: missing key \"height\""},
           {library("presence"), "malformed: column 9, signs?, holds 3, expected 0 null, 1 a value"},
           {library("no_label"), "malformed: column 0, order, holds 3, expected 0 none, 1 rising, 2 mixed"},
           {program("no_label"), "malformed: output.order: \"falling\" is not one of \"none\", \"rising\", \"mixed\""},
           {library("first_offset"), "malformed: out[5], the offsets of steps: 1 at 0, expected 0"},
           {library("falling"), "malformed: out[5], the offsets of steps: -1 at 1, expected a whole number from 0 to "},
           {library("fraction"), "malformed: out[5], the offsets of steps: 1.5 at 1, expected a whole number from 0"},
           {library("nan_offset"), "malformed: out[5], the offsets of steps: nan at 1, expected a whole number from 0"},
           {library("no_offset"), "malformed: out[5], the offsets of steps: nothing at 1, expected a whole number"},
           {library("beyond"), "malformed: out[5], the offsets of steps: "},
           {library("write_beyond"), "malformed: wrote outside the column out[6]"},
           {library("hole"), "malformed: doubled[3]: left out, expected the whole list or nothing of it"},
           {library("greedy"), "malformed: list too long: needs room for more than 16777216 elements"},
           {library("refuse"), "unsupported: returned 5"},
           {library("crash"), "crash: signal 6 (SIGABRT)"},
           {program("crash"), "crash: exit code 3"}}) {
    auto const verdicts = ask(what);
    expect_right(verdicts, culprit);
    EXPECT_EQ(verdict(verdicts.answers, culprit).rfind(expected, 0), 0u) << what << verdict(verdicts.answers, culprit);
    EXPECT_EQ(verdict(verdicts.answers, culprit).find('\n'), std::string::npos) << what;
  }
}

TEST(Lists, ALibraryThatNeedsMoreRoomIsCalledAgain) { expect_right(ask(library("roomy")), cases().rows); }

TEST(Lists, ListsThatAreLeftOutAreNotJudged) {
  for (std::string const& what : {library("some"), program("some")}) {
    auto const verdicts = ask(what);
    for (std::size_t row = 0; row < cases().rows; ++row) {
      EXPECT_EQ(verdict(verdicts.answers, row), "answered") << what;
      bool const empty = row == 0 && what.starts_with("lib:");  // a list without cells counts as answered
      for (std::size_t k = 0; k < kernel().budgets.size(); ++k) {
        auto const& judged = verdicts.judged[row][k];
        auto const output = kernel().budgets[k].output;
        bool const given = output == "order" || output == "highest" || (empty && output != "steps");
        EXPECT_EQ(judged.computed, given) << what << row << output;
        EXPECT_EQ(judged.verdict, Verdict::pass) << what << row << output;
      }
    }
    Subject const subject = open(what);
    CheckOptions options;
    options.cases = options.law_cases = 100;
    EXPECT_EQ(check(kernel(), {&subject}, options)[0].laws[0].applicable, 0u) << "its list is not answered";
  }
}

TEST(Lists, TheShapeOfAListIsDescribed) {
  auto const& outputs = kernel().output.root.children;
  EXPECT_EQ(shape_of(outputs[1]), "list of 3 numbers, as long as points");
  EXPECT_EQ(shape_of(outputs[2]), "list of records");
  EXPECT_EQ(shape_of(outputs[3]), "list of number or null, as long as points");
}

TEST(Lists, SubjectsThatAnswerWithListsCanBeTimed) {
  Table many(kernel().input);
  for (std::uint64_t id = 0; id < 200; ++id) kernel().generate(0, 1, id, many);
  for (std::string const& what : {library(""), library("roomy"), program("")}) {
    Subject const subject = open(what);
    auto const timed = subject.find("toy_lists")->timed;
    if (what.starts_with("pipe:")) {
      timed(many)();
      continue;
    }
    IsolatedTimer timer([&] { return timed(many); }, subject.limits);
    auto const passes = timer.run(3);
    EXPECT_EQ(passes.status, Status::answered) << passes.message;
    EXPECT_GT(passes.seconds, 0) << what;
  }
}

// ------------------------------------------------------------------------------------------------ columns of any shape

struct Leaf {
  std::optional<double> size;
  std::vector<double> veins;
  static constexpr auto fields() {
    return std::tuple{field("size", &Leaf::size, "", ""), field("veins", &Leaf::veins, "", "")};
  }
};
struct Twig {
  std::vector<double> buds;
  static constexpr auto fields() { return std::tuple{field("buds", &Twig::buds, "", "")}; }
};
struct Tree {
  std::vector<Leaf> leaves;
  std::vector<std::vector<double>> rings;
  static constexpr auto fields() {
    return std::tuple{field("leaves", &Tree::leaves, "", "", as_long_as("buds")), field("rings", &Tree::rings, "", "")};
  }
};

TEST(Lists, NestedListsHaveTheirOwnOffsetsAndRoom) {
  Schema const input = schema_of<Twig>(), output = schema_of<Tree>();
  EXPECT_TRUE(has_free_lists(output));
  Table cases(input);
  append(cases, Twig{{1, 2}});
  append(cases, Twig{{}});
  append(cases, Twig{{3}});
  // The columns are: offsets of leaves; presence and number of size; offsets and numbers of veins; outer offsets, inner
  // offsets and numbers of rings.
  auto const blank = [&] { return blank_outputs(input, output, cases, 10); };
  std::vector<std::size_t> sizes;
  for (auto const& column : blank().columns) sizes.push_back(column.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{4, 3, 3, 4, 10, 4, 11, 10}));
  EXPECT_EQ(blank().columns[0], (std::vector<double>{0, 2, 2, 3}));
  EXPECT_EQ(blank().columns[1], (std::vector<double>{1, 1, 1}));

  Table answers = blank();
  auto const put = [&](std::size_t column, std::vector<double> const& cells) {
    std::copy(cells.begin(), cells.end(), answers.columns[column].begin());
  };
  put(1, {1, 0, 1});
  put(2, {7, 0, 9});
  put(3, {0, 1, 1, 3});
  put(4, {4, 5, 6});
  put(5, {0, 1, 3, 3});
  put(6, {0, 2, 2, 3});
  put(7, {1, 2, 3});
  ASSERT_EQ(settle_outputs(input, output, cases, 10, answers), std::nullopt);
  auto const first = load<Tree>(answers, 0), second = load<Tree>(answers, 1), third = load<Tree>(answers, 2);
  EXPECT_EQ(first.rings, (std::vector<std::vector<double>>{{1, 2}}));
  EXPECT_EQ(second.rings, (std::vector<std::vector<double>>{{}, {3}}));
  EXPECT_TRUE(third.rings.empty() && second.leaves.empty());
  EXPECT_EQ(first.leaves[0].size, 7);
  EXPECT_EQ(first.leaves[1].size, std::nullopt);
  EXPECT_EQ(third.leaves[0].veins, (std::vector<double>{5, 6}));

  answers = blank();
  ASSERT_EQ(settle_outputs(input, output, cases, 10, answers), std::nullopt) << "nothing is computed";
  for (std::size_t row = 0; row < 3; ++row)
    EXPECT_EQ(is_computed(output.root, answers, row), row == 1) << "but an empty list";
  answers = blank();
  put(5, {0, 1, 3, 3});
  put(6, {0, 2, 1, 3});
  EXPECT_EQ(settle_outputs(input, output, cases, 10, answers),
            "out[6], the offsets of rings: 1 at 2, expected a whole number from 2 to 10, the room");
}

TEST(Lists, AnOutputListMayOnlyHaveTheLengthOfAnInputList) {
  EXPECT_TRUE((lengths_are_known<Twig, Tree>()));
  EXPECT_FALSE((lengths_are_known<Leaf, Tree>())) << "no buds";
  EXPECT_FALSE((lengths_are_known<Tree, Twig>())) << "an input has the lengths it has";
  EXPECT_TRUE((lengths_are_known<Input<double>, Output<double>>()));
}

}  // namespace lists_test
}  // namespace demeter::toy_lists
