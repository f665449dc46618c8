// Kinds of misbehaviour of a call other than wrong answers, and their descriptions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace demeter {

enum class Misbehaviour : unsigned char {
  none,
  hangs,
  dies,
  unreadable,              ///< returns answers that cannot be read
  changes_floating_point,  ///< returns with another rounding mode, or with flush-to-zero changed
  writes_outside_outputs,  ///< writes to the memory around a column of `out`
  writes_outside_inputs,   ///< writes to the memory around a column of `in`
  writes_arrays,           ///< changes the pointers in `in` or `out`
  writes_inputs,           ///< writes to a column of `in`
  touches_beyond_outputs,  ///< reads or writes a protected page beyond a column of `out`
  reads_beyond_inputs,     ///< reads a protected page beyond a column of `in`
};

/// Returns true if the call read or wrote memory that it must not use.
bool misuses_memory(Misbehaviour);

struct Misdeed {
  static constexpr std::size_t unknown = ~std::size_t{0};

  Misbehaviour kind = Misbehaviour::none;
  std::size_t column = unknown;  ///< column of `in` or `out`, depending on the kind
};

/// Returns a message for the answers of the call: "wrote outside the column out[3]".
std::string in_the_past(Misdeed);
/// Returns a text for a finding: "writes to its inputs", "crashes (signal 11)". `details` is the message of the call.
std::string in_the_present(Misdeed, std::string_view details);

}  // namespace demeter
