// What the errors of one subject, regime and output add up to.
#pragma once

#include "kernels/kernel.hpp"

#include <cstdint>
#include <limits>
#include <optional>
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

/// One subject, regime and budgeted output.
struct Accuracy {
  std::size_t regime = 0, budget = 0;
  bool decides = true;  ///< whether failures here decide about the subject
  std::uint64_t cases = 0, judged = 0, unsupported = 0, crash = 0, timeout = 0, failed = 0, undecided = 0;
  std::uint64_t refined = 0;  ///< verdicts that the first enclosure left open
  std::uint64_t known = 0;    ///< accepted failures, in none of crash, timeout and failed
  double max_error = 0, sum_error = 0;
  double max_relative = 0, max_condition = 0;  ///< NaN counts as not measured
  std::vector<std::uint32_t> histogram;        ///< of log2 error in sixteenths from 2^-16, for quantiles
  /// How far the model of the subject is from the recommended formula, in units of the measure, and in how many cases
  /// that was looked at: see `SubjectCheck::model`. No error of the subject's.
  double model_distance = 0;
  std::uint64_t model_cases = 0;
  std::optional<Example> worst;
  std::optional<Example> worst_failure;  ///< the worst that is not known
  std::optional<Example> worst_finite;   ///< and of these the worst that is no overflow, crash or NaN

  double mean_error() const { return judged == 0 ? 0 : sum_error / static_cast<double>(judged); }
  double quantile(double share) const;
};

/// Of no cases.
Accuracy nothing_judged(std::size_t regime, std::size_t budget);

/// Counts one error.
void add_error(Accuracy& cell, double error);

/// Adds other cases of the same regime and output, in any order.
void merge(Accuracy& into, Accuracy const& from);

}  // namespace demeter
