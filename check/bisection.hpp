// Suspicious intervals of paths, bisected down to adjacent parameters.
#pragma once

#include "check/probe.hpp"

#include <optional>

namespace demeter::path_search {

/// Widths at which a bisection is looked at: where slopes are read off, where a jump must already be what it is in the
/// end, and adjacent parameters (of [1/2, 1]; nearer to 0 there are more, to no purpose).
constexpr double slope_width = 0x1p-20, wide_width = 0x1p-42, least_width = 0x1p-53;

/// What a bisection follows.
enum class Stage {
  state,   ///< the part where the state changes, until the place of that change is known
  around,  ///< nothing yet: the ends have been moved apart around that place and are to be observed anew
  size,    ///< the part with the largest change of one quantity
  done     ///< the ends are adjacent
};

/// The changes across an interval that a bisection passed through.
struct Reading {
  double low = 0, high = 0;
  Changes changes{};
};

/// An interval that is being bisected.
struct Bisection {
  std::size_t path = 0;
  Sample low, high;
  std::size_t follow = 0;  ///< the quantity whose larger change decides
  Stage stage = Stage::size;
  std::optional<Reading> slope;  ///< across `slope_width`
  std::optional<Reading> wide;   ///< across `wide_width`

  double width() const { return high.parameter - low.parameter; }
};

/// Bisects all in lockstep, so that one call of the subject serves them all. In the end all are done, and both readings
/// of each have been taken; false if that was given up because it is too late.
bool bisect(Probe& probe, Table const& paths, std::vector<Bisection>& all);

}  // namespace demeter::path_search
