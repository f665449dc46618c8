#include "reports/family/clump/arrangement.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace demeter::clump_file {
namespace {

using Point = Vector3<double>;

/// Grids for finding neighbours. There is one grid for each power of two of the radii. The edge of its cells is two to
/// four times the radius of its balls. For each ball i, only 27 cells of a grid are searched: the cells around the
/// centre of i. These cells contain the centres of all balls that overlap i, if the grid is the grid of i or a coarser
/// grid.
class Neighbours {
 public:
  Neighbours(std::vector<Ball> const& balls, std::vector<std::size_t> const& chosen) {
    for (std::size_t const i : chosen) {
      int const own = level(balls[i].radius);
      levels_.push_back(own);
      placed_.push_back({cell(balls[i].centre, own), balls[i].centre, balls[i].radius, i, own});
    }
    std::sort(levels_.begin(), levels_.end());
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
    // Makes cells that are neighbours along x consecutive.
    std::sort(placed_.begin(), placed_.end(), [](Placed const& a, Placed const& b) {
      return std::tuple(a.level, a.cell[2], a.cell[1], a.cell[0], a.index) <
             std::tuple(b.level, b.cell[2], b.cell[1], b.cell[0], b.index);
    });
    head_.assign(std::bit_ceil(2 * placed_.size()), none);
    for (std::size_t k = placed_.size(); k-- > 0;) head_[find(placed_[k].level, placed_[k].cell)] = k;
  }

  /// Calls `visit(i, j)` for every pair of balls that may overlap, where the grid of j is not finer than the grid of i.
  /// Some pairs are visited twice.
  template <class Visit>
  void for_each_pair(Visit const& visit) const {
    for (Placed const& ball : placed_)
      for (auto l = std::lower_bound(levels_.begin(), levels_.end(), ball.level); l != levels_.end(); ++l) {
        Point const middle = cell(ball.centre, *l);
        for (int step = 0; step < 27; ++step) {
          Point const at = middle + Point(step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1);
          for (std::size_t k = head_[find(*l, at)]; k < placed_.size() && same(placed_[k], *l, at); ++k) {
            double const reach = 1.001 * (ball.radius + placed_[k].radius);
            Point const d = (placed_[k].centre - ball.centre).cwiseAbs();
            if (d.maxCoeff() <= reach && placed_[k].index != ball.index) visit(ball.index, placed_[k].index);
          }
        }
      }
  }

 private:
  struct Placed {
    Point cell, centre;
    double radius;
    std::size_t index;
    int level;
  };
  static constexpr std::size_t none = ~std::size_t{0};

  static int level(double radius) { return std::ilogb(radius); }
  static Point cell(Point const& x, int level) {
    if (std::abs(level) < 1000) {
      double const inverse = std::ldexp(1.0, -level - 2);
      return {std::floor(x[0] * inverse), std::floor(x[1] * inverse), std::floor(x[2] * inverse)};
    }
    auto const of = [level](double coordinate) { return std::floor(std::ldexp(coordinate, -level - 2)); };
    return {of(x[0]), of(x[1]), of(x[2])};
  }
  static bool same(Placed const& ball, int level, Point const& at) { return ball.level == level && ball.cell == at; }

  /// Returns the slot of the first ball in a cell, or a free slot if the cell is empty (open addressing).
  std::size_t find(int level, Point const& at) const {
    auto hash = static_cast<std::uint64_t>(level);
    for (double const x : at) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
    }
    std::size_t slot = static_cast<std::size_t>(hash) & (head_.size() - 1);
    while (head_[slot] != none && !same(placed_[head_[slot]], level, at)) slot = (slot + 1) & (head_.size() - 1);
    return slot;
  }

  std::vector<Placed> placed_;
  std::vector<int> levels_;
  std::vector<std::size_t> head_;
};

}  // namespace

Arrangement arrangement(std::vector<Ball> const& balls) {
  Arrangement result;
  result.hidden.assign(balls.size(), false);
  std::vector<std::size_t> order(balls.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const key = [&](std::size_t i) {
    Ball const& ball = balls[i];
    return std::tuple(ball.centre[0], ball.centre[1], ball.centre[2], ball.radius);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0 && key(order[k]) == key(order[k - 1])) {
      ++result.duplicates;
      result.hidden[order[k]] = true;
    } else {
      chosen.push_back(order[k]);
    }
  }

  std::vector<std::size_t> parent(balls.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  auto const root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  Neighbours const neighbours(balls, chosen);
  neighbours.for_each_pair([&](std::size_t i, std::size_t j) {
    using Wide = long double;
    Wide const a = balls[i].radius, b = balls[j].radius;
    Wide const square = (balls[i].centre.cast<Wide>() - balls[j].centre.cast<Wide>()).squaredNorm();
    if (square > (a + b) * (a + b)) return;
    parent[root(i)] = root(j);
    if (b > a && square <= (b - a) * (b - a)) result.hidden[i] = true;
  });
  std::vector<std::size_t> size(balls.size(), 0);
  for (std::size_t const i : chosen) {
    if (result.hidden[i]) ++result.contained;
    result.largest = std::max(result.largest, ++size[root(i)]);
    if (root(i) == i) ++result.parts;
  }
  return result;
}

}  // namespace demeter::clump_file
