// Where things stand in the plot of accuracy against speed: its axes, the Pareto frontier, and labels that cover
// neither points nor each other. Pixels throughout, y upwards.
#pragma once

#include "reports/format/model.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;
};

/// The area that two boxes share.
double overlap(Box const& a, Box const& b);

/// In characters, not bytes: continuation bytes of UTF-8 take no room.
double text_width(std::string_view text, double per_character);

/// A linear scale between two values and two pixels.
struct Scale {
  double low = 0, high = 1, first = 0, last = 1;

  double pixel(double value) const { return first + (value - low) / (high - low) * (last - first); }
  double value(double pixel) const { return low + (pixel - first) / (last - first) * (high - low); }
};

/// The axis of errors: log10 of an error in u = 2^-53, never divided by a budget, so that equal errors are at equal
/// height. At `no_digit` and above no digit is right. An exact answer is below all others, one that is not finite above.
struct ErrorAxis {
  static constexpr double no_digit = 15.954589770191003;  ///< log10(2^53): an error of 100 %

  double lowest = -0.5, highest = 1;  ///< of the finite errors; `no_digit` at most
  bool exact_seen = false, infinite_seen = false;
  double exact = 0, infinite = 0;  ///< places of those
  double low = 0, high = 0;        ///< ends of the axis

  /// The place of a level; of minus infinity that of exact answers, of infinity that of answers that are not finite.
  double at(double level) const;
};

/// For such levels.
ErrorAxis error_axis(std::vector<double> const& levels);

struct Point {
  std::string name;
  double nanoseconds = 0;
  double level = 0;  ///< log10 of the error in u; infinite where it is exact or not finite
  Origin origin = Origin::peer;
  bool passes = true;   ///< in every output of the profile
  double place = 0;     ///< of `level` on the axis
  double x = 0, y = 0;  ///< pixels
};

/// The faster first, of equals the more accurate one.
std::vector<Point const*> by_time(std::vector<Point> const& points);

/// The Pareto frontier of the points that pass, by time: for each of its points, no other that passes is as fast and as
/// accurate.
std::vector<Point const*> frontier(std::vector<Point> const& points);

/// The frontier's steps as strokes of two pixels, from the top of the frame to its right end.
std::vector<Box> strokes_of(std::vector<Point const*> const& frontier, Box const& frame);

struct Label {
  enum class Side { right, left, centred };  ///< of the place at which its text is anchored
  Side side = Side::right;
  double x = 0, y = 0;
  double distance = 0;  ///< from the point
  Box box{};
};

/// One label a point, in the order given: at the cheapest place around it, where distance costs little, strokes under
/// it more, and other labels and points most. `widths` are the lengths of the labels, `taken` what must not be covered.
std::vector<Label> place_labels(std::vector<Point const*> const& points, std::vector<double> const& widths,
                                std::vector<Box> taken, std::vector<Box> const& strokes, Box const& frame);

/// A box for the name of a vertical line at x: beside the line, on the left or on the right, lowered until the place is
/// free.
Box place_beside_line(double x, double length, std::vector<Box> const& taken, Box const& frame);

}  // namespace demeter::report
