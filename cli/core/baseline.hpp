// --known, --write-known and --junit: what check and verify share of them.
#pragma once

#include "cli/core/command.hpp"
#include "reports/junit.hpp"
#include "reports/known.hpp"

#include <string>
#include <vector>

namespace demeter::cli {

struct BaselineOptions {
  InputPath known;
  OutputPath write_known, junit;
};

void add_baseline(Verb& verb, BaselineOptions& options);

/// Reads the baseline; `held`, or what a complaint returned.
int open_baseline(std::string_view verb, BaselineOptions const& options, KnownFailures& known);

/// Writes --write-known and --junit, if they are wanted; `held`, or what a complaint returned. What did not come to its
/// end leaves the baseline as it is: it would take what was not met for mended.
int write_baseline(std::string_view verb, BaselineOptions const& options, KnownFailures const& known,
                   std::vector<KnownFailure> const& found, std::vector<junit::Suite> const& suites, bool whole = true);

}  // namespace demeter::cli
