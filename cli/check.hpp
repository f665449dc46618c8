// Parts of `demeter check`: mutants, the ladder, several seeds, and printing.
#pragma once

#include "check/check.hpp"
#include "check/mutation.hpp"
#include "cli/core/command.hpp"
#include "cli/core/declining.hpp"
#include "reports/format/verdict.hpp"

namespace demeter::cli {

/// Runs `check --mutants`: computes the mutation score of the kernels.
int check_mutants(std::vector<Kernel const*> const& kernels, MutationOptions options, bool json);

/// Runs `check --ladder`: computes the digits that the reference loses in each arithmetic.
int check_ladder(std::vector<Kernel const*> const& kernels, std::uint64_t seed, std::uint64_t cases, unsigned jobs,
                 bool json);

/// Selects the cases that are drawn for a kernel, and the cases that decide the verdict.
using SelectCases = std::function<void(Kernel const&, CheckOptions&)>;

/// Runs `check --seeds`: checks the subjects with `seeds` seeds, beginning with `options.seed`. Prints a line per seed.
int check_seeds(std::vector<Kernel const*> const& kernels, std::vector<Subject const*> const& subjects,
                CheckOptions options, std::uint64_t seeds, SelectCases const& select, Declining const& declining);

/// The result of the check of one subject and one kernel.
struct Checked {
  Kernel const& kernel;
  Subject const& subject;
  SubjectCheck check;
  CheckOptions options;
  report::Kernel of_kernel;
  report::Contender contender;
  report::Verdict verdict;
  std::uint64_t seed = 1;
  bool drawn = true;  ///< true: cases have a seed, a regime and an id; false: the answers are recorded
};

/// Prints the verdict as a sentence, the kind of truth unless it is certified, and the table of profiles and regimes.
void print_verdict(Output& out, Checked const& checked);
/// Returns the accuracy as text: "max 0.5  mean 0.1  2 of 300 failed, worst id 7".
std::string accuracy_text(AccuracyCell const& cell);

/// Prints one screen: at most 40 lines of 120 columns, not counting the commands, which may be longer.
void print_screen(Output& out, Checked const& checked);
/// Prints all results.
void print_everything(Output& out, Checked const& checked);

/// If there are several subjects or kernels, the overview has one line for each pair of them. Prints its head.
void print_overview_head(Output& out);
/// Prints the line of one subject and one kernel.
void print_overview(Output& out, Checked const& checked);
/// Prints details of the results `some`. `failing` is the number of all results that failed.
void print_failing(Output& out, std::vector<Checked> const& some, std::size_t failing);

}  // namespace demeter::cli
