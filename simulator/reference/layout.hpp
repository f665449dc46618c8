// The discs and the boundary of a non-smooth scene as exact numbers. These numbers can be rounded to any arithmetic in
// one operation. Source: docs/mathematics/simulator.md#non-smooth-dynamics.
#pragma once

#include "simulator/spec/nonsmooth.hpp"

#include <string>
#include <vector>

namespace demeter::simulator {

struct Laid {
  Layout<Number> layout;
  std::vector<std::string> discs, polylines;  ///< names of the discs and polylines
};

/// Returns the layout of a valid scene.
Laid lay_out(Scene<Number> const& scene);

/// A disc of a filling.
struct Filled {
  Vector2<Number> position;
  Number radius;
};

/// The reason why a filling is impossible: the key that is wrong, and the value that is expected.
struct Misfit {
  std::string key, expected;
};
std::optional<Misfit> misfit(Fill<Number> const& fill);
/// Returns the discs of a valid filling.
std::vector<Filled> filled(Fill<Number> const& fill);

/// Returns whether two numbers are exactly equal.
bool same(Number const& x, Number const& y);

}  // namespace demeter::simulator
