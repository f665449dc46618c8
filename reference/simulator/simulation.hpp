// A scene to be run: the reference simulator in an arithmetic, as data and functions that name none.
#pragma once

#include "reference/spec/simulator/simulation.hpp"

#include <optional>

namespace demeter::simulator::reference {

/// The arithmetics that a simulation is compiled for.
struct InArithmetic {
  enum class Kind { binary64, long_double, multiprecision };
  Kind kind = Kind::binary64;
  unsigned digits = 0;  ///< of multiprecision, decimal
};

/// Why a scene cannot be simulated: the key, and what was expected of it.
struct Unfit {
  std::string key, expected;
};

/// A simulation of a valid scene, with its step halved `refinement` times. `unfit` says why there is none.
std::optional<Simulation> simulate(Scene<Number> const& scene, InArithmetic arithmetic, unsigned refinement,
                                   Unfit& unfit);

}  // namespace demeter::simulator::reference
