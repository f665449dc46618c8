#include "check/ladder.hpp"
#include "base/json_text.hpp"
#include "cli/check.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/ladder.hpp"
#include "reports/format/members.hpp"

#include <cmath>

namespace demeter::cli {
namespace {

void print(Output& out, Kernel const& kernel, std::vector<LadderRow> const& rows) {
  out.print("\n{}: digits that the reference loses, in the worst case\n  {:<34}", kernel.name, "");
  for (auto const& rung : ladder) out.print(" {:>12}", rung.name);
  out.print("\n  {:<34}", "of");
  for (auto const& rung : ladder) out.print(" {:>12.1f}", rung.digits);
  out.print("\n");
  for (std::size_t k = 0; k < kernel.budgets.size(); ++k) {
    for (auto const& row : rows) {
      if (row.budget != k) continue;
      out.print("  {:<34}", fmt::format("{} {}", kernel.budgets[k].output, kernel.regimes[row.regime].name));
      for (std::size_t rung = 0; rung < ladder.size(); ++rung) {
        double const lost = digits_lost(row, rung);
        out.print(" {:>12}", std::isnan(lost) ? "-" : fmt::format("{:.1f}", lost));
      }
      out.print("\n");
    }
  }
}

}  // namespace

int check_ladder(std::vector<Kernel const*> const& kernels, std::uint64_t seed, std::uint64_t cases, unsigned jobs,
                 bool json) {
  Output out;
  std::vector<report::LadderOfKernel> results;
  for (auto const* kernel : kernels) {
    auto const rows = climb_ladder(*kernel, seed, cases, jobs, &stop_requested());
    if (json) {
      results.push_back({kernel->name, describe(*kernel, rows)});
    } else {
      print(out, *kernel, rows);
    }
    if (!out.flush()) return complain(broken, "check", out.error());
    if (stop_requested()) return complain(failed, "check", "stopped: printed results are partial");
  }
  if (json) out.print("{}\n", json_text(report::write(results), 2));
  if (!out.flush()) return complain(broken, "check", out.error());
  return held;
}

}  // namespace demeter::cli
