// The arithmetic of a simulation, and the reason why a scene cannot be simulated.
#pragma once

#include <string>

namespace demeter::simulator::reference {

/// The arithmetics for which simulations are compiled.
struct InArithmetic {
  enum class Kind { binary64, long_double, multiprecision };
  Kind kind = Kind::binary64;
  unsigned digits = 0;  ///< decimal digits of multiprecision
};

/// The reason why a scene cannot be simulated: the key that is wrong, and the value that is expected.
struct Unfit {
  std::string key, expected;
};

}  // namespace demeter::simulator::reference
