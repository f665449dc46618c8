// Bisects suspicious intervals of paths until their ends are adjacent parameters. An interval is suspicious if it may
// contain a jump (see suspects.hpp).
#pragma once

#include "check/probe.hpp"

#include <optional>

namespace demeter::path_search {

/// Widths of parameter intervals. At `slope_width` the bisection records the changes from which slopes are computed. A
/// jump must already have its final size at `wide_width`. `least_width` is the distance of adjacent doubles in [1/2,
/// 1]. Doubles near 0 are closer together, but the search does not need narrower intervals.
constexpr double slope_width = 0x1p-20, wide_width = 0x1p-42, least_width = 0x1p-53;

/// The part of the interval that a bisection keeps next.
enum class Stage {
  state,   ///< the part with the change of state, until its place is located
  around,  ///< no part: the ends were moved apart, and both must be observed again
  size,    ///< the part with the largest change of one quantity
  done     ///< the ends are adjacent
};

/// The changes of all quantities across the interval of a bisection, recorded at one of the widths above.
struct Reading {
  double low = 0, high = 0;
  Changes changes{};
};

/// An interval that is being bisected.
struct Bisection {
  std::size_t path = 0;
  Sample low, high;
  std::size_t follow = 0;  ///< index of a quantity: the bisection keeps the part in which this quantity changes most
  Stage stage = Stage::size;
  std::optional<Reading> slope;  ///< recorded at the width `slope_width`
  std::optional<Reading> wide;   ///< recorded at the width `wide_width`

  double width() const { return high.parameter - low.parameter; }
};

/// Bisects all intervals in parallel, so that one call of the subject serves all of them. At the end each bisection has
/// the stage `done` and has recorded `slope` and `wide`. Returns false if the search stopped early because its time was
/// over.
bool bisect(Probe& probe, Table const& paths, std::vector<Bisection>& all);

}  // namespace demeter::path_search
