// What the errors of one subject, regime and output add up to.
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

/// Of a crash, a hang, NaN, and an infinity instead of a number.
constexpr double infinite_error = std::numeric_limits<double>::infinity();

/// A case in a table of one row, and what was answered.
struct Example {
  Table input;
  Table answer;
  std::uint64_t id = 0;
  std::size_t regime = 0;
  double error = 0;
};

/// One subject, regime and budgeted output. Each case is counted in one of judged, unsupported, not_representable,
/// not_asked, missing, malformed, crash, timeout and known, or in none, if it was answered without this output.
struct AccuracyCell {
  std::size_t regime = 0, budget = 0;
  bool decides = true;      ///< whether failures here decide about the subject
  std::uint64_t cases = 0;  ///< drawn
  std::uint64_t judged = 0;
  std::uint64_t unsupported = 0;  ///< declined by the subject
  std::uint64_t not_representable = 0;
  std::uint64_t not_asked = 0;  ///< since the subject had been given up
  std::uint64_t missing = 0, malformed = 0, crash = 0, timeout = 0;
  /// Answered with the whole output, and without a part of it. Those are malformed if others are whole: see
  /// `is_left_out`.
  std::uint64_t given = 0, left_out = 0;
  std::uint64_t known = 0;  ///< accepted failures, in none of those above and below but judged, if they were
  // Of those judged:
  std::uint64_t failed = 0, undecided = 0;
  std::uint64_t not_a_number = 0;  ///< failed by a NaN
  std::uint64_t not_finite = 0;    ///< failed by an infinity
  std::uint64_t refined = 0;       ///< verdicts that the first enclosure left open
  double max_error = 0;
  double max_relative = 0, max_condition = 0;  ///< NaN counts as not measured
  ErrorTally errors;
  /// How far the model of the subject is from the recommended formula, in units of the measure, and in how many cases
  /// that was looked at: see `SubjectCheck::model`. No error of the subject's.
  double model_distance = 0;
  std::uint64_t model_cases = 0;
  /// Of an output that is a label, failures by the place of the label answered and of the right one.
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> labels;
  std::optional<Example> worst;
  std::optional<Example> worst_failure;  ///< the worst that is not known
  std::optional<Example> worst_finite;   ///< and of these the worst that is no overflow, crash or NaN
  std::optional<Example> first_left_out;

  /// Asked, and no answer to judge.
  std::uint64_t lost() const { return missing + malformed + crash + timeout; }
  std::uint64_t wrong() const { return failed + lost(); }
  /// Whether any case says something of this output.
  bool any() const { return judged + lost() + unsupported + not_representable + not_asked + known > 0; }
};

/// Whether an answer leaves out an output, or a part of it: a cell was not computed, or is NaN where there is nothing
/// to judge it by (`judged` is false). Who gives an output in other cases has forgotten it in this one; a case is
/// declined as unsupported.
bool is_left_out(Node const& output, Table const& answers, std::size_t row, bool judged);
/// Whether the answer is that the bodies are apart, which needs no numbers: a status "separated".
bool says_separated(Schema const& output, Table const& answers, std::size_t row);
/// "normal is left out in 3 of 100 answers, the first id 7 of parallel; expected ..."
std::string left_out_text(std::string_view output, std::uint64_t left_out, std::uint64_t answers,
                          std::string const& first);

/// Of no cases.
AccuracyCell nothing_judged(std::size_t regime, std::size_t budget);

/// Cases of one regime whose size is at most `up_to` and more than that of the bin before. A case counts once, with
/// the worst of its outputs.
struct SizeTally {
  std::uint64_t judged = 0, failed = 0;
  double max_error = 0;  ///< of an output, each in its own measure

  bool operator==(SizeTally const&) const = default;
};
/// By powers of two from 2^-20 m to 2^6 m; below and above that all together.
constexpr int least_size = -20, largest_size = 6;
constexpr std::size_t size_bins = largest_size - least_size + 2;
std::size_t size_bin(double metres);
/// In metres: 2^least_size of the first, infinity of the last.
double largest_of_bin(std::size_t bin);

/// What a regime's cases come to by their size: `size_bins` of them, or none of a kernel without lengths.
using Sizing = std::vector<SizeTally>;
void merge(Sizing& into, Sizing const& from);

/// Adds other cases of the same regime and output, in any order.
void merge(AccuracyCell& into, AccuracyCell const& from);

}  // namespace demeter
