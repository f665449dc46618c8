// Error statistics of one subject, regime and output.
#pragma once

#include "check/error_tally.hpp"
#include "kernels/kernel.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace demeter {

/// The error of a crash, a hang, a NaN, or an infinity where a number is expected.
constexpr double infinite_error = std::numeric_limits<double>::infinity();

/// A case and its answer, each as a table of one row.
struct Example {
  Table input;
  Table answer;
  std::uint64_t id = 0;
  std::size_t regime = 0;
  double error = 0;
};

/// Statistics of one subject and regime, for one output that has a budget. Each case is counted in exactly one of
/// judged, unsupported, not_representable, not_asked, missing, malformed, crash and timeout, with two exceptions. An
/// accepted failure is counted in `known`, and also in `judged` if it was judged. A case that was answered without this
/// output is counted in none of them.
struct AccuracyCell {
  std::size_t regime = 0, budget = 0;
  bool decides = true;      ///< true if a failure here fails the subject
  std::uint64_t cases = 0;  ///< number of cases drawn
  std::uint64_t judged = 0;
  std::uint64_t unsupported = 0;  ///< declined by the subject
  std::uint64_t not_representable = 0;
  std::uint64_t not_asked = 0;  ///< not asked because the subject had been given up
  std::uint64_t missing = 0, malformed = 0, crash = 0, timeout = 0;
  /// The number of answers that contain the whole output, and of answers in which the output or a part of it is
  /// missing. If both occur, `settle_left_out` counts the incomplete answers as malformed. See `is_left_out`.
  std::uint64_t given = 0, left_out = 0;
  std::uint64_t known = 0;  ///< accepted failures; not counted in the other counts of failures
  // Counts of judged cases:
  std::uint64_t failed = 0, undecided = 0;
  std::uint64_t not_a_number = 0;  ///< failed because of a NaN
  std::uint64_t not_finite = 0;    ///< failed because of an infinity
  std::uint64_t refined = 0;       ///< verdicts that needed a narrower enclosure of the truth
  double max_error = 0;
  double max_relative = 0, max_condition = 0;  ///< values that were not measured are NaN and are ignored
  ErrorTally errors;
  /// The largest difference between the subject's model and the recommended formula, in units of the measure, and the
  /// number of cases in which it was measured. This difference is not an error of the subject. See
  /// `SubjectCheck::model`.
  double model_distance = 0;
  std::uint64_t model_cases = 0;
  /// The number of failures of an output that is a label. The key is (index of the answered label, index of the right
  /// label).
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> labels;
  std::optional<Example> worst;
  std::optional<Example> worst_failure;  ///< the worst failure that is not accepted
  std::optional<Example> worst_finite;   ///< the worst failure that is not accepted and has a finite error
  std::optional<Example> first_left_out;

  /// Returns the number of cases that were asked but have no answer to judge.
  std::uint64_t lost() const { return missing + malformed + crash + timeout; }
  std::uint64_t wrong() const { return failed + lost(); }
  /// Returns true if at least one case was counted for this output.
  bool any() const { return judged + lost() + unsupported + not_representable + not_asked + known > 0; }
};

/// Returns true if an output or a part of it is missing in an answer: at least one cell is marked as not computed. If
/// the output cannot be judged (`judged` is false), a NaN counts as not computed too. A subject must give an output in
/// all of its answers or in none. It may decline a case as unsupported.
bool is_left_out(Node const& output, Table const& answers, std::size_t row, bool judged);
/// Returns true if the answer has the status "separated", which needs no numbers.
bool says_separated(Schema const& output, Table const& answers, std::size_t row);
/// Returns a text such as "normal is missing in 3 of 100 answers, first in id 7 of parallel; expected ...".
std::string left_out_text(std::string_view output, std::uint64_t left_out, std::uint64_t answers,
                          std::string const& first);

/// Returns statistics that contain no case: all counts are 0.
AccuracyCell nothing_judged(std::size_t regime, std::size_t budget);

/// Statistics of the cases of one regime with sizes in one bin. A case counts once, with its worst output.
struct SizeTally {
  std::uint64_t judged = 0, failed = 0;
  double max_error = 0;  ///< largest error of all outputs, each in its own measure

  bool operator==(SizeTally const&) const = default;
};
/// There is one bin for sizes up to 2^-20 m, one per power of two up to 2^6 m, and one for larger sizes.
constexpr int least_size = -20, largest_size = 6;
constexpr std::size_t size_bins = largest_size - least_size + 2;
std::size_t size_bin(double metres);
/// Returns the upper end of a bin in metres: 2^least_size for the first bin, infinity for the last.
double largest_of_bin(std::size_t bin);

/// The statistics of a regime, one entry per bin of sizes. Empty for a kernel without lengths.
using Sizing = std::vector<SizeTally>;
void merge(Sizing& into, Sizing const& from);

/// Adds the statistics of other cases of the same regime and output. The order does not matter.
void merge(AccuracyCell& into, AccuracyCell const& from);

}  // namespace demeter
