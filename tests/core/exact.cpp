#include "reference/core/exact.hpp"
#include "fast/capsule_mass_properties.hpp"
#include "kernels/kernel.hpp"
#include "kernels/random.hpp"
#include "reference/core/binary128.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cstdlib>
#include <thread>

namespace demeter {
namespace exact_test {

Rational ratio(long numerator, long denominator) { return Rational(numerator) / Rational(denominator); }

TEST(ParseExact, ReadsDecimalsAndRatios) {
  EXPECT_EQ(parse_exact("0"), Rational(0));
  EXPECT_EQ(parse_exact("-0"), Rational(0));
  EXPECT_EQ(parse_exact("0.1"), ratio(1, 10));
  EXPECT_EQ(parse_exact("-1.5e-3"), ratio(-15, 10'000));
  EXPECT_EQ(parse_exact("+2E+3"), Rational(2000));
  EXPECT_EQ(parse_exact(".5"), ratio(1, 2));
  EXPECT_EQ(parse_exact("5."), Rational(5));
  EXPECT_EQ(parse_exact("007"), Rational(7));
  EXPECT_EQ(parse_exact("3/5"), ratio(3, 5));
  EXPECT_EQ(parse_exact("6/10"), ratio(3, 5)) << "in lowest terms, or comparisons fail";
  EXPECT_EQ(parse_exact("-7/2"), ratio(-7, 2));
  EXPECT_EQ(parse_exact("0/9"), Rational(0));
  EXPECT_EQ(parse_exact("1e-2"), ratio(1, 100));
  EXPECT_EQ(parse_exact("123456789012345678901234567890/1000000000000000000000"),
            Rational("123456789012345678901234567890/1000000000000000000000"));
}

TEST(ParseExact, ReadsHugeExponents) {
  ASSERT_TRUE(parse_exact("1e9999"));
  ASSERT_TRUE(parse_exact("1e-9999"));
  EXPECT_EQ(*parse_exact("1e9999") * *parse_exact("1e-9999"), 1);
  EXPECT_FALSE(parse_exact("1e10000"));
  EXPECT_FALSE(parse_exact("1e-10000"));
  EXPECT_FALSE(parse_exact("1e99999999999999999999"));
  EXPECT_GT(*parse_exact("1e400"), Rational(std::numeric_limits<double>::max()));
}

TEST(ParseExact, RefusesTextsThatAreNotDecimalsOrRatios) {
  for (char const* text : {"",      "+",        "-",     ".",     "-.",       "e5",   ".e5",  "1e",    "1e+",   "1e-",
                           "1ee5",  "1.2.3",    "--1",   "+-1",   "1 ",       " 1",   "1,5",  "0x10",  "nan",   "inf",
                           "-inf",  "infinity", "3/",    "/5",    "3/0",      "3/00", "3/-5", "3/+5",  "1.5/2", "3/2.5",
                           "1e2/3", "3/5/7",    "1_000", "1'000", "\xd9\xa1", "1\n",  "1f",   "1e5.0", "#b1"})
    EXPECT_FALSE(parse_exact(text)) << text;
  EXPECT_FALSE(parse_exact(std::string_view("1\0", 2)));
}

RC_GTEST_PROP(ParseExact, AgreesWithStrtodOnRandomDecimals, ()) {
  // strtod of the C library is correctly rounded, also for subnormal numbers and at overflow.
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0, 0);
  std::string text = random.chance(0.5) ? "-" : "";
  for (std::int64_t count = random.integer(1, 40); count > 0; --count)
    text += static_cast<char>('0' + random.integer(0, 9));
  text += '.';
  for (std::int64_t count = random.integer(0, 30); count > 0; --count)
    text += static_cast<char>('0' + random.integer(0, 9));
  text += "e" + std::to_string(random.chance(0.5) ? random.integer(-360, 320) : random.integer(-345, -300));
  auto const exact = parse_exact(text);
  RC_ASSERT(exact.has_value());
  double const expected = std::strtod(text.c_str(), nullptr), got = nearest(*exact);
  RC_ASSERT(got == expected);
}

double neighbour(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }

TEST(Nearest, TiesAreRoundedToEvenInTheWholeRange) {
  Random random(1, 0, 0);
  for (int i = 0; i < 20'000; ++i) {
    double const below =
        i % 4 == 0 ? std::ldexp(static_cast<double>(random.integer(0, 4000)), -1074) : random.any_positive();
    double const above = neighbour(below);
    if (std::isinf(above)) continue;
    Rational const middle = (Rational(below) + Rational(above)) / 2,
                   little = (Rational(above) - Rational(below)) / 1'000'000'000;
    double const even = (std::bit_cast<std::uint64_t>(below) & 1) == 0 ? below : above;
    ASSERT_EQ(nearest(middle), even) << below;
    ASSERT_EQ(nearest(Rational(-middle)), -even) << below;
    ASSERT_EQ(nearest(Rational(middle - little)), below);
    ASSERT_EQ(nearest(Rational(middle + little)), above);
    ASSERT_EQ(nearest(Rational(below)), below);
  }
}

TEST(Nearest, EndsOfTheRangeAreRoundedCorrectly) {
  constexpr double largest = std::numeric_limits<double>::max(), infinity = std::numeric_limits<double>::infinity();
  Rational const overflow = Rational(largest) + Rational(0x1p969) * 2;  // 2^1024 - 2^970
  EXPECT_EQ(nearest(overflow), infinity);
  EXPECT_EQ(nearest(Rational(-overflow)), -infinity);
  EXPECT_EQ(nearest(Rational(overflow - 1)), largest);
  EXPECT_EQ(nearest(*parse_exact("1e400")), infinity);
  Rational const half_least = Rational(0x1p-1074) / 2;
  EXPECT_EQ(nearest(half_least), 0);
  EXPECT_EQ(nearest(Rational(half_least * ratio(1'000'001, 1'000'000))), 0x1p-1074);
  EXPECT_EQ(nearest(Rational(half_least * 3)), 0x1p-1073);
  EXPECT_EQ(nearest(*parse_exact("1e-9999")), 0);
  EXPECT_EQ(nearest(Rational(0)), 0);
  EXPECT_TRUE(std::signbit(nearest(Rational(-half_least))));
  // A wrong implementation would round first to 53 bits and then to the fewer bits of a subnormal number. It would
  // round this number up.
  Rational const twice = Rational(0x1p-1074) * (ratio(1, 2) - Rational(0x1p-60));
  EXPECT_EQ(nearest(twice), 0);
}

TEST(Nearest, DoesNotChangeTheExponentRangeOfMpfr) {
  mpfr_exp_t const low = mpfr_get_emin(), high = mpfr_get_emax();
  nearest(ratio(1, 3));
  EXPECT_EQ(mpfr_get_emin(), low);
  EXPECT_EQ(mpfr_get_emax(), high);
}

std::string decimal_of(char const* value, unsigned digits) {
  mpfr_t x;
  mpfr_init2(x, 400);
  mpfr_set_str(x, value, 10, MPFR_RNDN);
  std::string const text = decimal(x, digits);
  mpfr_clear(x);
  return text;
}

TEST(Decimal, AgreesWithKnownDigits) {
  mpfr_t pi;
  mpfr_init2(pi, 400);
  mpfr_const_pi(pi, MPFR_RNDN);
  EXPECT_EQ(decimal(pi, 50), "3.1415926535897932384626433832795028841971693993751");
  EXPECT_EQ(decimal(pi, 5), "3.1416");
  mpfr_clear(pi);
  EXPECT_EQ(decimal_of("0.125", 2), "1.2e-1") << "a tie, to even";
  EXPECT_EQ(decimal_of("0.375", 2), "3.8e-1");
  EXPECT_EQ(decimal_of("1000", 3), "1.00e3");
  EXPECT_EQ(decimal_of("-2.5", 3), "-2.50");
  EXPECT_EQ(decimal_of("9.996", 3), "1.00e1") << "carried into one more digit";
  EXPECT_EQ(decimal_of("-1.2345e-7", 5), "-1.2345e-7");
  EXPECT_EQ(decimal_of("0", 9), "0");
  EXPECT_EQ(decimal_of("-0", 9), "-0");
  EXPECT_EQ(decimal_of("inf", 9), "inf");
  EXPECT_EQ(decimal_of("-inf", 9), "-inf");
  EXPECT_EQ(decimal_of("nan", 9), "nan");
}

RC_GTEST_PROP(Decimal, SeventeenDigitsReadBackAsTheSameDouble, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>(), 0, 0);
  double const value = random.sign() * random.any_positive();
  mpfr_t x;
  mpfr_init2(x, 53);
  mpfr_set_d(x, value, MPFR_RNDN);
  std::string const text = decimal(x, 17);
  mpfr_clear(x);
  RC_ASSERT(nearest(*parse_exact(text)) == value);
  RC_ASSERT(nearest(*parse_exact(shortest(value))) == value);
}

TEST(Shortest, WritesTheShortestTextThatReadsBack) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(-0.0), "-0");
  EXPECT_EQ(shortest(5e-324), "5e-324");
  EXPECT_EQ(shortest(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(shortest(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(shortest(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(ExactRow, ExactTextsReplaceRoundedCells) {
  struct Record {
    Vector3<double> x;
    static constexpr auto fields() { return std::tuple{field("x", &Record::x, "", "")}; }
  };
  Table table(schema_of<Record>());
  for (auto& column : table.columns) column = {0.1, 0.5};
  table.rows = 2;
  table.exact[{1, 0}] = "1/10";
  auto const first = exact_row(schema_of<Record>(), table, 0), second = exact_row(schema_of<Record>(), table, 1);
  EXPECT_EQ(first.rows, 1u);
  for (std::size_t k : {0u, 2u}) EXPECT_EQ(first.columns[k][0], Multiprecision(0.1));
  EXPECT_EQ(first.columns[1][0], Multiprecision(1) / 10);
  EXPECT_NE(first.columns[1][0], Multiprecision(0.1));
  for (auto const& column : second.columns) EXPECT_EQ(column[0], Multiprecision(1) / 2);
}

TEST(EvaluateRounded, GivesTheNearestDouble) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  Table cases(kernel.input);
  for (std::size_t regime = 0; regime < kernel.regimes.size(); ++regime)
    for (std::uint64_t id = 0; id < 8; ++id) kernel.generate(regime, 3, id, cases);
  for (std::size_t row = 0; row < cases.rows; ++row) {
    TextTable text;
    text.columns.resize(kernel.output.columns.size());
    kernel.evaluate_text(0, {Arithmetic::Kind::rounded, 0}, 17, cases, row, text);
    auto const expected = capsule_mass_properties::fast::evaluate_correctly_rounded(
        load<capsule_mass_properties::Input<double>>(cases, row));
    EXPECT_EQ(text.columns[0][0], shortest(expected.volume));
    EXPECT_EQ(text.columns[1][0], shortest(expected.mass));
    EXPECT_EQ(text.columns[2][0], shortest(expected.ixx));
    EXPECT_EQ(text.columns[3][0], shortest(expected.iyy));
    EXPECT_EQ(text.columns[4][0], shortest(expected.bounding_radius));
  }
}

TEST(EvaluateRounded, ExactTextsAreReadExactly) {
  Kernel const& kernel = *find_kernel("capsule_mass_properties");
  Table cases(kernel.input);
  for (auto& column : cases.columns) column.push_back(0.1);
  cases.rows = 1;
  cases.exact[{0, 0}] = "1/10";
  cases.exact[{1, 0}] = "1/10";
  TextTable text;
  text.columns.resize(kernel.output.columns.size());
  kernel.evaluate_text(0, {Arithmetic::Kind::rounded, 0}, 40, cases, 0, text);
  EXPECT_EQ(text.columns[4][0], "1.500000000000000000000000000000000000000e-1");
  // 7 pi / 3000
  EXPECT_EQ(text.columns[0][0], "7.330382858376184223079501227652173396460e-3");
}

TEST(Rational, VectorsOfRationalsAreExact) {
  Vector3<Rational> const a(1, 2, 3), b(ratio(1, 3), 0, -1);
  EXPECT_EQ(a.dot(b), ratio(-8, 3));
  EXPECT_EQ(a.cross(b), Vector3<Rational>(-2, 2, ratio(-2, 3)));
  EXPECT_EQ((a - a).squaredNorm(), 0);
  EXPECT_EQ(a.maxCoeff(), 3);
}

template <class Scalar>
void check_spacing() {
  Scalar const one(1), spacing = spacing_of_one<Scalar>(), half = spacing / Scalar(2);
  EXPECT_GT(one + spacing, one);
  EXPECT_EQ(one + half, one) << "half of it is rounded to even";
  EXPECT_EQ(one + spacing + half, one + spacing + spacing);
}
TEST(Scalars, SpacingOfOneIsTheDistanceToTheNextNumber) {
  check_spacing<double>();
  check_spacing<long double>();
  check_spacing<Binary128>();
  for (unsigned const digits : {20u, 40u, 100u}) {
    Precision const precision(digits);
    check_spacing<Multiprecision>();
  }
}

TEST(Precision, IsRestoredAtTheEndOfTheScope) {
  unsigned const before = Precision::digits();
  {
    Precision const outer(77);
    {
      Precision const inner(120);
      EXPECT_EQ(Precision::digits(), 120u);
    }
    EXPECT_EQ(Precision::digits(), 77u);
    Multiprecision const third = Multiprecision(1) / 3;
    EXPECT_LT(abs(third * 3 - 1), Multiprecision("1e-76"));
  }
  EXPECT_EQ(Precision::digits(), before);
}

TEST(Precision, EachThreadHasItsOwnPrecision) {
  Precision const mine(77);
  unsigned seen = 0;
  std::thread([&] {
    Precision const other(120);
    seen = Precision::digits();
  }).join();
  EXPECT_EQ(seen, 120u);
  EXPECT_EQ(Precision::digits(), 77u);
}

// Tests sizes on both sides of the limit up to which a number stores its digits inside itself.
TEST(Multiprecision, CopiesAndMovesKeepTheDigits) {
  auto const third = [](unsigned digits) { return with_digits(digits, [] { return Multiprecision(1) / 3; }); };
  std::vector<unsigned> const sizes{20, 100, 114, 120, 400};
  Precision const enough(500);
  for (unsigned const from : sizes)
    for (unsigned const to : sizes) {
      Multiprecision const value = third(from);
      Multiprecision copied = third(to), moved = third(to), source = third(from);
      copied = value;
      moved = std::move(source);
      source = third(to);
      Multiprecision const again(std::move(moved));
      EXPECT_EQ(copied, value) << from << " " << to;
      EXPECT_EQ(again, value) << from << " " << to;
      EXPECT_EQ(source, third(to)) << from << " " << to;
      copied = *&copied;
      EXPECT_EQ(copied, value);
      EXPECT_LT(abs(value * 3 - 1), Multiprecision(10) / Multiprecision(("1e" + std::to_string(from)).c_str()));
      EXPECT_EQ(value == third(to), from == to);
    }
}

TEST(Multiprecision, ComparisonsAndConversionsAreRight) {
  Multiprecision const two(2), nan(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(two > 1 && two >= 2.0 && two != 3 && 1 < two && two <= 2L);
  EXPECT_FALSE(nan < two || nan > two || nan <= two || nan >= two || nan == nan);
  EXPECT_TRUE(nan != nan);
  EXPECT_EQ(Multiprecision(0x1.fffffffffffffffep0L), 0x1.fffffffffffffffep0L);
  EXPECT_EQ(static_cast<double>(Multiprecision(1) / 3), 1.0 / 3);
  EXPECT_EQ(static_cast<float>(Multiprecision(1) / 3), 1.0f / 3);
  EXPECT_EQ(static_cast<long double>(Multiprecision(1) / 3), 1.0L / 3);
  EXPECT_EQ(Multiprecision(std::numeric_limits<std::int64_t>::min()), -0x1p63);
  EXPECT_EQ(Multiprecision(~std::uint64_t{0}), 0x1.fffffffffffffffep63L);
  EXPECT_FALSE(isfinite(nan));
  EXPECT_FALSE(isfinite(Multiprecision(1) / 0));
  EXPECT_TRUE(isfinite(Multiprecision(1e308) * Multiprecision(1e308)));
}

TEST(ScalarCast, FromMultiprecisionRoundsOnce) {
  Precision const digits(400);
  auto const cast_back = [](Rational const& value) {
    return ScalarCast<double, Multiprecision>::apply(ScalarCast<Multiprecision, Rational>::apply(value));
  };
  Random random(2, 0, 0);
  for (int i = 0; i < 2000; ++i) {
    double const below =
        i % 2 == 0 ? std::ldexp(static_cast<double>(random.integer(0, 4000)), -1074) : random.any_positive();
    if (std::isinf(neighbour(below))) continue;
    Rational const middle = (Rational(below) + Rational(neighbour(below))) / 2;
    ASSERT_EQ(cast_back(middle), nearest(middle));
  }
}

}  // namespace exact_test
}  // namespace demeter
