// What every verdict stands on: the arithmetic of the thread that judges.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace demeter {

/// What is not as the judge needs it in this thread, or nothing: rounding to nearest and 53 bits in both units of the
/// processor, no flushing of subnormals, no traps, a long double of 64 bits, exact remainders of sums and products.
std::optional<std::string> unsound_arithmetic();

/// A thread's arithmetic is not what verdicts rest on.
struct UnsoundArithmetic : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws UnsoundArithmetic. Takes less than a microsecond: to be asked before a thread judges, and after.
void require_sound_arithmetic();

}  // namespace demeter
