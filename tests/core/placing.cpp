// Tests the layout of the plot of accuracy against speed.
#include "reports/site/placing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace demeter {
namespace placing_test {

using namespace report;

Point point(double nanoseconds, double level) {
  Point result;
  result.nanoseconds = nanoseconds;
  result.level = level;
  return result;
}

TEST(Placing, ScaleConvertsValuesToPixelsAndBack) {
  Scale const scale{-1, 3, 100, 500};
  EXPECT_EQ(scale.pixel(-1), 100);
  EXPECT_EQ(scale.pixel(3), 500);
  EXPECT_EQ(scale.pixel(0), 200);
  EXPECT_EQ(scale.value(200), 0);
}

TEST(Placing, AnErrorHasTheSameHeightInEveryPlot) {
  ErrorAxis const few = error_axis({-0.5, 0.2, 2.5}), many = error_axis({-3, 12});
  for (double const level : {-0.5, 0.0, 1.5, 2.5, 12.0}) {
    EXPECT_EQ(few.at(level), level);
    EXPECT_EQ(many.at(level), level);
  }
  EXPECT_FALSE(few.exact_seen || few.infinite_seen);
  EXPECT_LT(few.low, -0.5);
  EXPECT_GT(few.high, 2.5);
}

TEST(Placing, TheErrorAxisEndsAtAnErrorOfOneHundredPercent) {
  ErrorAxis const axis = error_axis({0, 300});
  EXPECT_EQ(axis.at(300), ErrorAxis::no_digit);
  EXPECT_EQ(axis.highest, ErrorAxis::no_digit);
  EXPECT_NEAR(std::pow(10, ErrorAxis::no_digit) * 0x1p-53, 1, 1e-12) << "an error of 100 %";
}

TEST(Placing, ExactAndInfiniteErrorsAreDrawnBeyondTheOthers) {
  ErrorAxis const axis = error_axis({HUGE_VAL, -2.5, 15, -HUGE_VAL});
  EXPECT_TRUE(axis.exact_seen && axis.infinite_seen);
  EXPECT_LT(axis.at(-HUGE_VAL), axis.at(-2.5));
  EXPECT_GT(axis.at(HUGE_VAL), axis.at(15));
  EXPECT_LT(axis.low, axis.at(-HUGE_VAL));
  EXPECT_GT(axis.high, axis.at(HUGE_VAL));
}

TEST(Placing, OnTheFrontierNoFasterSubjectIsAsAccurate) {
  std::vector<Point> points{point(30, -1), point(10, 2),       point(20, 2),         point(10, 1.5),
                            point(40, 0),  point(5, HUGE_VAL), point(50, -HUGE_VAL), point(60, -HUGE_VAL)};
  points[5].passes = false;
  auto const best = frontier(points);
  ASSERT_EQ(best.size(), 3u);
  EXPECT_EQ(best[0], &points[3]) << "of two as fast the more accurate one";
  EXPECT_EQ(best[1], &points[0]);
  EXPECT_EQ(best[2], &points[6]) << "exact";
  EXPECT_TRUE(frontier({}).empty());
  points.resize(1);
  points[0].passes = false;
  EXPECT_TRUE(frontier(points).empty());
}

TEST(Placing, TheFrontierIsDrawnAsSteps) {
  Box const frame{0, 0, 100, 100};
  std::vector<Point> points{point(1, 1), point(2, 0)};
  points[0].x = 20, points[0].y = 70, points[1].x = 50, points[1].y = 30;
  auto const strokes = strokes_of(frontier(points), frame);
  ASSERT_EQ(strokes.size(), 4u);
  auto const is = [](Box const& a, Box const& b) {
    return a.left == b.left && a.bottom == b.bottom && a.right == b.right && a.top == b.top;
  };
  EXPECT_TRUE(is(strokes[0], {19, 70, 21, 100})) << "from the top of the frame";
  EXPECT_TRUE(is(strokes[1], {20, 69, 50, 71}));
  EXPECT_TRUE(is(strokes[2], {49, 30, 51, 70}));
  EXPECT_TRUE(is(strokes[3], {50, 29, 100, 31})) << "to its right end";
  EXPECT_TRUE(strokes_of({}, frame).empty());
}

TEST(Placing, LabelsCoverNeitherPointsNorEachOther) {
  Box const frame{0, 0, 800, 500};
  std::vector<Point> points(5);
  std::vector<Point const*> all;
  std::vector<Box> taken;
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].x = 400 + 12 * static_cast<double>(i);
    points[i].y = 250;
    all.push_back(&points[i]);
    taken.push_back({points[i].x - 7, 243, points[i].x + 7, 257});
  }
  std::vector<double> const widths{60, 90, 40, 120, 80};
  auto const labels = place_labels(all, widths, taken, {}, frame);
  ASSERT_EQ(labels.size(), points.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    EXPECT_EQ(labels[i].box.right - labels[i].box.left, widths[i]);
    for (Box const& each : taken) EXPECT_EQ(overlap(labels[i].box, each), 0) << i;
    for (std::size_t k = 0; k < i; ++k) EXPECT_EQ(overlap(labels[i].box, labels[k].box), 0) << i << " and " << k;
  }
}

TEST(Placing, ALabelStaysInTheFrameAndAvoidsStrokes) {
  Box const frame{0, 0, 800, 500};
  Point point;
  point.x = 790, point.y = 250;
  auto const at_the_edge = place_labels({&point}, {100}, {}, {}, frame).front();
  EXPECT_EQ(at_the_edge.side, Label::Side::left);
  EXPECT_LT(at_the_edge.box.right, frame.right);
  point.x = 400;
  auto const free = place_labels({&point}, {100}, {}, {}, frame).front();
  EXPECT_EQ(free.side, Label::Side::right);
  EXPECT_EQ(free.distance, 13) << "as near as can be";
  auto const crossed = place_labels({&point}, {100}, {}, {{400, 249, 800, 251}}, frame).front();
  EXPECT_EQ(overlap(crossed.box, {400, 249, 800, 251}), 0);
}

TEST(Placing, NamesBesideLinesDoNotOverlapAndStayInTheFrame) {
  Box const frame{0, 0, 800, 500};
  Box const first = place_beside_line(300, 60, {}, frame);
  EXPECT_LT(first.right, 300);
  EXPECT_EQ(first.top - first.bottom, 64);
  Box const second = place_beside_line(301, 60, {first}, frame);
  EXPECT_EQ(overlap(first, second), 0);
  EXPECT_GT(second.left, 301) << "on the other side";
  Box const third = place_beside_line(300, 60, {first, second}, frame);
  EXPECT_LT(third.top, first.bottom + 1) << "lowered";
  EXPECT_GE(place_beside_line(3, 60, {}, frame).left, frame.left) << "not out of the frame";
}

TEST(Placing, TextWidthCountsCharacters) {
  EXPECT_EQ(text_width("abc", 2), 6);
  EXPECT_EQ(text_width("aé–", 2), 6);
}

}  // namespace placing_test
}  // namespace demeter
