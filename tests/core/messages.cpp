// Tests error messages about files of users. For any content of the file, the message must be one line of printable
// characters. A fuzz target found each of these cases.
#include "kernels/json_lines.hpp"
#include "kernels/vectors.hpp"
#include "reports/format/parse.hpp"
#include "reports/known.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace demeter {
namespace messages_test {

bool plain(std::string const& message) {
  return !message.empty() && message.size() < 1000 &&
         std::none_of(message.begin(), message.end(), [](unsigned char c) { return c < 32 || c == 127; });
}

TEST(Messages, ErrorsInABaselineHaveNoControlCharacters) {
  KnownFailures known;
  auto const key = known.add_line(R"({"kernel":"segment_distance","subject":"a","law":"swap","\u001b[2J\n":1})", 1);
  ASSERT_TRUE(key);
  EXPECT_TRUE(plain(*key)) << *key;
  EXPECT_EQ(key->rfind("unknown key \"?[2J?\"; expected kernel", 0), 0u) << *key;
  std::string const regime(5000, 'x');
  auto const value =
      known.add_line(R"({"kernel":"segment_distance","subject":"a","output":"s","regime":")" + regime + R"("})", 2);
  ASSERT_TRUE(value);
  EXPECT_TRUE(plain(*value)) << *value;
  ASSERT_FALSE(known.add_line(R"({"kernel":"segment_distance","subject":"a\u0000\nb","law":"swap"})", 3));
  EXPECT_EQ(known_name(known.entries().back()), "segment_distance a??b law swap");
}

TEST(Messages, DeepNestingIsRefusedWithoutRecursion) {
  std::string const deep = std::string(300'000, '[') + std::string(300'000, ']');
  KnownFailures known;
  auto const wrong =
      known.add_line(R"({"kernel":"segment_distance","subject":"a","law":"swap","input":)" + deep + "}", 1);
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(plain(*wrong)) << *wrong;
  std::string why;
  EXPECT_FALSE(report::parse_results("{\"kernels\":" + deep + "}", why));
  EXPECT_EQ(why, "nested 300001 levels deep; expected a results.json of demeter report");
}

TEST(Messages, ErrorsInAVectorHaveNoControlCharacters) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  Vectors vectors;
  auto const wrong =
      read_vectors(kernel,
                   R"({"id":1,"kernel":"capsule_mass_properties","regime":"\u001b[31m\n",)"
                   R"("input":{"radius":1,"shaft":1,"density":1},"expected":{},"flags":[],"source":"x"})",
                   vectors);
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(plain(*wrong)) << *wrong;
  EXPECT_EQ(vectors.cases.rows, 0u);
}

TEST(Messages, ANegativeZeroKeepsItsSignInABaseline) {
  KnownFailures known;
  ASSERT_FALSE(known.add_line(R"({"kernel":"capsule_mass_properties","subject":"a","regime":"*","output":"mass",)"
                              R"("input":{"radius":1,"shaft":-0.0,"density":1}})",
                              1));
  std::string const line = known_line(known.entries().back());
  EXPECT_NE(line.find("\"shaft\":-0.0"), std::string::npos) << line;
}

}  // namespace messages_test
}  // namespace demeter
