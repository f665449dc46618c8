#include "reports/format/mutation.hpp"

#include <fmt/format.h>

namespace demeter {

report::Mutation describe(Kernel const& kernel, Mutants const& mutants, MutationScore const& score) {
  report::Mutation result;
  result.total = count(score.all());
  result.killed = count(score.killed());
  result.killed_by_laws = count(score.killed_by_laws());
  result.killed_by_budgets = count(score.killed_by_budgets());
  result.unmutated_passes = score.right_passes;
  if (!score.right_passes) result.unmutated_fails = score.right_fails;
  result.survey_cases = count(score.survey_cases);
  result.seconds = score.seconds;
  for (std::size_t i = 0; i < score.mutants.size(); ++i) {
    MutantScore const& scored = score.mutants[i];
    report::Mutant mutant;
    mutant.name = mutants.each[i].name;
    mutant.change = mutants.each[i].change;
    mutant.source = mutants.each[i].source;
    mutant.killed = scored.kill.has_value();
    mutant.cases = count(scored.cases);
    mutant.seconds = rounded(scored.seconds, 3);
    if (scored.kill) {
      mutant.regime = kernel.regimes[scored.kill->regime].name;
      if (scored.kill->by == Kill::By::law) {
        mutant.law = kernel.laws[scored.kill->index].name;
      } else {
        mutant.output = kernel.budgets[scored.kill->index].output;
      }
      mutant.size = rounded_beside(1, scored.kill->size);
    }
    mutant.budget_exceeded = scored.budget_exceeded;
    for (std::size_t const law : scored.laws) mutant.laws.push_back(kernel.laws[law].name);
    result.mutants.push_back(std::move(mutant));
  }
  for (CallMutantScore const& scored : score.calls) {
    report::Mutant mutant;
    mutant.name = scored.name;
    mutant.change = scored.change;
    mutant.source = scored.source;
    mutant.killed = scored.kill.has_value();
    mutant.cases = count(scored.cases);
    mutant.seconds = rounded(scored.seconds, 3);
    if (scored.kill) mutant.by = fmt::format("call {}", way_name(scored.kill->way));
    result.mutants.push_back(std::move(mutant));
  }
  for (std::size_t law = 0; law < kernel.laws.size(); ++law)
    result.laws.push_back(
        {kernel.laws[law].name, count(score.breaking_mutants[law]), count(score.breaking_implementations[law])});
  return result;
}

}  // namespace demeter
