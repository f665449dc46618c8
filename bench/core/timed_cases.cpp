#include "bench/core/timed_cases.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace demeter::bench {
namespace {

/// Largest error of an acceptable answer, relative to the scale of the input.
constexpr double acceptable_error = 1e-6;
/// A subject influences the selection of cases only if at most one in this number of judged cases is wrong.
constexpr std::size_t wrong_of_a_contender = 10;
/// Minimum number of cases per regime.
constexpr std::size_t least_cases = 64;
/// Minimum number of cases of a workload. More cases are drawn until these have `numbers_of_a_workload` * `in_cache`
/// numbers together.
constexpr std::size_t least_of_a_workload = 8, numbers_of_a_workload = 4;
/// Number of cases that are drawn from a regime to estimate the length of their lists.
constexpr std::size_t sample_cases = 32;
/// If no case has more than this many numbers, `in_cache` cases fit into the cache.
constexpr std::size_t ordinary_numbers = 128;
/// Number of cases that are timed first to estimate the time of the others.
constexpr std::size_t pilot_truths = 16, pilot_answers = 64;
/// Time of a pass over truths in seconds.
constexpr double truths_pass = 0.005;

/// Returns how many numbers are in all columns together.
std::size_t numbers_in(Table const& cases) {
  std::size_t numbers = 0;
  for (auto const& column : cases.columns) numbers += column.size();
  return numbers;
}

Table drawn(Kernel const& kernel, std::size_t regime, TimingOptions const& options, std::size_t count) {
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < count; ++id) kernel.generate(regime, options.seed, id, cases, options.sizes);
  return cases;
}

/// Returns the number of cases of a regime that are timed in the cache. The number is smaller if the cases have long
/// lists.
std::size_t cases_in_cache(Kernel const& kernel, std::size_t regime, TimingOptions const& options) {
  std::size_t const most = case_limits(kernel, options).timed;
  std::size_t const numbers = numbers_in(drawn(kernel, regime, options, sample_cases));
  return std::clamp(options.in_cache * ordinary_numbers * sample_cases / numbers, std::min(least_cases, most), most);
}

/// Returns for each case whether the subject answers it. The first `judged_rows` answers must also be acceptable.
std::vector<bool> acceptable_rows(Kernel const& kernel, Subject const& subject, Table const& cases,
                                  Truths const& truths, std::size_t judged_rows) {
  Answers answers;
  answer(subject, kernel, cases, answers);
  std::vector<bool> good(cases.rows, true);
  std::vector<Judged> judged(kernel.budgets.size());
  for (std::size_t row = 0; row < cases.rows; ++row) {
    good[row] = answers.status[row] == Status::answered;
    if (!good[row] || row >= judged_rows) continue;
    kernel.judge(cases, truths, row, answers, row, {}, judged);
    for (auto const& each : judged)
      if (each.computed && !(each.error * unit_roundoff <= acceptable_error)) good[row] = false;
  }
  return good;
}

}  // namespace

CaseLimits case_limits(Kernel const& kernel, TimingOptions const& options) {
  // Limits for `case_divisor`. If it is at least `slow`, truths in every regime would take minutes. If it is at least
  // `search`, the kernel needs a search for each answer. If it is at least `slow_search`, the truth of a search takes
  // milliseconds.
  constexpr std::uint64_t slow = 10, search = 50, slow_search = 100;
  std::uint64_t const divisor = kernel.case_divisor;
  if (divisor < search) return {.timed = options.in_cache, .judged = 64, .truths_everywhere = divisor < slow};
  // Few cases are enough for a kernel that searches. The number of steps varies between cases, but every subject
  // answers the same cases.
  std::size_t const most = divisor < slow_search ? 96 : 32;
  return {.timed = std::min(options.in_cache, most), .judged = 16, .slow_truths = true};
}

Table first_of(Kernel const& kernel, Table const& cases, std::uint64_t count) {
  Table few(kernel.input);
  for (std::size_t row = 0; row < std::min<std::uint64_t>(cases.rows, count); ++row)
    append_row(kernel.input, few, cases, row);
  return few;
}

std::string Answered::why_none() const {
  std::size_t all = 0;
  for (auto const& other : others) all += other.second;
  bool const one = others.size() == 1;
  switch (one ? others.begin()->first : Status::missing) {
    case Status::unsupported:
    case Status::not_representable:
      return "declines all of " + std::to_string(all) + " cases";
    case Status::crash:
      return "crashes in all of " + std::to_string(all) + " cases: " + last;
    default:
      return "answers none of " + std::to_string(all) + " cases: " + last;
  }
}

bool Answered::declined() const {
  return std::all_of(others.begin(), others.end(), [](auto const& other) { return !owed(other.first); });
}

Answered answered_by(Kernel const& kernel, Subject const& subject, Table const& cases, std::size_t most) {
  Answers answers;
  answer(subject, kernel, cases, answers);
  Answered found{Table(kernel.input), {}, ""};
  for (std::size_t row = 0; row < cases.rows && found.cases.rows < most; ++row) {
    if (answers.status[row] == Status::answered) {
      append_row(kernel.input, found.cases, cases, row);
    } else {
      ++found.others[answers.status[row]];
      found.last = answers.message[row];
    }
  }
  return found;
}

std::size_t truths_in_a_pass(Kernel const& kernel, Table const& cases, std::size_t most) {
  Table const some = first_of(kernel, cases, pilot_truths);
  double const seconds = seconds_of([&] { benchmark::DoNotOptimize(kernel.truths(some)); });
  double const wanted = static_cast<double>(pilot_truths) * truths_pass / std::max(seconds, 1e-7);
  return std::clamp(static_cast<std::size_t>(wanted), pilot_truths, std::max(most, pilot_truths));
}

double rough_nanoseconds(Kernel const& kernel, Subject const& subject, Table const& cases) {
  Table const some = first_of(kernel, cases, pilot_answers);
  auto const run = subject.find(kernel.name)->timed(some);
  run();  // warm up
  return 1e9 * seconds_of(run) / static_cast<double>(some.rows);
}

Table workload_cases(Kernel const& kernel, std::size_t workload, TimingOptions const& options) {
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < options.in_cache; ++id) {
    if (id >= least_of_a_workload && numbers_in(cases) >= numbers_of_a_workload * options.in_cache) break;
    kernel.generate_workload(workload, options.seed, id, cases);
  }
  return cases;
}

std::size_t bytes_of(Kernel const& kernel, Table const& cases) {
  return sizeof(double) * (numbers_in(cases) + cases.rows * kernel.output.columns.size());
}

Table screened_cases(Kernel const& kernel, std::vector<Subject const*> const& subjects, std::size_t regime,
                     TimingOptions const& options, Screening* note) {
  std::size_t const wanted = cases_in_cache(kernel, regime, options);
  Table const cases = drawn(kernel, regime, options, wanted + wanted / 4);
  std::size_t const affordable =
      std::max<std::size_t>(cases.rows / kernel.case_divisor, case_limits(kernel, options).judged);
  std::size_t const judged = std::min({cases.rows, affordable, note != nullptr ? cases.rows : options.in_cache / 8});
  Truths const truths = kernel.truths(first_of(kernel, cases, judged));
  std::vector<bool> usable(cases.rows, true);
  for (auto const* subject : subjects) {
    if (subject->approximate()) continue;  // an approximate subject does not influence the selection
    auto const good = acceptable_rows(kernel, *subject, cases, truths, judged);
    auto const wrong =
        static_cast<std::size_t>(std::count(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(judged), false));
    bool const contender = wrong * wrong_of_a_contender <= judged;
    if (note != nullptr && wrong > 0) note->screened.push_back({subject->name, wrong, contender});
    for (std::size_t row = 0; row < cases.rows; ++row)
      if (contender && !good[row]) usable[row] = false;
  }
  Table kept(kernel.input);
  for (std::size_t row = 0; row < cases.rows && kept.rows < wanted; ++row)
    if (usable[row]) append_row(kernel.input, kept, cases, row);
  if (note != nullptr) {
    note->used = static_cast<std::uint64_t>(std::count(usable.begin(), usable.end(), true));
    note->total = cases.rows;
  }
  return kept;
}

Table tiled(Kernel const& kernel, Table const& cases, std::size_t bytes) {
  std::size_t const copies = std::max<std::size_t>(1, bytes / bytes_of(kernel, cases));
  Table result(kernel.input);
  for (std::size_t i = 0; i < cases.columns.size(); ++i) {
    bool const offsets = kernel.input.columns[i].kind == ColumnInfo::Kind::offsets;
    auto& to = result.columns[i];
    for (std::size_t copy = 0; copy < copies; ++copy) {
      double const base = offsets ? to.back() : 0;
      for (std::size_t k = offsets ? 1 : 0; k < cases.columns[i].size(); ++k) to.push_back(cases.columns[i][k] + base);
    }
  }
  result.rows = cases.rows * copies;
  return result;
}

}  // namespace demeter::bench
