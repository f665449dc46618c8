// The discs and the boundary of a non-smooth scene, whatever the arithmetic: exact numbers, of which each is rounded
// once. Source: docs/mathematics/simulator.md#non-smooth-dynamics.
#pragma once

#include "simulator/spec/nonsmooth.hpp"

#include <string>
#include <vector>

namespace demeter::simulator {

struct Laid {
  Layout<Number> layout;
  std::vector<std::string> discs, polylines;  ///< their names
};

/// Of a scene that is valid.
Laid lay_out(Scene<Number> const& scene);

/// A disc of a filling.
struct Filled {
  Vector2<Number> position;
  Number radius;
};

/// Why a filling is none, or nothing: the key and what was expected of it.
struct Misfit {
  std::string key, expected;
};
std::optional<Misfit> misfit(Fill<Number> const& fill);
/// Of a filling that is one.
std::vector<Filled> filled(Fill<Number> const& fill);

/// Whether two numbers are the same, exactly.
bool same(Number const& x, Number const& y);

}  // namespace demeter::simulator
