#include "reports/site/placing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

namespace demeter::report {

double overlap(Box const& a, Box const& b) {
  double const width = std::min(a.right, b.right) - std::max(a.left, b.left);
  double const height = std::min(a.top, b.top) - std::max(a.bottom, b.bottom);
  return width > 0 && height > 0 ? width * height : 0;
}

double text_width(std::string_view text, double per_character) {
  auto const characters =
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return static_cast<double>(characters) * per_character;
}

double ErrorAxis::at(double level) const {
  if (std::isinf(level)) return level > 0 ? infinite : exact;
  return std::min(level, no_digit);
}

ErrorAxis error_axis(std::vector<double> const& levels) {
  ErrorAxis axis;
  for (double const level : levels) {
    if (std::isinf(level)) {
      (level > 0 ? axis.infinite_seen : axis.exact_seen) = true;
    } else {
      axis.lowest = std::min(axis.lowest, axis.at(level));
      axis.highest = std::max(axis.highest, axis.at(level));
    }
  }
  double const span = axis.highest - axis.lowest;
  axis.exact = axis.lowest - .08 * span;
  axis.infinite = axis.highest + .1 * span;
  axis.low = (axis.exact_seen ? axis.exact : axis.lowest) - .06 * span;
  axis.high = axis.infinite_seen ? axis.infinite + .07 * span : axis.highest + .12 * span;
  return axis;
}

std::vector<Point const*> by_time(std::vector<Point> const& points) {
  std::vector<Point const*> ordered;
  for (Point const& point : points) ordered.push_back(&point);
  std::sort(ordered.begin(), ordered.end(), [](auto a, auto b) {
    return a->nanoseconds != b->nanoseconds ? a->nanoseconds < b->nanoseconds : a->level < b->level;
  });
  return ordered;
}

std::vector<Point const*> frontier(std::vector<Point> const& points) {
  std::vector<Point const*> result;
  for (Point const* point : by_time(points)) {
    if (!point->passes || !point->ranked || std::isinf(point->nanoseconds)) continue;
    if (result.empty() || point->level < result.back()->level) result.push_back(point);
  }
  return result;
}

std::vector<Box> strokes_of(std::vector<Point const*> const& frontier, Box const& frame) {
  std::vector<Box> strokes;
  double left = 0, above = frame.top;  // the left end and the height of the step that ends at the point
  for (Point const* point : frontier) {
    if (point != frontier.front()) strokes.push_back({left, above - 1, point->x, above + 1});
    strokes.push_back({point->x - 1, point->y, point->x + 1, above});
    left = point->x;
    above = point->y;
  }
  if (!frontier.empty()) strokes.push_back({left, above - 1, frame.right, above + 1});
  return strokes;
}

namespace {

/// A position of a label, given by the direction from its point.
struct Direction {
  Label::Side side;
  double x, y;
};
constexpr std::array<Direction, 8> directions{{{Label::Side::right, 1, 0},
                                               {Label::Side::left, -1, 0},
                                               {Label::Side::right, .7, .7},
                                               {Label::Side::right, .7, -.7},
                                               {Label::Side::left, -.7, .7},
                                               {Label::Side::left, -.7, -.7},
                                               {Label::Side::centred, 0, 1},
                                               {Label::Side::centred, 0, -1}}};

Label label_at(Point const& point, Direction const& direction, double distance, double width) {
  Label label{direction.side, point.x + direction.x * distance, point.y + direction.y * distance, distance};
  double const begin = label.side == Label::Side::right  ? label.x
                       : label.side == Label::Side::left ? label.x - width
                                                         : label.x - width / 2;
  label.box = {begin, label.y - 8, begin + width, label.y + 8};
  return label;
}

double cost_of(Label const& label, double width, std::vector<Box> const& taken, std::vector<Box> const& strokes,
               Box const& frame) {
  double cost = label.distance / 100;
  for (Box const& other : taken) cost += overlap(label.box, other);
  Box const inner{frame.left + 8, frame.bottom + 2, frame.right - 2, frame.top - 2};
  cost += (width * 16 - overlap(label.box, inner)) * 4;
  // A label may cover strokes, at a cost.
  for (Box const& line : strokes) cost += overlap(label.box, line) * .2;
  return cost;
}

}  // namespace

std::vector<Label> place_labels(std::vector<Point const*> const& points, std::vector<double> const& widths,
                                std::vector<Box> taken, std::vector<Box> const& strokes, Box const& frame) {
  std::vector<Label> labels;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Label chosen;
    double least = HUGE_VAL;
    for (double const distance : {13.0, 21.0, 32.0, 46.0, 62.0, 80.0}) {
      for (Direction const& direction : directions) {
        Label const label = label_at(*points[i], direction, distance, widths[i]);
        double const cost = cost_of(label, widths[i], taken, strokes, frame);
        if (cost < least - 1e-9) {
          least = cost;
          chosen = label;
        }
      }
    }
    taken.push_back(chosen.box);
    labels.push_back(chosen);
  }
  return labels;
}

Box place_beside_line(double x, double length, std::vector<Box> const& taken, Box const& frame) {
  Box box;
  for (double lowered = 0; lowered < (frame.top - frame.bottom) * .8; lowered += 12) {
    for (double const side : {-15.0, 2.0}) {
      box = {x + side, frame.top - 8 - length - lowered, x + side + 13, frame.top - 4 - lowered};
      if (box.left >= frame.left &&
          std::none_of(taken.begin(), taken.end(), [&](Box const& other) { return overlap(box, other) > 0; }))
        return box;
    }
  }
  return box;
}

}  // namespace demeter::report
