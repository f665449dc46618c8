// What `demeter check` does besides checking a subject once.
#pragma once

#include "cli/core/command.hpp"
#include "properties/core/check.hpp"

namespace demeter::cli {

/// `check --mutants`: the mutation score of the kernels.
int check_mutants(std::vector<Kernel const*> const& kernels, std::uint64_t seed, unsigned jobs, bool json,
                  std::optional<Held> const& own);

/// `check --ladder`: the digits the reference loses in each arithmetic.
int check_ladder(std::vector<Kernel const*> const& kernels, std::uint64_t seed, std::uint64_t cases, unsigned jobs,
                 bool json);

/// Sets which cases of a kernel are drawn, and which of them decide.
using SelectCases = std::function<void(Kernel const&, CheckOptions&)>;

/// `check --seeds`: the check of the subjects with `seeds` seeds from `options.seed`, one line each.
int check_seeds(std::vector<Kernel const*> const& kernels, std::vector<Subject const*> const& subjects,
                CheckOptions options, std::uint64_t seeds, SelectCases const& select);

}  // namespace demeter::cli
