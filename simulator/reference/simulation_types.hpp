// How a simulation is asked for, and why there is none.
#pragma once

#include <string>

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

}  // namespace demeter::simulator::reference
