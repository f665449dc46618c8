// Finds kinks by second differences. The intervals are halved as long as slopes can be distinguished from rounding. If
// the width of the interval is h, second differences decrease like h^2 where a function is smooth, and like h at a
// kink.
#include "check/kinks.hpp"

#include <cmath>
#include <optional>

namespace demeter::path_search {
namespace {

constexpr int halvings = 16, halvings_before_wide = 8;

/// Three samples of one quantity at equal distances. They show how much the slope changes between them.
struct Bend {
  std::size_t path, quantity;
  std::array<double, 3> at;
  std::array<Numbers, 3> numbers;
  double wide = 0;  ///< change of slope after half of the halvings, see note_bend()

  double width() const { return at[2] - at[0]; }
};

/// Returns the absolute value of the second difference of a quantity (for a vector: its length).
double bent(Laboratory const& lab, Bend const& bend) {
  Quantity const& quantity = lab.quantities[bend.quantity];
  double square = 0;
  for (std::size_t i = quantity.first; i < quantity.first + quantity.count; ++i) {
    double const second = bend.numbers[0][i] - 2 * bend.numbers[1][i] + bend.numbers[2][i];
    square += second * second;
  }
  return square >= 0 ? std::sqrt(square) : 0;
}

/// Returns the bend with the largest second difference, for every quantity and every path, on the grid.
std::vector<Bend> sharpest_on_grid(Probe& probe, Table const& paths) {
  std::vector<Place> const places = places_on_grid(paths, grid);
  probe.look(paths, places);
  std::vector<Bend> bends;
  for (std::size_t path = 0; path < paths.rows; ++path) {
    for (std::size_t k = 0; k < probe.lab.quantities.size(); ++k) {
      std::optional<Bend> most;
      for (std::size_t i = 1; i < grid; ++i) {
        std::size_t const row = path * (grid + 1) + i;
        Bend bend{path, k, {}, {}, 0};
        for (std::size_t j = 0; j < 3; ++j) {
          bend.at[j] = places[row - 1 + j].parameter;
          bend.numbers[j] = probe.numbers(row - 1 + j);
        }
        if (!most || bent(probe.lab, bend) > bent(probe.lab, *most)) most = bend;
      }
      if (bent(probe.lab, *most) > 0) bends.push_back(*most);
    }
  }
  return bends;
}

/// Replaces every bend by the sharpest of the three bends of half its width.
void halve(Probe& probe, Table const& paths, std::vector<Bend>& bends) {
  std::vector<Place> places;
  for (auto const& bend : bends) {
    places.push_back({bend.path, (bend.at[0] + bend.at[1]) / 2});
    places.push_back({bend.path, (bend.at[1] + bend.at[2]) / 2});
  }
  probe.look(paths, places);
  for (std::size_t i = 0; i < bends.size(); ++i) {
    Bend const whole = bends[i];
    std::array<double, 5> const at{whole.at[0], places[2 * i].parameter, whole.at[1], places[2 * i + 1].parameter,
                                   whole.at[2]};
    std::array<Numbers, 5> const numbers{whole.numbers[0], probe.numbers(2 * i), whole.numbers[1],
                                         probe.numbers(2 * i + 1), whole.numbers[2]};
    for (std::size_t j = 0; j < 3; ++j) {
      Bend part = whole;
      for (std::size_t end = 0; end < 3; ++end) part.at[end] = at[j + end], part.numbers[end] = numbers[j + end];
      if (j == 0 || bent(probe.lab, part) > bent(probe.lab, bends[i])) bends[i] = part;
    }
  }
}

/// Classifies a bend by the ratio of its change of slope to the change of slope eight halvings before. The ratio is 1
/// at a kink, 2^-8 where the function is smooth, and 2^8 at a jump. A ratio between 1 and 2^8 means a change like a
/// power of the motion. (Bisection by changes misses a cusp, because a cusp has the same height on both sides.)
void note_bend(Probe const& probe, Table const& paths, Bend const& bend, double motion, Continuity& result) {
  double const slope = bent(probe.lab, bend) / bend.width();
  if (!(bend.wide > 0) || !(motion > 0)) return;
  double const kept = slope / bend.wide, turn = 2 * slope / motion;
  if (double const exponent = 1 - std::log2(kept) / halvings_before_wide; kept > 2.5 && exponent > 0.2) {
    Hoelder& cusp = result.steep[bend.quantity];
    ++cusp.found;
    if (exponent < cusp.exponent) {
      cusp.exponent = exponent;
      cusp.parameter = bend.at[1];
      cusp.path = one_path(probe.lab, paths, bend.path);
    }
  }
  if (kept < 0.4 || kept > 2.5 || turn < 1e-6) return;
  Kink& kink = result.kinks[bend.quantity];
  ++kink.found;
  if (turn <= kink.turn) return;
  kink.turn = turn;
  kink.parameter = bend.at[1];
  kink.path = one_path(probe.lab, paths, bend.path);
}

}  // namespace

void search_kinks(Probe& probe, Table const& paths, Continuity& result) {
  Laboratory const& lab = probe.lab;
  std::vector<Bend> bends = sharpest_on_grid(probe, paths);
  if (bends.empty()) return;
  for (int level = 0; level < halvings; ++level) {
    if (level == halvings_before_wide)
      for (auto& bend : bends) bend.wide = bent(lab, bend) / bend.width();
    if (probe.late()) return;
    halve(probe, paths, bends);
  }
  std::vector<Place> places;
  for (auto const& bend : bends) {
    places.push_back({bend.path, bend.at[0]});
    places.push_back({bend.path, bend.at[2]});
  }
  Table inputs(probe.input_schema());
  lab.at(paths, places, inputs);
  for (std::size_t i = 0; i < bends.size(); ++i)
    note_bend(probe, paths, bends[i], lab.motion(inputs, 2 * i, 2 * i + 1) / bends[i].width(), result);
}

}  // namespace demeter::path_search
