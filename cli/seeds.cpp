#include "cli/check.hpp"
#include "cli/core/formula.hpp"
#include "reports/format/describe.hpp"

#include <map>

namespace demeter::cli {
namespace {

/// Returns the first failure of a check as text for the line of its seed.
std::string first_failure(Kernel const& kernel, SubjectCheck const& check) {
  for (auto const& cell : check.accuracy)
    if (cell.decides && cell.wrong() > 0)
      return fmt::format("{} in {}, {} of {}", kernel.budgets[cell.budget].output, kernel.regimes[cell.regime].name,
                         brief(cell.max_error), budget_text(kernel.budgets[cell.budget]));
  for (auto const& law : check.laws)
    if (law.broken_where_it_decides())
      return fmt::format("law {}, {} tolerances", kernel.laws[law.law].name, brief(law.worst));
  for (auto const& finding : check.calls.findings)
    return fmt::format("call {}: {}", way_name(finding.way), finding.text);
  if (check.strays > 0) return "printed a line that answers no case: " + check.first_stray;
  return "";
}

}  // namespace

int check_seeds(std::vector<Kernel const*> const& kernels, std::vector<Subject const*> const& subjects,
                CheckOptions options, std::uint64_t seeds, SelectCases const& select, Declining const& declining) {
  Output out;
  std::uint64_t const first = options.seed;
  std::uint64_t undecided = 0, wrong = 0;
  std::string first_wrong;
  bool any = false;
  // The formula of a subject is looked for once, so that all seeds judge by the same formula.
  std::map<std::pair<Kernel const*, Subject const*>, Subject const*> recognised;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    options.seed = seed;
    for (auto const* kernel : kernels) {
      auto able = subjects_answering(*kernel, subjects);
      if (able.empty()) continue;
      any = true;
      select(*kernel, options);
      for (auto*& subject : able) {
        auto& known = recognised[{kernel, subject}];
        if (known == nullptr)
          known = recognise(*kernel, subject, {.seed = first, .sizes = options.sizes, .stop = options.stop}).subject;
        subject = known;
      }
      for (auto const* subject : able) options = affordable(*subject, options);
      if (options.seconds > 0) options.hard_seconds = options.seconds + 7;
      auto const checks = demeter::check(*kernel, able, options);
      if (stop_requested())
        return complain(failed, "check", fmt::format("stopped in seed {}: printed results are partial", seed));
      std::uint64_t judged = 0, trials = 0, open = 0;
      std::string failures;
      for (std::size_t i = 0; i < able.size(); ++i) {
        for (auto const& cell : checks[i].accuracy) judged += cell.judged;
        for (auto const& law : checks[i].laws) trials += law.applicable;
        open += checks[i].undecided();
        auto declined = too_little_judged(declining, checks[i]);
        if (!declined && !checks[i].not_a_verdict.empty()) declined = checks[i].not_a_verdict;
        if (checks[i].passed() && !declined) continue;
        ++wrong;
        failures += fmt::format("; {} FAILED: {}", able[i]->name,
                                checks[i].passed() ? *declined : first_failure(*kernel, checks[i]));
        if (first_wrong.empty())
          first_wrong = fmt::format("{} fails {} with seed {}", able[i]->name, kernel->name, seed);
      }
      undecided += open;
      out.print("seed {}: {}: {} subjects, {} outputs judged, {} trials of laws, {} undecided{}\n", seed, kernel->name,
                able.size(), judged, trials, open, failures.empty() ? ", all passed" : failures);
      if (!out.flush()) return complain(broken, "check", out.error());
    }
  }
  if (!any) return complain(bad_usage, "check", none_answers(kernels, subjects));
  out.print("{} seeds: {} failed, {} undecided\n", seeds, wrong, undecided);
  if (!out.flush()) return complain(broken, "check", out.error());
  if (wrong > 0) return complain(failed, "check", first_wrong);
  if (undecided > 0) return complain(failed, "check", "some cases are undecided");
  return held;
}

}  // namespace demeter::cli
