// The results of one subject and kernel, in digits and in a sentence that its author can quote: "everyday: right to 15
// digits in 34,000 cases; nearly parallel: to 8". Made only from the records, so that the terminal, the pages and the
// files print the same.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// Returns the number of correct decimal digits for an error relative to the truth or to a scale; between 0 and 16.
double digits_of(double error);

/// The results of a profile or of one of its regimes. A case counts once for all outputs: each count is the count of
/// the output with the most such cases in its regime.
struct Outcome {
  std::string name;     ///< name of the profile or regime
  std::string profile;  ///< empty if a file does not contain it
  std::int64_t cases = 0, judged = 0, unsupported = 0, crash = 0, timeout = 0, failed = 0, undecided = 0, known = 0;
  std::int64_t not_representable = 0, not_asked = 0, missing = 0, malformed = 0, not_finite = 0;
  double error = 0;  ///< largest error of all outputs, each relative to its own measure
  double digits = 16;
  std::string output;  ///< the output with the largest error

  /// Returns the number of cases without a correct answer.
  std::int64_t wrong() const { return failed + lost(); }
  std::int64_t lost() const { return crash + timeout + missing + malformed; }
  bool asked() const { return judged + lost() + unsupported + not_representable + known > 0; }
};

/// Adds the cases of a regime. Does not update the digits.
void add_regime(Outcome& to, Outcome const& regime);

/// The result of a law in the deciding regimes.
struct LawOutcome {
  std::string law;
  std::int64_t applicable = 0, broken = 0;
  Number worst;
};

/// Cases in a range of sizes, and the largest error of their answers.
struct OfSize {
  double up_to = 0;  ///< metres
  std::int64_t judged = 0, failed = 0;
  double error = 0;
};

/// A size limit: cases fail below `size`, and none fails above it.
struct Threshold {
  double size = 0;  ///< metres
  std::int64_t judged_above = 0;
  double error_above = 0;
};
/// Returns the size limit. Returns nothing without failures, if the size does not explain the failures, or if too few
/// cases above it were judged. `sizes` must be in ascending order.
std::optional<Threshold> threshold(std::vector<OfSize> const& sizes);

struct Verdict {
  std::vector<Outcome> profiles;  ///< everyday, degenerate, extreme; only profiles with cases
  std::vector<Outcome> regimes;   ///< the regimes in the kernel's order
  std::vector<LawOutcome> laws;   ///< broken laws, the most often broken first
  std::optional<Threshold> threshold;
  std::string sentence;
};
Verdict verdict(Kernel const& kernel, Contender const& contender);

/// Returns true if failures of this profile count. If a file does not contain this, failures of extreme cases do not
/// count.
bool decides(Contender const& contender, std::string_view profile);

/// Returns the digits for a table cell: "15.1", or "no" below one digit.
std::string digits_text(Outcome const& outcome);

}  // namespace demeter::report
