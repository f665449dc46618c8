// The codes of a report across all kernels: the kernels that each code answers, and the accuracy of each code by grain
// size.
#pragma once

#include "reports/format/verdict.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

struct CodeOfKernel {
  Kernel const* kernel = nullptr;
  Contender const* result = nullptr;
};

/// A code and its results for the kernels that it answers.
struct Code {
  std::string name, version;
  bool ours = false;
  std::string home = {};  ///< address of the home page; empty: unknown
  std::vector<CodeOfKernel> results = {};

  /// Returns the result for a kernel, or null.
  Contender const* of(Kernel const& kernel) const;
};

/// Returns whether a subject only solves the exercise of a course. The table of codes leaves out such subjects, because
/// nobody uses them for simulations. The page of the solvers shows them.
bool is_exercise(std::string_view name);

/// Moves the results of exercises out of the results of codes, and removes the timings of exercises. The page of the
/// solvers shows the exercises.
void separate_exercises(Results& results);

/// Returns Demeter's batch form as "fast", then all codes of others, in the order of `results.subjects`.
/// Exercises are left out.
std::vector<Code> codes(Results const& results);

/// The limits between decades of grain sizes, in metres. The first decade includes all smaller grains. The last decade
/// includes all larger grains.
inline constexpr std::array<double, 5> decade_limits{1e-4, 1e-3, 1e-2, 1e-1, 1};
inline constexpr std::size_t decades = decade_limits.size() + 1;

/// The everyday cases in one decade of grain sizes. `error` is the largest error of an answer, relative to its measure.
struct Decade {
  std::int64_t judged = 0, failed = 0;
  double error = 0;
};
/// Returns the everyday results by decade of grain size. A bin on both sides of a limit belongs to the decade of its
/// middle. All decades are empty for kernels without lengths.
std::array<Decade, decades> by_decade(Contender const& contender);

/// The extent to which answers can be trusted.
enum class Trust { untested, few, wrong, six_digits, twelve_digits };
/// Returns the trust for a number of judged cases, the number that failed, and the largest error. "few" means: no case
/// failed, but too few cases were judged to rely on this.
Trust trust_in(std::int64_t judged, std::int64_t failed, double error);

}  // namespace demeter::report
