// The results of one subject for one kernel, in digits and as a sentence that its author can quote: "everyday: right to
// 15 digits in 34,000 cases; nearly parallel: to 8". Uses only the records, so that the terminal, the pages and the
// files show the same results.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// Returns the number of correct decimal digits for an error relative to the truth or to a scale; between 0 and 16.
double digits_of(double error);

/// The results of a profile or of one of its regimes. A case counts once, even if several of its outputs fail. Each
/// count of a regime is the largest count among its outputs.
struct Outcome {
  std::string name;     ///< name of the profile or regime
  std::string profile;  ///< empty if the results file does not contain the profile
  std::int64_t cases = 0, judged = 0, unsupported = 0, crash = 0, timeout = 0, failed = 0, undecided = 0, known = 0;
  std::int64_t not_representable = 0, not_asked = 0, missing = 0, malformed = 0, not_finite = 0;
  double error = 0;  ///< largest error of all outputs, each error relative to its own measure
  double digits = 16;
  std::string output;  ///< the output with the largest error

  /// Returns the number of cases without a correct answer.
  std::int64_t wrong() const { return failed + lost(); }
  std::int64_t lost() const { return crash + timeout + missing + malformed; }
  bool asked() const { return judged + lost() + unsupported + not_representable + known > 0; }
};

/// Adds the counts of a regime. Does not update the digits.
void add_regime(Outcome& to, Outcome const& regime);

/// The result of a law in the regimes that decide the verdict.
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

/// A limit of the grain size: some cases below `size` fail, and no case above `size` fails.
struct Threshold {
  double size = 0;  ///< metres
  std::int64_t judged_above = 0;
  double error_above = 0;
};
/// Returns the threshold of the size. Returns nothing if no case fails, if the size does not explain the failures, or
/// if too few cases above the threshold were judged. `sizes` must be in ascending order.
std::optional<Threshold> threshold(std::vector<OfSize> const& sizes);

struct Verdict {
  std::vector<Outcome> profiles;  ///< everyday, degenerate, extreme; only profiles with cases
  std::vector<Outcome> regimes;   ///< the regimes in the kernel's order
  std::vector<LawOutcome> laws;   ///< broken laws, the most often broken first
  std::optional<Threshold> threshold;
  std::string sentence;
};
Verdict verdict(Kernel const& kernel, Contender const& contender);

/// Returns true if failures of this profile count for the verdict. If the results do not name the profiles that count,
/// all profiles except "extreme" count.
bool decides(Contender const& contender, std::string_view profile);

/// Returns the digits for a table cell: "15.1", "no" below one digit, or "-" without judged cases.
std::string digits_text(Outcome const& outcome);

}  // namespace demeter::report
