// Tests recorded answers of other programs. They are judged by the convention of the program.
#include "kernels/kernel.hpp"
#include "tests/core/command.hpp"
#include "tests/places.hpp"

namespace demeter {
namespace recorded_test {

using Recorded = CommandTest;

std::string file(std::string const& kernel) {
  return (fs::path(DEMETER_SOURCE) / "subjects/recorded" / ("liggghts-3.8.0-" + kernel + ".jsonl")).string();
}

std::string const contact = "demeter check superquadric_contact --formula liggghts --no-shrink --subject file:";
// Budgets for the printed digits, in units of the scales. Points are printed to 1e-5, forces to nine to eleven digits,
// and overlaps to 1e-9 or 1e-10.
std::string const printed_digits = " --budget point=1e11,normal=1e8,overlap_b=4e6";

TEST_F(Recorded, RecordedContactsOfLiggghtsAgreeWithItsFormulaToThePrintedDigits) {
  for (auto const& [answers, found] : {std::pair{"superquadric_contact", "no failure in 3 cases"},
                                       std::pair{"superquadric_contact_without_normal", "no failure in 2 cases"}}) {
    Ran const ran = run(contact + file(answers) + printed_digits);
    EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
    EXPECT_TRUE(contains(ran.out, found)) << "few, and no failure among them: " << ran.out;
    EXPECT_TRUE(contains(ran.err, "recorded cases (expected 299)")) << ran.err;
    EXPECT_TRUE(contains(ran.out, "truth: the formula liggghts")) << ran.out;
  }
}

TEST_F(Recorded, AChangedDigitInARecordedAnswerFails) {
  std::string const all = read_file(file("superquadric_contact"));
  for (auto const& [digits, other] : {std::pair{"0.134634878", "0.134634778"}, std::pair{"0.17505", "0.17525"},
                                      std::pair{"-0.7763268", "-0.7763278"}, std::pair{"intersect", "close"}}) {
    std::string text = all;
    std::size_t const at = text.find(digits);
    ASSERT_NE(at, std::string::npos) << digits;
    text.replace(at, std::string_view(digits).size(), other);
    put("wrong.jsonl", text);
    EXPECT_EQ(run(contact + "wrong.jsonl --failures failures" + printed_digits).code, 1) << other;
  }
}

TEST_F(Recorded, RecordedMassPropertiesOfLiggghtsAreRight) {
  if (find_kernel("superquadric_mass_properties") == nullptr) GTEST_SKIP() << "the kernel is not in this build";
  Ran const ran =
      run("demeter check superquadric_mass_properties --budget volume=32,mass=32,inertia=4e9 --subject file:" +
          file("superquadric_mass_properties"));
  EXPECT_EQ(ran.code, 1) << ran.out << ran.err;
  EXPECT_TRUE(contains(ran.out, "no failure in 5 cases")) << ran.out;
  EXPECT_TRUE(contains(ran.err, "not refuted in 5 recorded cases")) << ran.err;
}

}  // namespace recorded_test
}  // namespace demeter
