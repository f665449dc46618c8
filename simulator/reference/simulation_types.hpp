// Options of a simulation, and why there is none.
#pragma once

#include <string>

namespace demeter::simulator::reference {

/// The arithmetics for which simulations are compiled.
struct InArithmetic {
  enum class Kind { binary64, long_double, multiprecision };
  Kind kind = Kind::binary64;
  unsigned digits = 0;  ///< decimal digits of multiprecision
};

/// Why a scene cannot be simulated: the key and the expected value.
struct Unfit {
  std::string key, expected;
};

}  // namespace demeter::simulator::reference
