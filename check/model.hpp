// Judges a subject by the certified truth of the recommended formula, or by another formula of the kernel's list. Such
// a formula is the model that the subject implements.
//
// The truth of a formula is its value at the exact input, computed with more and more digits until two successive
// values agree. It is never called certified. Budgets, scales and laws are those of the contract. A judgement by such a
// formula has these differences:
//
// * If the formula gives no number (0/0), no answer counts as a failure.
// * For an output that is measured by optimality, the distance from the optimum is compared with the distance of the
//   formula's own answer. A label is right if it is the formula's label, or if the case is within the tolerance of a
//   case for which the label is right.
// * If the formula jumps or amplifies rounding within a few ulps of the input, the values on both sides are right. An
//   answer that fails at the exact input is compared with the formula at neighbours (see neighbours.hpp). An output
//   passes if it is within the tolerance of the value at a neighbour, or between the values of several neighbours with
//   equal labels. A label passes if a neighbour has it.
// * If the formula itself breaks a law, at the inputs compared or at neighbours, a violation does not count against the
//   subject.
#pragma once

#include "kernels/kernel.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace demeter {

/// Returns the index of a formula in the kernel's list, or nothing. Index 0 is the recommended formula, "reference".
std::optional<std::size_t> find_formula(Kernel const& kernel, std::string_view name);

class Model {
 public:
  /// Judges by the recommended formula. The kernel must outlive the model.
  explicit Model(Kernel const& kernel) : kernel_(&kernel) {}
  /// Judges by a formula that was named explicitly. If it is the recommended formula, the truth of the oracle is used,
  /// and only the last two points above apply.
  Model(Kernel const& kernel, std::size_t formula) : kernel_(&kernel), formula_(formula), named_(true) {}

  bool recommended() const { return formula_ == 0; }
  std::size_t formula() const { return formula_; }
  /// Returns "" if no formula was named.
  std::string name() const { return named_ ? kernel_->formulas[formula_].name : std::string(); }

  /// Returns the truths of all cases, or of the first ones if `stop` is set meanwhile.
  Truths truths(Table const& cases, std::atomic<bool> const* stop = nullptr) const;
  /// Judges an answer like `Kernel::judge`, but by this model.
  void judge(Table const& cases, Truths const& truths, std::size_t row, Answers const& answers, std::size_t answer_row,
             Tolerance const& tolerance, std::span<Judged> judged) const;

  /// Returns the violation of a law by the answers to `inputs`, in units of the law's tolerance.
  using Violation = std::function<std::optional<double>(Table const& inputs, Answers const& answers)>;
  /// Returns true if the formula breaks a law about as much as a subject did on rows first..first+count of `inputs`.
  /// Tests these inputs and neighbours of them. Each input is moved independently.
  bool breaks_too(Table const& inputs, std::size_t first, std::size_t count, double violation, Format const& format,
                  Violation const& violation_of) const;

  /// Returns the truths as answers, with each number rounded to double. A number that the formula does not give is
  /// marked "not computed".
  Answers answers(Truths const& truths) const;

 private:
  Kernel const* kernel_;
  std::size_t formula_ = 0;
  bool named_ = false;
};

/// Returns the model of a subject: the formula that the subject declares, if the kernel has it. A formula in double
/// ("woo@double") is judged by itself if it is declared a model, otherwise by the recommended formula.
Model model_of(Kernel const& kernel, Subject const& subject);

/// Returns the index of the formula that a subject of our own evaluates in double ("woo@double"), or 0. The difference
/// between this formula and the recommended one is measured.
std::size_t printed_formula(Kernel const& kernel, Subject const& subject);

}  // namespace demeter
