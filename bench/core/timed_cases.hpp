// Which cases are timed: enough to be like the work of a simulation, and few enough to be timed in seconds.
#pragma once

#include "bench/core/timing_types.hpp"
#include "subjects/subjects.hpp"

#include <chrono>
#include <map>

namespace demeter::bench {

/// How many cases of a kernel are timed. Truths that take long (a large `case_divisor`) are for fewer cases.
struct CaseLimits {
  std::size_t timed;               ///< in cache, at most
  std::size_t judged;              ///< to find the contenders, at least
  bool slow_truths = false;        ///< a pass of them takes longer than a repetition should
  bool truths_everywhere = false;  ///< they are timed in every regime, not in the first alone
};

CaseLimits case_limits(Kernel const& kernel, TimingOptions const& options);

template <class Work>
double seconds_of(Work const& work) {
  auto const begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The first `count` cases, or all if there are fewer.
Table first_of(Kernel const& kernel, Table const& cases, std::uint64_t count);

/// Cases that a subject answers, and what became of the others.
struct Answered {
  Table cases;
  std::map<Status, std::size_t> others;
  std::string last;  ///< the subject's message for the last of them

  /// "declines all of 64 cases": why the subject answers none.
  std::string why_none() const;
  bool declined() const;
};

/// The cases that the subject answers, `most` of them.
Answered answered_by(Kernel const& kernel, Subject const& subject, Table const& cases, std::size_t most);

/// The number of cases whose truths take about 5 ms together; from 16 to `most`.
std::size_t truths_in_a_pass(Kernel const& kernel, Table const& cases, std::size_t most);

/// Nanoseconds per case of a subject of ours, to about a factor of two.
double rough_nanoseconds(Kernel const& kernel, Subject const& subject, Table const& cases);

/// Enough cases to fill the first-level cache a few times over, so that the processor cannot learn all branches.
Table workload_cases(Kernel const& kernel, std::size_t workload, TimingOptions const& options);

/// Bytes of all columns, of input and output.
std::size_t bytes_of(Kernel const& kernel, Table const& cases);

/// The cases of the first regime that are timed, and the subjects that are wrong on some of them.
struct Screening {
  std::uint64_t used = 0, total = 0;
  std::vector<Screened> screened;
};

/// Cases of a regime that every contender answers acceptably. If truths take long, and after the first regime, only
/// some cases are judged; the others have to be answered. `note` is there for the first regime.
Table screened_cases(Kernel const& kernel, std::vector<Subject const*> const& subjects, std::size_t regime,
                     TimingOptions const& options, Screening* note);

/// The cases repeated until their columns have `bytes`.
Table tiled(Kernel const& kernel, Table const& cases, std::size_t bytes);

}  // namespace demeter::bench
