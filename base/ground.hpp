// Checks of the floating-point environment of the thread that judges.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace demeter {

/// Returns how the floating-point environment of this thread differs from what the judge needs, or nothing. The judge
/// needs: rounding to nearest; 53 bits in the vector unit; a long double of 64 bits; subnormals that are not flushed;
/// no traps; exact remainders of sums and products.
std::optional<std::string> unsound_arithmetic();

/// Thrown if the floating-point environment of a thread is not what verdicts need.
struct UnsoundArithmetic : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws UnsoundArithmetic if the floating-point environment is wrong. Takes less than a microsecond. Call it before
/// and after a thread judges.
void require_sound_arithmetic();

}  // namespace demeter
