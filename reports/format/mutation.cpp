#include "reports/format/mutation.hpp"

namespace demeter {

using Json = nlohmann::ordered_json;

Json describe(Kernel const& kernel, Mutants const& mutants, MutationScore const& score) {
  Json result;
  result["total"] = score.mutants.size();
  result["killed"] = score.killed();
  result["killed_by_laws_alone"] = score.killed_by_laws();
  result["killed_by_budgets_alone"] = score.killed_by_budgets();
  result["unmutated_passes"] = score.right_passes;
  if (!score.right_passes) result["unmutated_fails"] = score.right_fails;
  result["seconds"] = score.seconds;
  result["each"] = Json::array();
  for (std::size_t i = 0; i < score.mutants.size(); ++i) {
    auto const& mutant = mutants.each[i];
    MutantScore const& scored = score.mutants[i];
    Json row{{"name", mutant.name},     {"change", mutant.change},
             {"source", mutant.source}, {"killed", scored.kill.has_value()},
             {"cases", scored.cases},   {"seconds", scored.seconds}};
    if (scored.kill) {
      bool const law = scored.kill->by == Kill::By::law;
      row["by"] = kill_text(kernel, *scored.kill);
      row["regime"] = kernel.regimes[scored.kill->regime].name;
      row[law ? "law" : "output"] =
          law ? kernel.laws[scored.kill->index].name : std::string(kernel.budgets[scored.kill->index].output);
      row["size"] = number_json(scored.kill->size);
    }
    row["budget_exceeded"] = scored.budget_exceeded;
    row["laws"] = Json::array();
    for (std::size_t const law : scored.laws) row["laws"].push_back(kernel.laws[law].name);
    result["each"].push_back(std::move(row));
  }
  result["laws"] = Json::array();
  for (std::size_t law = 0; law < kernel.laws.size(); ++law)
    result["laws"].push_back({{"law", kernel.laws[law].name},
                              {"mutants", score.breaking_mutants[law]},
                              {"implementations", score.breaking_implementations[law]}});
  return result;
}

}  // namespace demeter
