// Tests the partial answers that some codes give to contact kernels: only an overlap, only a status if there is no
// contact, no normal, or no status.
#include "check/check.hpp"
#include "kernels/json_lines.hpp"
#include "tests/core/kernel_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace demeter {
namespace contacts_test {

class ContactsOf : public testing::TestWithParam<std::string> {
 protected:
  Kernel const& kernel() const { return *find_kernel(GetParam()); }
  std::size_t place(std::string_view output) const {
    auto const& outputs = kernel().output.root.children;
    return static_cast<std::size_t>(
        std::find_if(outputs.begin(), outputs.end(), [&](Node const& each) { return each.name == output; }) -
        outputs.begin());
  }
  /// Returns a subject that gives the answers of the fast form, changed by `change(answers, row)`. The subject runs in
  /// a child process, like foreign code.
  template <class Change>
  Subject changed(Change change) const {
    Answering answering = *kernel().find("fast@scalar");
    answering.answer = [inner = answering.answer, change](Table const& cases, Answers& answers) {
      inner(cases, answers);
      for (std::size_t row = 0; row < cases.rows; ++row) change(answers.output, row);
    };
    return make_subject("changed", std::move(answering), Origin::peer);
  }
  void drop(Table& output, std::size_t row, std::string_view name) const {
    Node const& node = kernel().output.root.children[place(name)];
    for (std::size_t i = node.column; i < node.column + node.columns; ++i) output.columns[i][row] = not_computed();
  }
  double& status(Table& output, std::size_t row) const {
    return output.columns[kernel().output.root.children[place("status")].column][row];
  }
  SubjectCheck checked(Subject const& subject, std::optional<Held> const& held = std::nullopt) const {
    CheckOptions options;
    options.cases = 150;
    options.law_cases = 30;
    options.shrink = false;
    options.held = held;
    return check(kernel(), {&subject}, options).front();
  }
  struct Sum {
    std::uint64_t cases = 0, judged = 0, failed = 0, crashed = 0;
  };
  Sum sum(SubjectCheck const& found, std::string_view output) const {
    Sum sum;
    for (auto const& cell : found.accuracy) {
      if (kernel().budgets[cell.budget].output != output) continue;
      sum.cases += cell.cases;
      sum.judged += cell.judged;
      sum.failed += cell.failed;
      sum.crashed += cell.crash + cell.timeout;
    }
    return sum;
  }
  std::uint64_t applied(SubjectCheck const& found, std::string_view law) const {
    for (auto const& each : found.laws)
      if (kernel().laws[each.law].name == law) return each.applicable;
    ADD_FAILURE() << "no law " << law;
    return 0;
  }
};
INSTANTIATE_TEST_SUITE_P(Contacts, ContactsOf,
                         testing::ValuesIn(testing_kernels::judged_among({"capsule_contact", "wall_capsule_contact"})),
                         [](auto const& kernel) { return kernel.param; });

TEST_P(ContactsOf, AnOverlapAloneIsJudged) {
  Subject const subject = changed([this](Table& output, std::size_t row) {
    for (auto const* name : {"normal", "point", "status"}) drop(output, row, name);
  });
  for (Held const& held : {Held{}, Held{Held::To::binary64}}) {
    auto const found = checked(subject, held);
    EXPECT_TRUE(found.passed());
    EXPECT_EQ(sum(found, "uN").judged, sum(found, "uN").cases);
    for (auto const* other : {"normal", "point", "status"}) EXPECT_EQ(sum(found, other).judged, 0u) << other;
    for (auto const* law : {"reversal", "axis_permutation", "translation", "scaling"})
      EXPECT_GT(applied(found, law), 0u) << law;
    if (GetParam() == "capsule_contact") {
      for (auto const* law : {"swap", "overlap_bound", "growth", "overlap_motion", "spheres", "finite"})
        EXPECT_GT(applied(found, law), 0u) << law;
    } else {
      for (auto const* law : {"least_gap", "overlap_monotone", "lipschitz", "sphere"})
        EXPECT_GT(applied(found, law), 0u) << law;
    }
  }
}

TEST_P(ContactsOf, IfThereIsNoContactTheStatusAloneIsAnAnswer) {
  Subject const subject = changed([this](Table& output, std::size_t row) {
    if (status(output, row) != 0) return;
    for (auto const* name : {"uN", "normal", "point"}) drop(output, row, name);
  });
  auto const found = checked(subject);
  EXPECT_TRUE(found.passed());
  auto const of_status = sum(found, "status"), of_uN = sum(found, "uN");
  EXPECT_EQ(of_status.judged, of_status.cases);
  EXPECT_GT(of_uN.judged, 0u);
  EXPECT_LT(of_uN.judged, of_uN.cases);
  EXPECT_EQ(of_status.crashed, 0u);
}

TEST_P(ContactsOf, AMissedContactIsAFailure) {
  Subject const subject = changed([this](Table& output, std::size_t row) {
    for (auto const* name : {"uN", "normal", "point"}) drop(output, row, name);
    status(output, row) = 0;
  });
  auto const found = checked(subject);
  EXPECT_FALSE(found.passed());
  auto const of_status = sum(found, "status");
  EXPECT_EQ(of_status.judged, of_status.cases);
  EXPECT_GT(of_status.failed, of_status.cases / 4);
  EXPECT_EQ(of_status.crashed, 0u);
  EXPECT_EQ(sum(found, "uN").judged, 0u);
}

TEST_P(ContactsOf, OneOfStatusNormalAndPointMayBeLeftOut) {
  for (auto const* missing : {"status", "normal", "point"}) {
    auto const found = checked(changed([&](Table& output, std::size_t row) { drop(output, row, missing); }));
    EXPECT_TRUE(found.passed()) << missing;
    EXPECT_EQ(sum(found, missing).judged, 0u);
    EXPECT_EQ(sum(found, "uN").judged, sum(found, "uN").cases);
  }
}

TEST_P(ContactsOf, AnAnswerWithoutOutputsIsMalformed) {
  auto const found = checked(changed([this](Table& output, std::size_t row) {
    for (auto const* name : {"uN", "normal", "point", "status"}) drop(output, row, name);
  }));
  EXPECT_FALSE(found.passed());
  EXPECT_TRUE(found.answered_nothing() || sum(found, "status").judged == 0);
}

TEST_P(ContactsOf, ALineWithAStatusIsRead) {
  LineReader reader(kernel());
  std::string text = R"({"output":{"status":"separated"}})";
  text.reserve(text.size() + LineReader::padding());
  Table outputs(kernel().output);
  Line line;
  EXPECT_FALSE(reader.read(text, nullptr, &outputs, line));
  ASSERT_EQ(outputs.rows, 1u);
  EXPECT_EQ(status(outputs, 0), 0);
  EXPECT_TRUE(is_not_computed(outputs.columns[0][0]));
  Buffer again;
  write_record(kernel().output, outputs, 0, again);
  EXPECT_EQ(fmt::to_string(again), R"({"status":"separated"})");
}

}  // namespace contacts_test
}  // namespace demeter
