// What a subject is judged by: the certified truth of the recommended formula, or another formula of the kernel's list,
// which is the model that the subject implements.
//
// A formula's truth is the formula itself at the exact input, in growing precision until two successive ones agree. It
// is never called certified. Budgets, scales and laws are the contract's. What differs:
//
// * Where the formula gives no number (0/0), no answer is held against it.
// * What is measured by its optimality may be as far from the optimum as the formula's own answer is; a label is right
//   if it is the formula's, or if the case is within the tolerance of one for which it is right.
// * Where the formula jumps or amplifies within a few ulps of the input, either side is right: an answer that fails at
//   the exact input is held against the formula at neighbours of it (see neighbours.hpp). An output passes if it is
//   within the tolerance of the values of one of them, or between values of several whose labels agree; a label passes
//   if a neighbour has it.
// * A law that the formula breaks too, at the inputs compared or at neighbours of them, is not held against a subject.
#pragma once

#include "kernels/kernel.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace demeter {

/// The place of a formula in the kernel's list; the recommended one is "reference", at 0.
std::optional<std::size_t> find_formula(Kernel const& kernel, std::string_view name);
/// "reference, documented, woo", for a message.
std::string formula_names(Kernel const& kernel);

class Model {
 public:
  /// The kernel must outlive it.
  explicit Model(Kernel const& kernel) : kernel_(&kernel) {}
  /// A formula that somebody has named. If that is the recommended one its truth is the oracle's, and the last two
  /// points above are what naming it adds.
  Model(Kernel const& kernel, std::size_t formula) : kernel_(&kernel), formula_(formula), named_(true) {}

  bool recommended() const { return formula_ == 0; }
  std::size_t formula() const { return formula_; }
  /// Empty if none was named.
  std::string name() const { return named_ ? kernel_->formulas[formula_].name : std::string(); }

  /// Of all cases, or of the first of them if `stop` is set meanwhile.
  Truths truths(Table const& cases, std::atomic<bool> const* stop = nullptr) const;
  /// As `Kernel::judge`.
  void judge(Table const& cases, Truths const& truths, std::size_t row, Answers const& answers, std::size_t answer_row,
             Tolerance const& tolerance, std::span<Judged> judged) const;

  /// How far the answers to `inputs` are from holding a law, in its tolerances.
  using Violation = std::function<std::optional<double>(Table const& inputs, Answers const& answers)>;
  /// Whether the formula breaks a law by about as much as a subject did on rows first..first+count of `inputs`: at them
  /// or at neighbours, each input moved by itself.
  bool breaks_too(Table const& inputs, std::size_t first, std::size_t count, double violation, Format const& format,
                  Violation const& violation_of) const;

  /// The formula's truths as answers, each number rounded to double; "not computed" where it gives none.
  Answers answers(Truths const& truths) const;

 private:
  Kernel const* kernel_;
  std::size_t formula_ = 0;
  bool named_ = false;
};

/// What a subject is judged by: the formula that it says it implements, if the kernel has it.
Model model_of(Kernel const& kernel, Subject const& subject);

/// The formula that a subject of our own prints in double ("woo@double"): it is on trial as a model, and judged by the
/// recommended one. 0 for any other subject.
std::size_t printed_formula(Kernel const& kernel, Subject const& subject);

}  // namespace demeter
