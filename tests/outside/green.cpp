// Tests that a check passes only if answers were judged.
#include "tests/core/command.hpp"

namespace demeter {
namespace green_test {

using Green = CommandTest;

TEST_F(Green, VerifyWithoutJudgedAnswersFails) {
  put("empty", "");
  Ran ran = run("demeter verify capsule_mass_properties --answers empty");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, "demeter verify: nothing was judged\n");
  EXPECT_EQ(run("demeter verify capsule_mass_properties --answers empty --allow-unsupported 1").code, 1);
  put("declined.jsonl",
      run("demeter generate capsule_mass_properties --count 40 | sed 's/}$/,\"unsupported\":\"no\"}/'").out);
  ran = run("demeter verify capsule_mass_properties --answers declined.jsonl");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err,
            "demeter verify: nothing was judged: 40 cases were declined (allowed with --allow-unsupported 1)\n");
  EXPECT_EQ(run("demeter verify capsule_mass_properties --answers declined.jsonl --allow-unsupported 1").code, 0);
}

TEST_F(Green, ASubjectThatDeclinesEveryCaseFails) {
  put("declines.c",
      "#include <stddef.h>\nint demeter_abi_version(void) { return 1; }\n"
      "int demeter_capsule_mass_properties(size_t n, double const* const in[], double* const out[], size_t room) {\n"
      "  (void)n, (void)in, (void)out, (void)room;\n  return 1;\n}\n");
  ASSERT_EQ(run("cc -shared -fPIC declines.c -o declines.so").code, 0);
  std::string const check = "demeter check capsule_mass_properties --subject lib:./declines.so --count 300";
  Ran const ran = run(check);
  EXPECT_EQ(ran.code, 1) << ran.out;
  EXPECT_TRUE(contains(ran.err, "lib:./declines.so in capsule_mass_properties: nothing was judged")) << ran.err;
  EXPECT_EQ(run(check + " --allow-unsupported 1").code, 0);
  EXPECT_EQ(run(check + " --seeds 2").code, 1);
}

TEST_F(Green, VerifyAllowsDeclinedAnswersUpToTheLimit) {
  // Three of ten answers are "unsupported".
  auto lines = lines_of(run("demeter generate capsule_mass_properties --count 10 --regime typical | demeter evaluate "
                            "capsule_mass_properties --implementation fast")
                            .out);
  ASSERT_EQ(lines.size(), 10u);
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string const declined = lines[i].substr(0, lines[i].find(",\"output\"")) + ",\"unsupported\":\"too small\"}";
    text += (i < 3 ? declined : lines[i]) + "\n";
  }
  put("some.jsonl", text);
  std::string const verify = "demeter verify capsule_mass_properties --answers some.jsonl";
  EXPECT_EQ(run(verify).code, 0);
  EXPECT_EQ(run(verify + " --allow-unsupported 0.3").code, 0);
  Ran const ran = run(verify + " --allow-unsupported 0.2");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, "demeter verify: declined cases: got 3 of 10, expected at most 2 (--allow-unsupported 0.2)\n");
  for (char const* share : {"2", "-0.1", "nan", "all"})
    EXPECT_EQ(run(verify + " --allow-unsupported " + share).code, 2) << share;
}

TEST_F(Green, TooLargeNumbersOfCasesAreRefused) {
  for (char const* command : {"demeter check segment_distance --subject fast --count 18446744073709551615",
                              "demeter check segment_distance --subject fast --laws 1000000000001",
                              "demeter generate segment_distance --count 18446744073709551615",
                              "demeter report --count 18446744073709551615 --kernel segment_distance --out site"}) {
    Ran const ran = run(command);
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_TRUE(contains(ran.err, "expected a whole number from")) << ran.err;
    EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
  }
}

}  // namespace green_test
}  // namespace demeter
