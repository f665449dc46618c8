// Tests the conversion of formulas of the documents to MathML.
#include "reports/documents/mathml.hpp"

#include <gtest/gtest.h>

namespace demeter {
namespace {

using documents::mathml;

TEST(MathML, ScriptsFractionsAndRootsAreNested) {
  EXPECT_EQ(mathml("x_1^2", false).mathml,
            "<math><msubsup><mi>x</mi><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></msubsup></math>");
  EXPECT_EQ(mathml("\\frac43 \\sqrt{a}", true).mathml,
            "<math display=\"block\"><mfrac><mn>4</mn><mn>3</mn></mfrac>"
            "<msqrt><mrow><mi>a</mi></mrow></msqrt></math>");
}

TEST(MathML, ANumberIsOneElementButAScriptTakesOnlyItsFirstDigit) {
  EXPECT_EQ(mathml("12.5", false).mathml, "<math><mn>12.5</mn></math>");
  EXPECT_EQ(mathml("x^12", false).mathml, "<math><msup><mi>x</mi><mrow><mn>1</mn></mrow></msup><mn>2</mn></math>");
}

TEST(MathML, MarkupCharactersAreEscaped) { EXPECT_NE(mathml("a < b", false).mathml.find("&lt;"), std::string::npos); }

TEST(MathML, RightArrowIsNotARightBracket) { EXPECT_EQ(mathml("\\left( a \\rightarrow b \\right)", false).error, ""); }

TEST(MathML, ErrorsNameTheUnknownCommand) {
  EXPECT_EQ(mathml("\\nosuch x", false).error, "unknown command \"\\nosuch\"");
  for (auto const* tex : {"{a", "a}", "\\left( a", "\\frac{1}", "x_", "\\text", "a & b", "\\left\\alpha a \\right)"})
    EXPECT_NE(mathml(tex, false).error, "") << tex;
}

}  // namespace
}  // namespace demeter
