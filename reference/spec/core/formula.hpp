// A formula from a source or another code: a name, a description, and an evaluation for any scalar.
#pragma once

#include <array>
#include <string_view>
#include <vector>

namespace demeter {

/// The relation of a printed formula to the recommended formula.
enum class FormulaKind : unsigned char {
  equal,  ///< the recommended formula in another notation
  model,  ///< another defensible choice; code that implements this formula is judged by it
  /// A model that searches. An evaluation in growing precision takes minutes. Therefore its answers in double are
  /// judged by the recommended formula. Only the difference from the recommended formula is meaningful.
  searched_model,
  mistake,  ///< refuted by a law or an erratum; code that implements it fails
};
constexpr std::array<std::string_view, 4> labels(FormulaKind) {
  return {"equal", "model", "searched model", "mistake"};
}

/// A printed formula. `evaluate` is a generic lambda `[]<class Scalar>(Input<Scalar> const&) -> Output<Scalar>`.
/// `leaves_out` names the outputs that the source does not define. The harness ignores the values that `evaluate`
/// writes to these outputs.
template <class Evaluate>
struct Formula {
  std::string_view name;
  std::string_view doc;
  FormulaKind kind;
  Evaluate evaluate;
  std::vector<std::string_view> leaves_out = {};
};
template <class Evaluate>
Formula(std::string_view, std::string_view, FormulaKind, Evaluate) -> Formula<Evaluate>;
template <class Evaluate>
Formula(std::string_view, std::string_view, FormulaKind, Evaluate, std::vector<std::string_view>) -> Formula<Evaluate>;

}  // namespace demeter
