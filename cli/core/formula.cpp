#include "cli/core/formula.hpp"

#include "check/model.hpp"

#include <deque>

namespace demeter::cli {

void add_formula(Verb& verb, std::string& name) {
  verb.option("--formula", name,
              "judge with this formula of the kernel (see `demeter list KERNEL`) in increasing precision, instead of "
              "the recommended formula or the formula that the subject declares");
}

bool formula_or_complain(std::string_view verb, std::string_view name, std::vector<Kernel const*> const& kernels) {
  if (name.empty()) return true;
  for (auto const* kernel : kernels) {
    if (find_formula(*kernel, name)) continue;
    complain(bad_usage, verb,
             fmt::format("unknown formula \"{}\" of {}; expected {}", name, kernel->name, formula_names(*kernel)));
    return false;
  }
  return true;
}

Subject const* by_formula(Subject const* subject, std::string const& name) {
  if (subject == nullptr || name.empty()) return subject;
  static std::deque<Subject> kept;  // a deque does not move its elements
  Subject& same = kept.emplace_back(*subject);
  for (auto& answering : same.answers)
    if (auto const* kernel = find_kernel(answering.kernel); kernel != nullptr && find_formula(*kernel, name))
      answering.formula = name;
  return &same;
}

}  // namespace demeter::cli
