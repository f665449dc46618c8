// The layout of the plot of accuracy against speed: axes, Pareto frontier, and labels that cover neither points nor
// each other. All lengths are in pixels; y points upwards.
#pragma once

#include "reports/format/model.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;
};

/// Returns the area of the intersection of two boxes.
double overlap(Box const& a, Box const& b);

/// Returns the width of a text: `per_character` for each character, not for each byte, of UTF-8.
double text_width(std::string_view text, double per_character);

/// A linear scale between two values and two pixels.
struct Scale {
  double low = 0, high = 1, first = 0, last = 1;

  double pixel(double value) const { return first + (value - low) / (high - low) * (last - first); }
  double value(double pixel) const { return low + (pixel - first) / (last - first) * (high - low); }
};

/// The axis of errors: log10 of the error in u = 2^-53. Errors are not divided by budgets, so that equal errors have
/// equal heights. From `no_digit` on, no digit is correct. Exact answers are below all others, answers that are not
/// finite above all others.
struct ErrorAxis {
  static constexpr double no_digit = 15.954589770191003;  ///< log10(2^53): an error of 100 %

  double lowest = -0.5, highest = 1;  ///< range of the finite errors; `no_digit` at most
  bool exact_seen = false, infinite_seen = false;
  double exact = 0, infinite = 0;  ///< positions of exact and of infinite errors
  double low = 0, high = 0;        ///< ends of the axis

  /// Returns the position of a level on the axis. Minus infinity means exact, infinity means not finite.
  double at(double level) const;
};

/// Returns an axis that contains all these levels.
ErrorAxis error_axis(std::vector<double> const& levels);

struct Point {
  std::string name;
  double nanoseconds = 0;  ///< infinite: not timed
  double level = 0;        ///< log10 of the error in u; minus infinity: exact, infinity: not finite
  Origin origin = Origin::peer;
  bool passes = true;   ///< in every output of the profile
  bool ranked = true;   ///< false: timed under load, so that the time is not compared
  double place = 0;     ///< position of `level` on the axis
  double x = 0, y = 0;  ///< pixels
};

/// Returns the points in order of time. If times are equal, the more accurate point comes first.
std::vector<Point const*> by_time(std::vector<Point> const& points);

/// Returns the Pareto frontier of the ranked points that pass, in order of time: no other such point is at least as
/// fast and at least as accurate.
std::vector<Point const*> frontier(std::vector<Point> const& points);

/// Returns the steps of the frontier as strokes two pixels wide, from the top of the frame to its right end.
std::vector<Box> strokes_of(std::vector<Point const*> const& frontier, Box const& frame);

struct Label {
  enum class Side { right, left, centred };  ///< side of (x, y) on which the text is
  Side side = Side::right;
  double x = 0, y = 0;
  double distance = 0;  ///< from the point
  Box box{};
};

/// Returns one label per point, in the given order, each at the position with the least cost. Distance costs little,
/// strokes under the label cost more, covering points or other labels costs most. `widths` are the lengths of the
/// labels; `taken` are the boxes that must not be covered.
std::vector<Label> place_labels(std::vector<Point const*> const& points, std::vector<double> const& widths,
                                std::vector<Box> taken, std::vector<Box> const& strokes, Box const& frame);

/// Returns the first free box for the name of a vertical line at x: on the left or right of the line, then lower. If no
/// box is free, returns the last one tried.
Box place_beside_line(double x, double length, std::vector<Box> const& taken, Box const& frame);

}  // namespace demeter::report
