// A mutant: an implementation with one deliberate defect, which the check must find. What a kernel's file in
// mutants/ declares, and the form in which the harness takes it.
#pragma once

#include "kernels/subject.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace demeter {

/// One change away from the right implementation that stands in the same file, whose `evaluate(case, defect)` answers
/// one case. A defect that shows only in a batch (a tail, a neighbour, the order) has `batch`, which answers all cases,
/// and no `defect`. The defect is an argument at run time, so that `evaluate` is compiled once for all mutants.
template <class Defect, class Input, class Output>
struct Mutant {
  std::string_view name;
  std::string_view change;  ///< what is wrong, and what would be right
  std::string_view source;  ///< where the defect was seen, or the class of defects it stands for
  Defect defect = Defect::none;
  void (*batch)(std::span<Input const>, std::span<Output>) = nullptr;
  /// Why it stays within what plain code in double is held to, where it does.
  std::string_view within_double = {};
  /// A regime, where it shows in few cases, all of that: there it is looked for first, and a survey of few cases says
  /// nothing of it.
  std::string_view shows_in = {};
};

/// A batch done case by case, for defects of batches to begin with.
template <auto right, class Input, class Output>
void answer_each(std::span<Input const> in, std::span<Output> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = right(in[i]);
}

/// The mutants of one kernel as subjects.
struct Mutants {
  struct Each {
    std::string name, change, source;
    Subject subject;
    std::string within_double = {};
    std::string shows_in = {};
  };
  std::string kernel;
  Subject right;  ///< without any defect: must pass what the mutants must not
  std::vector<Each> each;
};

/// Of every kernel of the list in CMakeLists.txt, in its order. Generated.
std::span<Mutants const> mutants();

inline Mutants const* find_mutants(std::string_view kernel) {
  for (auto const& set : mutants())
    if (set.kernel == kernel) return &set;
  return nullptr;
}

/// From a kernel's own file to `Mutants`; called by one generated translation unit a kernel.
template <class Contract, class Defect>
Mutants make_mutants(
    typename Contract::template Output<double> (*evaluate)(typename Contract::template Input<double> const&, Defect),
    std::span<
        Mutant<Defect, typename Contract::template Input<double>, typename Contract::template Output<double>> const>
        list) {
  using Input = typename Contract::template Input<double>;
  using Output = typename Contract::template Output<double>;
  auto const scalar = [evaluate](std::string_view doc, Defect defect) {
    return answer_with<Contract>(std::string(doc), [evaluate, defect](Input const& in, Output& out) -> char const* {
      out = evaluate(in, defect);
      return nullptr;
    });
  };
  Mutants result;
  result.kernel = Contract::name;
  result.right = make_subject("unmutated", scalar("the implementation the mutants are made from", Defect::none));
  for (auto const& mutant : list) {
    Answering answering;
    if (mutant.batch == nullptr) {
      answering = scalar(mutant.change, mutant.defect);
    } else {
      answering.kernel = Contract::name;
      answering.doc = mutant.change;
      answering.answer = [batch = mutant.batch](Table const& cases, Answers& answers) {
        std::vector<Input> in;
        for (std::size_t row = 0; row < cases.rows; ++row) in.push_back(load<Input>(cases, row));
        std::vector<Output> out(in.size(), nothing_computed<Output>());
        batch(in, out);
        for (Output const& answer : out) append(answers.output, answer);
        answers.status.assign(in.size(), Status::answered);
      };
    }
    std::string const name(mutant.name);
    result.each.push_back({name, std::string(mutant.change), std::string(mutant.source),
                           make_subject("mutant:" + name, std::move(answering)), std::string(mutant.within_double),
                           std::string(mutant.shows_in)});
  }
  return result;
}

}  // namespace demeter
