// Defects that every kernel may have, derived from the fields of its inputs and outputs: signs, factors, single
// precision, rows of a batch that are mixed up, and errors just over the budget.
#pragma once

#include "kernels/subject.hpp"
#include "reference/spec/core/budget.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// Which fields of a kernel are distorted, each alone: names with a space between them. A field of a field is a path
/// ("members.position").
struct Distortions {
  std::string_view read_as_float = {};   ///< inputs
  std::string_view shared_by_four = {};  ///< inputs
  std::string_view as_float = {};        ///< outputs, as the rest
  std::string_view negated = {};
  std::string_view doubled = {};
  std::string_view exchanged = {};  ///< pairs: the first and the second name, the third and the fourth
  std::string_view of_the_row_before = {};
  std::string_view just_over = {};  ///< with a budget that is relative to the answer or to the contract's scale
};

/// The right implementation with one distortion.
struct Distorted {
  std::string name, change, source;
  Answering answering;
  std::string within_double = {};
};

/// Appends the contract's scale for a case.
using ScaleOf = std::function<void(Table const& cases, std::size_t row, BasicTable<long double>& into)>;

/// `right` with each of the distortions, and, as every kernel has, with a tail of a batch that is one row off. Throws
/// `std::logic_error` for a field that the kernel does not have.
std::vector<Distorted> distorted(Answering const& right, Schema const& input, Schema const& output,
                                 std::span<Budget const> budgets, ScaleOf const& scale, Distortions const& wanted);

}  // namespace demeter
