// The options --known, --write-known and --junit, which `check` and `verify` share.
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

/// Reads the baseline. Returns `held` (success), or the exit code after an error message.
int open_baseline(std::string_view verb, BaselineOptions const& options, KnownFailures& known);

/// Writes the files of --write-known and --junit if the options are given. Returns `held` (success), or the exit code
/// after an error message. If the run did not finish (`whole` is false), the baseline is not written: a failure that
/// the run did not reach would look fixed.
int write_baseline(std::string_view verb, BaselineOptions const& options, KnownFailures const& known,
                   std::vector<KnownFailure> const& found, std::vector<junit::Suite> const& suites, bool whole = true);

}  // namespace demeter::cli
