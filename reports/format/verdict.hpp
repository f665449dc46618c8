// What the results of one subject and kernel come to, in digits and in a sentence that its author could quote:
// "everyday: right to 15 digits in 34,000 cases; nearly parallel: to 8". Made from the records alone, so that the
// terminal, the pages and the files say the same.
#pragma once

#include "reports/format/records.hpp"

namespace demeter::report {

/// The decimal digits that are right at a relative error, or one relative to a scale; between 0 and 16.
double digits_of(double error);

/// What came of a profile, or of one of its regimes. A case counts once, whatever its number of outputs: with the
/// output that the most cases of its regime fail in.
struct Outcome {
  std::string name;     ///< of the profile or regime
  std::string profile;  ///< empty where a file does not say
  std::int64_t cases = 0, judged = 0, unsupported = 0, crash = 0, timeout = 0, failed = 0, undecided = 0, known = 0;
  double error = 0;  ///< the largest of all outputs, each relative to its own measure
  double digits = 16;
  std::string output;  ///< the one with the largest error

  /// Cases that are no right answers.
  std::int64_t wrong() const { return failed + crash + timeout; }
  bool asked() const { return judged + crash + timeout + unsupported + known > 0; }
};

/// Adds other cases. The digits are left as they are.
void add_regime(Outcome& to, Outcome const& regime);

/// A law in the regimes that decide.
struct LawOutcome {
  std::string law;
  std::int64_t applicable = 0, broken = 0;
  Number worst;
};

/// Cases of one size, and the largest error of an answer to them.
struct OfSize {
  double up_to = 0;  ///< metres
  std::int64_t judged = 0, failed = 0;
  double error = 0;
};

/// Below `size` cases fail, above it none does.
struct Threshold {
  double size = 0;  ///< metres
  std::int64_t judged_above = 0;
  double error_above = 0;
};
/// Nothing if there is no failure, or none that the size explains: if too few cases above were judged to tell.
/// `sizes` in ascending order.
std::optional<Threshold> threshold(std::vector<OfSize> const& sizes);

struct Verdict {
  std::vector<Outcome> profiles;  ///< everyday, degenerate, extreme: those that were asked
  std::vector<Outcome> regimes;   ///< in the kernel's order
  std::vector<LawOutcome> laws;   ///< broken ones, the most often broken first
  std::optional<Threshold> threshold;
  std::string sentence;
};
Verdict verdict(Kernel const& kernel, Contender const& contender);

/// Whether failures of this profile count: those of extreme cases are shown only.
bool decides(std::string_view profile);

/// "15.1", or "no" below one digit: for cells.
std::string digits_text(Outcome const& outcome);

}  // namespace demeter::report
