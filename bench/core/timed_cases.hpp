// Selection of the cases that are timed: enough to resemble a simulation, and few enough to be timed in seconds.
#pragma once

#include "bench/core/timing_types.hpp"
#include "subjects/subjects.hpp"

#include <chrono>
#include <map>

namespace demeter::bench {

/// The number of cases of a kernel that are timed. Kernels with slow truths (a large `case_divisor`) have fewer cases.
struct CaseLimits {
  std::size_t timed;               ///< maximum number of cases that are timed in the cache
  std::size_t judged;              ///< minimum number of cases that are judged to find the contenders: the subjects
                                   ///< that influence the selection
  bool slow_truths = false;        ///< true: a pass over truths takes longer than a repetition should
  bool truths_everywhere = false;  ///< true: truths are timed in every regime, not only in the first
};

CaseLimits case_limits(Kernel const& kernel, TimingOptions const& options);

template <class Work>
double seconds_of(Work const& work) {
  auto const begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Returns the first `count` cases, or all if there are fewer.
Table first_of(Kernel const& kernel, Table const& cases, std::uint64_t count);

/// The cases that a subject answers, and the number of the other cases by status.
struct Answered {
  Table cases;
  std::map<Status, std::size_t> others;
  std::string last;  ///< the subject's message for the last unanswered case

  /// Returns why the subject answers no case, for example "declines all of 64 cases".
  std::string why_none() const;
  bool declined() const;
};

/// Returns at most `most` cases that the subject answers.
Answered answered_by(Kernel const& kernel, Subject const& subject, Table const& cases, std::size_t most);

/// Returns the number of cases whose truths together take about 5 ms, between 16 and `most`.
std::size_t truths_in_a_pass(Kernel const& kernel, Table const& cases, std::size_t most);

/// Returns the time per case of one of our own subjects in nanoseconds, within about a factor of two.
double rough_nanoseconds(Kernel const& kernel, Subject const& subject, Table const& cases);

/// Returns enough cases to fill the first-level cache several times, so that the processor cannot learn all branches.
Table workload_cases(Kernel const& kernel, std::size_t workload, TimingOptions const& options);

/// Returns the size of all input and output columns in bytes.
std::size_t bytes_of(Kernel const& kernel, Table const& cases);

/// The selection of the cases of the first regime. `total` cases were drawn, and every contender answers `used` of them
/// acceptably. `screened` has the subjects that answer some cases wrongly.
struct Screening {
  std::uint64_t used = 0, total = 0;
  std::vector<Screened> screened;
};

/// Returns cases of a regime that every contender answers acceptably. In the first regime all cases are judged, if
/// truths are not slow. Otherwise only some cases are judged. It is then enough that the contenders answer the other
/// cases. `note` is null except for the first regime.
Table screened_cases(Kernel const& kernel, std::vector<Subject const*> const& subjects, std::size_t regime,
                     TimingOptions const& options, Screening* note);

/// Returns the cases, repeated so that their input and output columns have about `bytes` bytes.
Table tiled(Kernel const& kernel, Table const& cases, std::size_t bytes);

}  // namespace demeter::bench
