// The tolerance of a subject: the budgets of the contract, a tolerance for the subject's format, or a number.
#pragma once

#include "kernels/kernel.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter {

/// The kinds of tolerance:
/// * `strict`: the budgets of the contract; laws must hold to the bit.
/// * `binary64`: 1024 u, or the budget if it is larger. Good plain code stays within 1024 u.
/// * `binary32`: as `binary64`, with the u of binary32.
/// * `number`: the same error for each output, in place of the budgets. It is relative to the truth, the scale or the
///   optimum, as the budget of the output declares.
struct Held {
  enum class To : unsigned char { strict, binary64, binary32, number };
  To to = To::strict;
  double number = 0;  ///< used with `number`
  /// A user's own budgets: a factor for all outputs, and units for single outputs that replace their budgets.
  double factor = 1;
  std::vector<std::pair<std::string, double>> units{};

  bool operator==(Held const&) const = default;
};

/// Parses a tolerance from the command line: "strict", "double", "float", or a finite number above 0. Returns nothing
/// for other text.
std::optional<Held> held_to(std::string_view text);
std::string tolerance_text(Held const&);

/// Returns the default tolerance of a subject: `strict` for Demeter's own fast, reference and correctly rounded forms,
/// otherwise the tolerance of the subject's format.
Held held_by_default(Subject const&);

Tolerance tolerance_of(Kernel const&, Held const&, Format const& format = binary64);
Tolerance tolerance_of(Kernel const&, Subject const&, std::optional<Held> const& held = std::nullopt);

/// Returns budget `k` of a kernel with the units of the tolerance.
Budget tolerated(Kernel const& kernel, std::size_t k, Tolerance const&);

/// Returns the cases at which a subject is judged: unchanged, or rounded to binary32 if the subject computes in
/// binary32.
Table judged_cases(Kernel const& kernel, Subject const& subject, Table const& cases);

}  // namespace demeter
