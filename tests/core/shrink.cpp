#include "check/shrink.hpp"
#include "tests/core/sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

namespace demeter {
namespace shrink_test {

struct Item {
  double weight;
  Vector3<double> place;
  static constexpr auto fields() {
    return std::tuple{field("weight", &Item::weight, "", ""), field("place", &Item::place, "", "")};
  }
};
struct Case {
  double x, y;
  std::vector<Item> items;
  static constexpr auto fields() {
    return std::tuple{field("x", &Case::x, "", ""), field("y", &Case::y, "", ""), field("items", &Case::items, "", "")};
  }
};

Schema const schema = schema_of<Case>();

/// Shrinks a case while `fails` is true. Checks properties that every shrinking must have.
template <class Fails>
Case shrunk(Case const& in, Fails const& fails) {
  EXPECT_TRUE(fails(in));
  Table table(schema);
  append(table, Case{1, 2, {}});  // the table has another row, which shrinking must not use
  append(table, in);
  auto const still = [&](Table const& candidates) {
    std::vector<bool> result;
    for (std::size_t row = 0; row < candidates.rows; ++row) {
      Case const candidate = load<Case>(candidates, row);
      EXPECT_TRUE(std::isfinite(candidate.x) && std::isfinite(candidate.y));
      result.push_back(fails(candidate));
    }
    return result;
  };
  Table const small = shrink(schema, table, 1, still);
  EXPECT_EQ(small.rows, 1u);
  Case const out = load<Case>(small, 0);
  EXPECT_TRUE(fails(out)) << "a shrunk case still fails";
  Table const again = shrink(schema, table, 1, still);
  EXPECT_EQ(again.columns, small.columns) << "deterministic";
  Table const further = shrink(schema, small, 0, still);
  EXPECT_EQ(further.columns, small.columns) << "nothing simpler is left";
  return out;
}

std::vector<Item> items(std::size_t count) {
  std::vector<Item> result;
  for (std::size_t i = 0; i < count; ++i) {
    double const value = 0.1 + static_cast<double>(i) * 1.7;
    result.push_back({value, {value + 0.01, -value, 3.3}});
  }
  return result;
}

TEST(Shrink, GivesTheSimplestCaseIfEveryCaseFails) {
  Case const out = shrunk({0.123456789, -9.87e33, items(7)}, [](Case const&) { return true; });
  EXPECT_EQ(out.x, 0);
  EXPECT_EQ(out.y, 0);
  ASSERT_EQ(out.items.size(), 1u) << "lists keep one element, for kernels that ask for it";
  EXPECT_EQ(out.items[0].weight, 0);
  EXPECT_EQ(out.items[0].place, Vector3<double>(0, 0, 0));
}

TEST(Shrink, FindsTheSimplestNumbersThatFail) {
  EXPECT_EQ(shrunk({0.7312, 5, {}}, [](Case const& in) { return in.x > 0; }).x, 1);
  EXPECT_EQ(shrunk({-0.7312, 5, {}}, [](Case const& in) { return in.x < 0; }).x, -1);
  EXPECT_EQ(shrunk({23.4567, 5, {}}, [](Case const& in) { return in.x > 2; }).x, 4) << "the simplest, not the smallest";
  Case const sum = shrunk({23.4567, 5.4321, {}}, [](Case const& in) { return in.x + in.y >= 2; });
  EXPECT_LE(complexity(sum.x) + complexity(sum.y), 3);
  Case const different = shrunk({0.1, 0.3, {}}, [](Case const& in) { return in.x != in.y; });
  EXPECT_EQ(std::fabs(different.x) + std::fabs(different.y), 1);
}

TEST(Shrink, KeepsANumberThatMustNotChange) {
  double const exactly = 0x1.23456789abcdep-7;
  Case const out = shrunk({exactly, 0.777, items(2)}, [&](Case const& in) { return in.x == exactly; });
  EXPECT_EQ(out.x, exactly);
  EXPECT_EQ(out.y, 0);
  double const edge = std::nextafter(1.0, 2.0);
  EXPECT_EQ(shrunk({edge, 0, {}}, [](Case const& in) { return in.x > 1 && in.x < 1 + 0x1p-51; }).x, edge);
}

TEST(Shrink, HugeAndTinyNumbersBecomeSimpler) {
  EXPECT_EQ(shrunk({1.234e300, 0, {}}, [](Case const& in) { return in.x > 0.5; }).x, 1);
  EXPECT_EQ(shrunk({5e-324, 0, {}}, [](Case const& in) { return in.x > 0; }).x, 1);
  double const tiny = shrunk({3.33e-310, 0, {}}, [](Case const& in) { return in.x > 0 && in.x < 1e-300; }).x;
  EXPECT_LT(complexity(tiny), complexity(3.33e-310));
  EXPECT_EQ(shrunk({-0.0, 0, {}}, [](Case const& in) { return in.x == 0; }).x, 0);
}

TEST(Shrink, RemovesIrrelevantListElements) {
  for (std::size_t const needed : {std::size_t{0}, std::size_t{9}, std::size_t{19}}) {
    Case in{1, 1, items(20)};
    in.items[needed].weight = 1000.25;
    Case const out = shrunk(in, [](Case const& candidate) {
      for (Item const& item : candidate.items)
        if (item.weight > 500) return true;
      return false;
    });
    ASSERT_EQ(out.items.size(), 1u);
    EXPECT_TRUE(out.items[0].weight == 1000 || out.items[0].weight == 512) << out.items[0].weight;
    EXPECT_EQ(out.items[0].place, Vector3<double>(0, 0, 0));
  }
  Case const three = shrunk({0, 0, items(33)}, [](Case const& in) { return in.items.size() >= 3; });
  EXPECT_EQ(three.items.size(), 3u);
}

TEST(Shrink, ElementsOfAListAreRemovedAsAWhole) {
  // If the columns of a list were shortened separately, weight and place of an element would no longer belong together.
  Case in{0, 0, {}};
  for (int i = 1; i <= 16; ++i) in.items.push_back({static_cast<double>(i), Vector3<double>::Constant(i)});
  Case const out = shrunk(in, [](Case const& candidate) {
    for (Item const& item : candidate.items)
      if (item.place != Vector3<double>::Constant(item.weight)) return false;
    auto const eleven = std::find_if(candidate.items.begin(), candidate.items.end(),
                                     [](Item const& item) { return item.weight == 11; });
    return eleven != candidate.items.end() && eleven != candidate.items.begin();
  });
  ASSERT_EQ(out.items.size(), 2u);
  EXPECT_EQ(out.items[1].weight, 11);
}

/// Returns the number in a line of /proc/self/status, in KiB. "VmRSS" is the current size, "VmHWM" is the largest size
/// since the last reset.
std::size_t kibibytes(std::string const& which) {
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key; status.ignore(1000, '\n'))
    if (std::size_t size = 0; key == which + ":" && status >> size) return size;
  return 0;
}

TEST(Shrink, LongCasesDoNotFillTheMemory) {
  // If shrinking copied the case for each simpler value of each number, it would need 1.5 GB for 1,000 elements and 14
  // GB for 3,000.
  for (std::size_t const size : {std::size_t{1000}, std::size_t{3000}}) {
    Table table(schema);
    append(table, Case{1, 2, items(size)});
    std::ofstream("/proc/self/clear_refs") << 5;
    std::size_t const before = kibibytes("VmRSS");
    bool first = true;
    Table const small = shrink(schema, table, 0, [&](Table const& candidates) {
      std::vector<bool> fails(candidates.rows);
      for (std::size_t row = 0; row < candidates.rows; ++row)
        fails[row] = load<Case>(candidates, row).items.size() == size && !std::exchange(first, false);
      return fails;
    });
    EXPECT_EQ(load<Case>(small, 0).items.size(), size);
    if (!sanitized) {
      EXPECT_LT(kibibytes("VmHWM"), before + (std::size_t{256} << 10)) << size;
    }
  }
}

TEST(Shrink, AnExactTextIsRemovedWithItsNumber) {
  Table table(schema);
  append(table, Case{0.1, 0.2, {}});
  table.exact[{0, 0}] = "1/10";
  Table const kept = shrink(schema, table, 0, [](Table const& candidates) {
    std::vector<bool> fails;
    for (std::size_t row = 0; row < candidates.rows; ++row) fails.push_back(candidates.columns[0][row] == 0.1);
    return fails;
  });
  EXPECT_EQ(kept.exact.size(), 1u);
  Table const gone =
      shrink(schema, table, 0, [](Table const& candidates) { return std::vector<bool>(candidates.rows, true); });
  EXPECT_TRUE(gone.exact.empty());
}

TEST(Complexity, OrdersNumbersByReadability) {
  EXPECT_EQ(complexity(0), 0);
  EXPECT_EQ(complexity(-0.0), 0);
  EXPECT_LT(complexity(0), complexity(1));
  EXPECT_LT(complexity(1), complexity(-1));
  EXPECT_LT(complexity(-1), complexity(3));
  EXPECT_LT(complexity(1), complexity(2));
  EXPECT_LT(complexity(3), complexity(0.1));
  EXPECT_LT(complexity(0.1), complexity(std::numeric_limits<double>::infinity()));
  EXPECT_LT(complexity(1), complexity(0x1p-1074));
}

}  // namespace shrink_test
}  // namespace demeter
