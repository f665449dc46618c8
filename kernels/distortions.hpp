// Defects that every kernel may have: wrong signs and factors, single precision, mixed-up rows of a batch, and errors
// just over the budget. They are generated from the fields of the kernel's inputs and outputs.
#pragma once

#include "kernels/subject.hpp"
#include "reference/spec/core/budget.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// The fields in which defects are made, one defective copy per field. Each member contains names of fields, separated
/// by spaces. The name of a nested field is a path ("members.position").
struct Distortions {
  std::string_view read_as_float = {};   ///< inputs that are rounded to float
  std::string_view shared_by_four = {};  ///< inputs: each group of four rows gets the value of its first row
  std::string_view as_float = {};        ///< outputs that are rounded to float; all members below are outputs too
  std::string_view negated = {};
  std::string_view doubled = {};
  std::string_view exchanged = {};  ///< pairs of outputs that are exchanged: the first name with the second, the third
                                    ///< with the fourth
  std::string_view of_the_row_before = {};
  std::string_view just_over = {};  ///< outputs that get an error just over their budget; the budget must be relative
                                    ///< to the answer or to the contract's scale
};

/// The correct implementation with one distortion.
struct Distorted {
  std::string name, change, source;
  Answering answering;
  std::string within_double = {};
};

/// Appends the contract's scale for a case.
using ScaleOf = std::function<void(Table const& cases, std::size_t row, BasicTable<long double>& into)>;

/// Returns one defective copy of `right` per distortion. For every kernel, also returns a copy in which the last n
/// modulo 4 rows of a batch of n rows get the answers of the rows before them. Throws `std::logic_error` for a field
/// that the kernel does not have.
std::vector<Distorted> distorted(Answering const& right, Schema const& input, Schema const& output,
                                 std::span<Budget const> budgets, ScaleOf const& scale, Distortions const& wanted);

}  // namespace demeter
