// A kernel's formulas as functions over rows, one for each arithmetic.
#pragma once

#include "reference/spec/core/columns.hpp"

namespace demeter {

class Multiprecision;
class Binary128;

/// Appends to `answers` what a formula (0: the reference, then the printed ones) answers to row `row`.
template <class Scalar>
using EvaluateRow = void (*)(std::size_t formula, BasicTable<Scalar> const& cases, std::size_t row,
                             BasicTable<Scalar>& answers);

struct FormulaRows {
  EvaluateRow<double> in_double = nullptr;
  EvaluateRow<long double> in_long_double = nullptr;
  EvaluateRow<Multiprecision> in_multiprecision = nullptr;  ///< with the digits of the innermost `Precision`
  /// The reference alone: rungs of the ladder.
  EvaluateRow<float> in_float = nullptr;
  EvaluateRow<Binary128> in_binary128 = nullptr;
};

}  // namespace demeter
