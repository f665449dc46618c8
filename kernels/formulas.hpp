// The formulas of a kernel as functions of a row, one per arithmetic.
#pragma once

#include "reference/spec/core/columns.hpp"

namespace demeter {

class Multiprecision;
class Binary128;

/// Appends to `answers` the answer of a formula to the case in row `row`. Formula 0 is the reference, the others are
/// the printed formulas.
template <class Scalar>
using EvaluateRow = void (*)(std::size_t formula, BasicTable<Scalar> const& cases, std::size_t row,
                             BasicTable<Scalar>& answers);

struct FormulaRows {
  EvaluateRow<double> in_double = nullptr;
  EvaluateRow<long double> in_long_double = nullptr;
  EvaluateRow<Multiprecision> in_multiprecision = nullptr;  ///< uses the number of digits that the innermost
                                                            ///< `Precision` object sets
  /// Only for the reference: used for the rungs of the ladder.
  EvaluateRow<float> in_float = nullptr;
  EvaluateRow<Binary128> in_binary128 = nullptr;
};

}  // namespace demeter
