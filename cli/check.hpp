// What `demeter check` does besides checking a subject once.
#pragma once

#include "check/check.hpp"
#include "check/mutation.hpp"
#include "cli/core/command.hpp"
#include "cli/core/declining.hpp"
#include "reports/format/verdict.hpp"

namespace demeter::cli {

/// `check --mutants`: the mutation score of the kernels.
int check_mutants(std::vector<Kernel const*> const& kernels, MutationOptions options, bool json);

/// `check --ladder`: the digits the reference loses in each arithmetic.
int check_ladder(std::vector<Kernel const*> const& kernels, std::uint64_t seed, std::uint64_t cases, unsigned jobs,
                 bool json);

/// Sets which cases of a kernel are drawn, and which of them decide.
using SelectCases = std::function<void(Kernel const&, CheckOptions&)>;

/// `check --seeds`: the check of the subjects with `seeds` seeds from `options.seed`, one line each.
int check_seeds(std::vector<Kernel const*> const& kernels, std::vector<Subject const*> const& subjects,
                CheckOptions options, std::uint64_t seeds, SelectCases const& select, Declining const& declining);

/// One subject and kernel, checked.
struct Checked {
  Kernel const& kernel;
  Subject const& subject;
  SubjectCheck check;
  CheckOptions options;
  report::Kernel of_kernel;
  report::Contender contender;
  report::Verdict verdict;
  std::uint64_t seed = 1;
  bool drawn = true;  ///< its cases have seed, regime and id; false: recorded answers
};

/// The verdict as a sentence, the truth unless it is certified, and the table of profiles and regimes.
void print_verdict(Output& out, Checked const& checked);
/// "max 0.5  mean 0.1  2 of 300 failed, worst id 7"
std::string accuracy_text(AccuracyCell const& cell);

/// One screen: 40 lines of 120 columns at most, commands aside.
void print_screen(Output& out, Checked const& checked);
/// Everything there is to say.
void print_everything(Output& out, Checked const& checked);

/// Several subjects or kernels: a line each,
void print_overview_head(Output& out);
void print_overview(Output& out, Checked const& checked);
/// then, of `failing` that fail, a few in more words.
void print_failing(Output& out, std::vector<Checked> const& some, std::size_t failing);

}  // namespace demeter::cli
