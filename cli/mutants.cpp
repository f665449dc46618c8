#include "base/json_text.hpp"
#include "cli/check.hpp"
#include "cli/core/screen.hpp"
#include "reports/format/members.hpp"
#include "reports/format/mutation.hpp"

namespace demeter::cli {
namespace {

std::string how_large(Kernel const& kernel, Kill const& kill) {
  if (std::isinf(kill.size)) return "";
  if (kill.by == Kill::By::law) return fmt::format(", {} tolerances", brief(kill.size));
  return fmt::format(", {} of {}", brief(kill.size), budget_text(kernel.budgets[kill.index]));
}

void print(Output& out, Kernel const& kernel, Mutants const& mutants, MutationScore const& score) {
  out.print("\n{}: {} of {} mutants killed in {:.1f} s\n", kernel.name, score.killed(), score.all(), score.seconds);
  for (std::size_t i = 0; i < score.mutants.size(); ++i) {
    MutantScore const& mutant = score.mutants[i];
    out.print("  {:<28} ", mutants.each[i].name);
    if (mutant.kill) {
      out.print("killed by {}{} after {} cases, {:.0f} ms{}\n", kill_text(kernel, *mutant.kill),
                how_large(kernel, *mutant.kill), mutant.kill->cases, 1000 * mutant.seconds,
                mutant.laws.empty() ? "; no law detects it" : "");
    } else if (mutant.may_survive) {
      out.print("is within the tolerance: {}\n", mutants.each[i].within_double);
    } else {
      out.print("SURVIVED {} cases, {:.1f} s: {}\n", mutant.cases, mutant.seconds, mutants.each[i].change);
    }
  }
  for (CallMutantScore const& mutant : score.calls) {
    out.print("  {:<28} ", mutant.name);
    if (mutant.kill) {
      out.print("{}", cut_to(fmt::format("killed by call {} after {} calls, {:.0f} ms: {}", way_name(mutant.kill->way),
                                         mutant.calls, 1000 * mutant.seconds, mutant.kill->text),
                             screen_columns - 31) +
                          "\n");
    } else {
      out.print("SURVIVED {} calls, {:.1f} s: {}\n", mutant.calls, mutant.seconds, mutant.change);
    }
  }
  std::size_t const cases = score.mutants.size();
  out.print("  survey: the laws alone kill {} of {}, the budgets alone kill {}\n", score.killed_by_laws(), cases,
            score.killed_by_budgets());
  for (std::size_t const law : score.idle_laws())
    out.print("  law {}: no mutant and no implementation breaks it\n", kernel.laws[law].name);
  if (!score.right_passes) out.print("  the correct implementation FAILS {}\n", score.right_fails);
}

}  // namespace

int check_mutants(std::vector<Kernel const*> const& kernels, MutationOptions options, bool json) {
  options.stop = &stop_requested();
  options.calls = true;
  Progress progress;
  options.progress = [&](double done, std::string const& what) { progress(done, what); };
  Output out;
  std::vector<report::MutationOfKernel> results;
  std::size_t killed = 0, all = 0;
  double seconds = 0;
  std::string first_survivor;
  for (auto const* kernel : kernels) {
    Mutants const& mutants = *find_mutants(kernel->name);
    MutationScore const score = mutation_score(*kernel, mutants, options);
    if (stop_requested()) return complain(failed, "check", "stopped: printed results are partial");
    killed += score.killed();
    all += score.all();
    seconds += score.seconds;
    if (first_survivor.empty() && !score.right_passes)
      first_survivor = fmt::format("{}: the correct implementation fails {}", kernel->name, score.right_fails);
    for (std::size_t i = 0; i < score.mutants.size(); ++i)
      if (first_survivor.empty() && !score.mutants[i].kill && !score.mutants[i].may_survive)
        first_survivor = fmt::format("mutant {} of {} survives", mutants.each[i].name, kernel->name);
    for (CallMutantScore const& mutant : score.calls)
      if (first_survivor.empty() && !mutant.kill)
        first_survivor = fmt::format("mutant {} of {} survives", mutant.name, kernel->name);
    if (json) {
      results.push_back({kernel->name, describe(*kernel, mutants, score)});
    } else {
      print(out, *kernel, mutants, score);
    }
    if (!out.flush()) return complain(broken, "check", out.error());
  }
  if (json) {
    out.print("{}\n", json_text(report::write(results), 2));
  } else {
    out.print("\n{} of {} mutants killed ({:.1f} %) in {:.1f} s\n", killed, all,
              100 * static_cast<double>(killed) / static_cast<double>(std::max<std::size_t>(all, 1)), seconds);
  }
  if (!out.flush()) return complain(broken, "check", out.error());
  if (!first_survivor.empty()) return complain(failed, "check", first_survivor);
  return held;
}

}  // namespace demeter::cli
