// What a subject is held to: the contract's own budgets, or what suits the format it computes in, or a number.
#pragma once

#include "kernels/kernel.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter {

/// `strict`: the contract's budgets, and laws to the bit. `binary64`: 1024 u of it, or the budget where that is more:
/// what good plain code reaches. `binary32`: the same in its u. `number`: each output by as much, relative to its
/// truth, its scale or its optimum, whatever its budget.
struct Held {
  enum class To : unsigned char { strict, binary64, binary32, number };
  To to = To::strict;
  double number = 0;  ///< of `number`
  /// A user's own budgets on top: a factor of all of them, and of single outputs the units of their measure instead.
  double factor = 1;
  std::vector<std::pair<std::string, double>> units{};

  bool operator==(Held const&) const = default;
};

/// As the command takes it: "strict", "double", "float" or a number. Nothing for what is none of these, nor for a
/// number that is not above 0 and finite.
std::optional<Held> held_to(std::string_view text);
std::string tolerance_text(Held const&);

/// What a subject is held to unless a user says otherwise: Demeter's own fast, reference and correctly rounded forms to
/// the letter, others to what suits their format.
Held held_by_default(Subject const&);

Tolerance tolerance_of(Kernel const&, Held const&, Format const& format = binary64);
Tolerance tolerance_of(Kernel const&, Subject const&, std::optional<Held> const& held = std::nullopt);

/// The budget `k` of a kernel, with the units that are held to.
Budget tolerated(Kernel const& kernel, std::size_t k, Tolerance const&);

/// The cases as this subject is judged at them: as they are, or rounded to binary32 if that is what it computes in.
Table judged_cases(Kernel const& kernel, Subject const& subject, Table const& cases);

}  // namespace demeter
