// Tests the precision ladder: binary128 has its precision, and each rung (an arithmetic) keeps the digits that theory
// predicts.
#include "check/ladder.hpp"

#include "reference/core/binary128.hpp"
#include "reference/core/scalars.hpp"

#include <gtest/gtest.h>

namespace demeter {
namespace ladder_test {

using Wide = Multiprecision;
Wide wide(Binary128 x) {
  auto const high = static_cast<long double>(x.native());
  return Wide(high) + Wide(static_cast<long double>(x.native() - high));
}

TEST(Binary128, PrecisionRootAndPiAreAccurate) {
  Precision const enough(60);
  Binary128 const third = Binary128(1) / Binary128(3);
  EXPECT_LT(abs(wide(third) * 3 - 1), Wide(0x1p-113));
  EXPECT_GT(abs(wide(third) * 3 - 1), Wide(0x1p-118));
  EXPECT_LT(abs(wide(pi<Binary128>()) - pi<Wide>()), Wide(0x1p-111));
  for (double const x : {2.0, 3.0, 1e-300, 1e300, 0x1p-1074, 0.1, 1.0 + 0x1p-52}) {
    Wide const exact = sqrt(Wide(x));
    EXPECT_LT(abs(wide(sqrt(Binary128(x))) / exact - 1), Wide(0x1p-112)) << x;
  }
  EXPECT_TRUE(sqrt(Binary128(0)) == Binary128(0));
  EXPECT_TRUE(sqrt(Binary128(4)) == Binary128(2));
}

TEST(Ladder, EachRungKeepsTheDigitsOfItsArithmetic) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  auto const rows = climb_ladder(kernel, 1, 50);
  std::size_t typical = 0;
  for (auto const& row : rows) {
    if (kernel.regimes[row.regime].name != "typical") continue;
    ++typical;
    // A few multiplications without cancellation lose at most 1.3 digits in any arithmetic.
    for (std::size_t rung = 0; rung < ladder.size(); ++rung) {
      EXPECT_GT(row.right[rung], ladder[rung].digits - 1.3) << ladder[rung].name;
      EXPECT_LT(digits_lost(row, rung), 1.3);
    }
    // Each rung is less accurate than the next one. This shows that no rung computes with the arithmetic of another
    // rung.
    if (kernel.budgets[row.budget].output == "bounding_radius") continue;  // a sum of two doubles, which may be exact
    for (std::size_t rung = 0; rung + 1 < ladder.size(); ++rung)
      EXPECT_LT(row.right[rung], ladder[rung + 1].digits - 0.5) << ladder[rung].name;
  }
  EXPECT_EQ(typical, kernel.budgets.size());
}

TEST(Ladder, NearlyParallelSegmentsLoseMoreDigitsThanTypicalOnes) {
  Kernel const& kernel = *find_kernel("segment_distance");
  auto const rows = climb_ladder(kernel, 1, 200);
  auto const lost = [&](std::string_view regime, std::size_t rung) {
    for (auto const& row : rows)
      if (kernel.regimes[row.regime].name == regime) return digits_lost(row, rung);
    return -1.0;
  };
  EXPECT_LT(lost("typical", 1), 12);
  EXPECT_GT(lost("near_parallel_crossing", 1), 3) << "nearly parallel segments need more than doubles";
  EXPECT_GE(lost("typical", 5), 0) << "100 digits";
  for (auto const& row : rows)
    EXPECT_NE(kernel.budgets[row.budget].measure, Measure::optimality) << "s and t have no one truth";
}

}  // namespace ladder_test
}  // namespace demeter
