#include "cli/core/formula.hpp"

#include "check/model.hpp"

#include <deque>

namespace demeter::cli {

void add_formula(Verb& verb, std::string& name) {
  verb.option("--formula", name,
              "judge with this formula of the kernel (see `demeter list KERNEL`) in increasing precision, instead of "
              "the formula that the subject declares or that its answers show; recommended: with the recommended one");
}

bool formula_or_complain(std::string_view verb, std::string_view name, std::vector<Kernel const*> const& kernels) {
  if (name.empty()) return true;
  for (auto const* kernel : kernels) {
    FoundFormula const found = kernel->formulas.find(name);
    if (found.index) continue;
    complain(bad_usage, verb, fmt::format("unknown formula \"{}\" of {}; {}", name, kernel->name, found.wrong));
    return false;
  }
  return true;
}

namespace {

/// Returns a copy of a subject that is never destroyed.
Subject& kept_copy(Subject const& subject) {
  static std::deque<Subject> kept;  // a deque does not move its elements
  return kept.emplace_back(subject);
}

}  // namespace

Subject const* by_formula(Subject const* subject, std::string const& name) {
  if (subject == nullptr || name.empty()) return subject;
  Subject& same = kept_copy(*subject);
  for (auto& answering : same.answers)
    if (auto const* kernel = find_kernel(answering.kernel); kernel != nullptr && find_formula(*kernel, name))
      answering.formula = name;
  return &same;
}

Recognised recognise(Kernel const& kernel, Subject const* subject, IdentifyOptions const& options) {
  Answering const* const answering = subject->find(kernel.name);
  if (subject->ours() || answering == nullptr || !answering->formula.empty()) return {subject};
  IdentifyOptions few = options;
  if (subject->cases > 0) few.cases = std::min<std::uint64_t>(few.cases, 8);  // its answers are slow
  auto identified = identify(kernel, *subject, few);
  std::size_t const formula = identified ? judging_formula(kernel, *identified) : 0;
  if (formula == 0) return {subject, std::move(identified)};
  Subject& same = kept_copy(*subject);
  for (auto& each : same.answers)
    if (each.kernel == kernel.name) each.formula = kernel.formulas[formula].name;
  return {&same, std::move(identified)};
}

}  // namespace demeter::cli
