#include "check/bisection.hpp"

#include <algorithm>

namespace demeter::path_search {
namespace {

/// The bisection of a change of state ends when the interval has this width. The search then follows the largest change
/// of a quantity near this place, because rounding may make the formula and the laboratory change state at different
/// places.
constexpr double state_width = 0x1p-44;

Reading read(Probe const& probe, Bisection const& one) {
  return {one.low.parameter, one.high.parameter, probe.changes(one.low.numbers, one.high.numbers)};
}

void take_readings(Probe const& probe, Bisection& one) {
  if (!one.slope && one.width() <= slope_width) one.slope = read(probe, one);
  if (!one.wide && one.width() <= wide_width && one.stage == Stage::size) one.wide = read(probe, one);
}

/// Widens the interval on both sides of the located change of state.
void move_ends(Bisection& one) {
  double const width = one.width();
  one.stage = Stage::around;
  one.low.parameter = std::max(0.0, one.low.parameter - 8 * width);
  one.high.parameter = std::min(1.0, one.high.parameter + 8 * width);
}

/// Appends the places at which this bisection needs observations next, in ascending order. Appends none if the
/// bisection is done.
void ask(Bisection& one, std::size_t parts, std::vector<Place>& places) {
  if (one.stage == Stage::state && one.width() <= state_width) move_ends(one);
  bool const anew = one.stage == Stage::around;
  if (anew) places.push_back({one.path, one.low.parameter});
  std::size_t const begin = places.size();
  double last = one.low.parameter;
  for (std::size_t j = 1; j < parts; ++j) {
    double const middle = one.low.parameter + one.width() * (static_cast<double>(j) / static_cast<double>(parts));
    if (middle > last && middle < one.high.parameter) places.push_back({one.path, last = middle});
  }
  if (anew) {
    places.push_back({one.path, one.high.parameter});
  } else if (places.size() == begin || one.width() <= least_width) {
    places.resize(begin);
    one.stage = Stage::done;
  }
}

/// Keeps one part of the interval. In stage `state` this is the part with the first change of state, otherwise the part
/// with the largest change. Rows `begin` to `end` - 1 of the last call of look() are the samples of this bisection.
void narrow(Probe const& probe, std::span<Place const> places, std::size_t begin, std::size_t end, Bisection& one) {
  if (one.stage == Stage::around) {
    one.low = probe.sample(places, begin++);
    one.high = probe.sample(places, --end);
    one.stage = Stage::size;
    Changes const now = probe.changes(one.low.numbers, one.high.numbers);
    one.follow = static_cast<std::size_t>(std::max_element(now.begin(), now.end()) - now.begin());
  }
  Sample low = one.low, best_low = one.low, best_high = one.high;
  double most = -1;
  bool found = false;
  for (std::size_t row = begin; row <= end; ++row) {
    Sample const high = row == end ? one.high : probe.sample(places, row);
    double const size = change(probe.lab.quantities[one.follow], low.numbers, high.numbers);
    if (one.stage == Stage::state ? !found && low.state != high.state : size > most) {
      found = true;
      most = size;
      best_low = low, best_high = high;
    }
    low = high;
  }
  one.low = best_low, one.high = best_high;
}

}  // namespace

bool bisect(Probe& probe, Table const& paths, std::vector<Bisection>& all) {
  struct Asked {
    std::size_t which, begin;
  };
  std::vector<Place> places;
  std::vector<Asked> asked;
  for (;;) {
    places.clear();
    asked.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].stage == Stage::done) continue;
      take_readings(probe, all[i]);
      asked.push_back({i, places.size()});
      ask(all[i], probe.sections(), places);
      if (all[i].stage == Stage::done) asked.pop_back();
    }
    if (asked.empty()) return true;
    if (probe.late()) return false;
    probe.look(paths, places);
    for (std::size_t a = 0; a < asked.size(); ++a) {
      std::size_t const end = a + 1 < asked.size() ? asked[a + 1].begin : places.size();
      narrow(probe, places, asked[a].begin, end, all[asked[a].which]);
    }
  }
}

}  // namespace demeter::path_search
