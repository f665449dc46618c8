// Tests that every figure in the errata is the result of its formula.
#include "kernels/errata.hpp"

#include <gtest/gtest.h>

namespace demeter {
namespace {

TEST(Errata, AFigureAgreesIfItIsTheRoundedResult) {
  EXPECT_TRUE(is_rounded("0.0455", "0.04545454545"));
  EXPECT_FALSE(is_rounded("0.0454", "0.04545454545"));
  EXPECT_TRUE(is_rounded("0.741", "7.41e-1"));
  EXPECT_TRUE(is_rounded("741", "741.4"));
  EXPECT_FALSE(is_rounded("741", "741.6"));
  EXPECT_TRUE(is_rounded("5.13e-5", "0.0000513157894737"));
  EXPECT_FALSE(is_rounded("5.13e-5", "0.00005136"));
  EXPECT_TRUE(is_rounded("-0.828427", "-0.82842712"));
  EXPECT_FALSE(is_rounded("0.828427", "-0.82842712"));
}

TEST(Errata, EveryFigureAgreesWithTheResultOfItsFormula) {
  std::size_t figures = 0;
  for (Kernel const& kernel : kernels()) {
    for (Erratum const& erratum : kernel.errata) {
      EXPECT_FALSE(erratum.where.empty() || erratum.recommended.empty()) << kernel.name << ": " << erratum.where;
      EXPECT_FALSE(erratum.documented.empty() && erratum.implemented.empty()) << kernel.name << ": " << erratum.where;
      for (ErratumFigure const& figure : erratum.figures) {
        std::string wrong;
        auto const found = find_figure(kernel, figure, wrong);
        EXPECT_EQ(wrong, "") << kernel.name << ": " << figure.what;
        ASSERT_EQ(found.size(), figure.values.size());
        for (std::size_t i = 0; i < found.size(); ++i, ++figures)
          EXPECT_TRUE(found[i].agrees) << kernel.name << ": " << figure.what << ": " << figure.values[i].formula
                                       << " gives " << found[i].computed << ", not " << figure.values[i].stated;
      }
    }
  }
  EXPECT_GE(figures, kernels().size() == batch_kernels().size() ? 40u : 1u);
}

TEST(Errata, AFigureWithUnknownColumnOrFormulaIsReported) {
  Kernel const& kernel = *find_kernel("segment_distance");
  std::string_view const input = R"({"p0":[0,0,0],"p1":[1,0,0],"q0":[0,1,0],"q1":[1,1,0]})";
  auto const wrong_of = [&](ErratumFigure const& figure) {
    std::string wrong;
    auto const found = find_figure(kernel, figure, wrong);
    EXPECT_EQ(found.size(), 1u);
    EXPECT_FALSE(found.front().agrees);
    return wrong;
  };
  EXPECT_EQ(wrong_of({"", input, "length", {{"reference", "1"}}}), "\"length\" is no column of segment_distance");
  EXPECT_EQ(wrong_of({"", input, "distance", {{"printed", "1"}}}),
            "unknown formula \"printed\" of segment_distance; expected reference, textbook, threshold");
  EXPECT_NE(wrong_of({"", "{}", "distance", {{"reference", "1"}}}), "");
  EXPECT_EQ(wrong_of({"", input, "distance", {{"reference", "2"}}}), "");
}

}  // namespace
}  // namespace demeter
