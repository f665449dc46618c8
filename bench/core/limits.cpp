#include "bench/core/limits.hpp"

#include "fast/core/targets.hpp"

#include <type_traits>

// Highway includes this file once a target, and this part comes first.
#ifndef DEMETER_BENCH_CORE_LIMITS
#define DEMETER_BENCH_CORE_LIMITS

namespace demeter::bench {
namespace {

enum class Chain { fused, separate, division, root };

/// What is measured, at one level.
struct Loops {
  double (*vectors)(Chain, std::size_t rounds);
  double (*numbers)(Chain, std::size_t rounds);  ///< one at a time
  std::size_t (*lanes)();
  double (*read)(double const* from, std::size_t count);
  void (*copy)(double const* from, double* to, std::size_t count);
  void (*copy_past_caches)(double const* from, double* to, std::size_t count);
};

}  // namespace
}  // namespace demeter::bench

#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/core/limits.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace demeter::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The compiler may assume nothing about `x`, so that nothing is folded, left out or done to several at once.
template <class Vector>
HWY_INLINE void opaque(Vector& x) {
#if defined(__x86_64__)
  // An array where Highway only pretends to have vectors: clang's baseline.
  if constexpr (std::is_array_v<decltype(x.raw)>)
    asm volatile("" : "+m"(x.raw));
  else
    asm volatile("" : "+x"(x.raw));
#else
  asm volatile("" : : "g"(&x) : "memory");
#endif
}

/// Twelve steps a round, each with a number of its own: more than two units of five cycles have in work.
template <class Tag, class Step>
HWY_INLINE double run_chains(Tag tag, std::size_t rounds, Step const& step) {
  hn::Vec<Tag> const begin = hn::Set(tag, 1.25);
  auto x0 = begin, x1 = begin, x2 = begin, x3 = begin, x4 = begin, x5 = begin;
  auto x6 = begin, x7 = begin, x8 = begin, x9 = begin, x10 = begin, x11 = begin;
  for (std::size_t i = 0; i < rounds; ++i) {
    step(x0), step(x1), step(x2), step(x3), step(x4), step(x5);
    step(x6), step(x7), step(x8), step(x9), step(x10), step(x11);
  }
  return hn::GetLane(x0) + hn::GetLane(x11);
}

template <class Tag>
HWY_INLINE double run_chain(Tag tag, Chain kind, std::size_t rounds) {
  using Vector = hn::Vec<Tag>;
  Vector const a = hn::Set(tag, 0.75), b = hn::Set(tag, 0.3125);  // 1.25 stays as it is
  switch (kind) {
    case Chain::fused:
      return run_chains(tag, rounds, [a, b](Vector& x) HWY_ATTR {
        x = hn::MulAdd(x, a, b);
        opaque(x);
      });
    case Chain::separate:
      return run_chains(tag, rounds, [a, b](Vector& x) HWY_ATTR {
        x = hn::Mul(x, a);
        opaque(x);
        x = hn::Add(x, b);
        opaque(x);
      });
    // Of the same number each time: of a root's root 1 is soon left, which is easier.
    case Chain::division:
      return run_chains(tag, rounds, [a](Vector& x) HWY_ATTR {
        opaque(x);
        Vector quotient = hn::Div(a, x);
        opaque(quotient);
      });
    case Chain::root:
      return run_chains(tag, rounds, [](Vector& x) HWY_ATTR {
        opaque(x);
        Vector root = hn::Sqrt(x);
        opaque(root);
      });
  }
  return 0;
}

double vectors(Chain kind, std::size_t rounds) { return run_chain(hn::ScalableTag<double>(), kind, rounds); }
double numbers(Chain kind, std::size_t rounds) { return run_chain(hn::CappedTag<double, 1>(), kind, rounds); }
std::size_t lanes() { return hn::Lanes(hn::ScalableTag<double>()); }

double read_all(double const* HWY_RESTRICT from, std::size_t count) {
  hn::ScalableTag<double> const tag;
  std::size_t const width = hn::Lanes(tag);
  auto s0 = hn::Zero(tag), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (std::size_t i = 0; i + 8 * width <= count; i += 8 * width) {
    s0 = hn::Add(s0, hn::Load(tag, from + i)), s1 = hn::Add(s1, hn::Load(tag, from + i + width));
    s2 = hn::Add(s2, hn::Load(tag, from + i + 2 * width)), s3 = hn::Add(s3, hn::Load(tag, from + i + 3 * width));
    s4 = hn::Add(s4, hn::Load(tag, from + i + 4 * width)), s5 = hn::Add(s5, hn::Load(tag, from + i + 5 * width));
    s6 = hn::Add(s6, hn::Load(tag, from + i + 6 * width)), s7 = hn::Add(s7, hn::Load(tag, from + i + 7 * width));
  }
  return hn::GetLane(hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7))));
}

template <bool past_the_cache>
void copy_all(double const* HWY_RESTRICT from, double* HWY_RESTRICT to, std::size_t count) {
  hn::ScalableTag<double> const tag;
  std::size_t const width = hn::Lanes(tag);
  for (std::size_t i = 0; i + 4 * width <= count; i += 4 * width)
    for (std::size_t k = 0; k < 4; ++k) {
      auto const x = hn::Load(tag, from + i + k * width);
      if constexpr (past_the_cache)
        hn::Stream(x, tag, to + i + k * width);
      else
        hn::Store(x, tag, to + i + k * width);
    }
  if constexpr (past_the_cache) hwy::FlushStream();
}

constexpr Loops loops{vectors, numbers, lanes, read_all, copy_all<false>, copy_all<true>};

}  // namespace demeter::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "kernels/lists.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>

namespace demeter::bench {
namespace {

constexpr int passes = 7;

Loops const& loops_of(Level level) {
  switch (level) {
    case Level::avx512:
      return N_AVX3::loops;
    case Level::avx2:
      return N_AVX2::loops;
    case Level::scalar:
      break;
  }
  return HWY_NAMESPACE::loops;
}

/// Nanoseconds of each of the works, which take turns: what disturbs one of them disturbs the others too. Of the
/// fastest pass: what other programs take is no limit of the machine, and twice the median's bandwidth was seen beside
/// them.
template <class... Works>
std::array<double, sizeof...(Works)> least_nanoseconds(std::size_t times, Works const&... works) {
  std::array<double, sizeof...(Works)> least{};
  for (int pass = 0; pass < passes; ++pass) {
    std::size_t which = 0;
    auto const take = [&](auto const& work) {
      auto const begin = std::chrono::steady_clock::now();
      for (std::size_t i = 0; i < times; ++i) work();
      auto const end = std::chrono::steady_clock::now();
      double const taken = std::max(1.0, std::chrono::duration<double, std::nano>(end - begin).count());
      double& best = least[which++];
      best = pass == 0 ? taken : std::min(best, taken);
    };
    (take(works), ...);
  }
  for (double& each : least) each /= static_cast<double>(times);
  return least;
}

void consume(double x) { asm volatile("" : : "g"(&x) : "memory"); }

/// Operations a nanosecond, `each` in a step.
double rate(double (*chains)(Chain, std::size_t), Chain kind, double each) {
  constexpr std::size_t rounds = 4000;  // some 50 us
  consume(chains(kind, rounds));
  return 12 * static_cast<double>(rounds) * each / least_nanoseconds(1, [&] { consume(chains(kind, rounds)); })[0];
}

Peak measure_peak(double (*chains)(Chain, std::size_t), double lanes) {
  return {std::max(rate(chains, Chain::fused, 2 * lanes), rate(chains, Chain::separate, 2 * lanes)),
          rate(chains, Chain::division, lanes), rate(chains, Chain::root, lanes)};
}

/// Memory that has been written to, half to read and half to write.
class Halves {
 public:
  explicit Halves(std::size_t bytes) : count_(bytes / 2 / sizeof(double) / 64 * 64) {
    // The second half begins five lines further into its page, as columns that are timed do.
    bytes_ = (2 * count_ + 40) * sizeof(double);
    void* const start = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    ::madvise(start, bytes_, MADV_HUGEPAGE);
    start_ = static_cast<double*>(start);
    std::fill(start_, start_ + bytes_ / sizeof(double), 1.25);
  }
  Halves(Halves const&) = delete;
  Halves& operator=(Halves const&) = delete;
  ~Halves() { ::munmap(start_, bytes_); }

  std::size_t count() const { return count_; }
  double const* from() const { return start_; }
  double* to() const { return start_ + count_ + 40; }

 private:
  std::size_t count_, bytes_ = 0;
  double* start_ = nullptr;
};

/// Through `bytes` of the buffer.
Bandwidth measure_bandwidth(Loops const& loops, Halves const& halves, std::size_t bytes, bool past_caches) {
  std::size_t const count = std::min(halves.count(), bytes / 2 / sizeof(double) / 64 * 64);
  double const half = static_cast<double>(count * sizeof(double));
  // Half a megabyte a sample, that clocks tell it.
  std::size_t const times = std::max<std::size_t>(1, (std::size_t{1} << 19) / static_cast<std::size_t>(half));
  auto const reading = [&] { consume(loops.read(halves.from(), count)); };
  auto const copying = [&] { loops.copy(halves.from(), halves.to(), count); };
  copying();  // touch
  double read = 0, copied = 0;
  if (past_caches) {
    auto const least =
        least_nanoseconds(times, reading, copying, [&] { loops.copy_past_caches(halves.from(), halves.to(), count); });
    read = least[0], copied = std::min(least[1], least[2]);
  } else {
    auto const least = least_nanoseconds(times, reading, copying);
    read = least[0], copied = least[1];
  }
  // A copy may take no longer than reading does, where both are done at once: at twice the speed then.
  return {bytes, half / read, half / std::max(copied - read, read / 2)};
}

std::size_t cache_bytes(int name, std::size_t otherwise) {
  long const bytes = ::sysconf(name);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : otherwise;
}

}  // namespace

MachineLimits measure_limits(std::size_t memory_bytes) {
  MachineLimits limits;
  limits.peaks[static_cast<std::size_t>(Level::scalar)] = measure_peak(loops_of(best_level()).numbers, 1);
  for (Level const level : {Level::avx2, Level::avx512})
    if (available(level))
      limits.peaks[static_cast<std::size_t>(level)] =
          measure_peak(loops_of(level).vectors, static_cast<double>(loops_of(level).lanes()));
  Loops const& loops = loops_of(best_level());
  std::size_t const first = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, std::size_t{32} << 10);
  std::size_t const second = std::max(2 * first, cache_bytes(_SC_LEVEL2_CACHE_SIZE, std::size_t{512} << 10));
  std::size_t const third = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 0);
  std::vector<std::size_t> sizes{first, second};
  if (third > 2 * second) sizes.push_back(third);
  memory_bytes = std::max(memory_bytes, 16 * second);
  Halves const halves(memory_bytes);
  // Of a cache half is streamed through, of the third, which others use too, no more than fills the second twice.
  for (std::size_t const size : sizes) {
    limits.caches.push_back(measure_bandwidth(loops, halves, std::min(size / 2, 4 * second), false));
    limits.caches.back().bytes = size;
  }
  limits.memory = measure_bandwidth(loops, halves, memory_bytes, true);
  return limits;
}

MachineLimits const& machine_limits(std::size_t memory_bytes) {
  static MachineLimits const limits = measure_limits(memory_bytes);
  return limits;
}

CaseCost case_cost(Kernel const& kernel, Table const& cases, std::vector<bool> const& wanted) {
  CaseCost cost;
  if (cases.rows == 0) return cost;
  auto const formula = formula_cost(kernel, cases, wanted);
  cost.operations = formula.operations;
  // Offsets begin with a 0 of no case.
  auto const bytes = [&](Schema const& schema, Table const& table, std::size_t column) {
    std::size_t const first = schema.columns[column].kind == ColumnInfo::Kind::offsets ? 1 : 0;
    return sizeof(double) * static_cast<double>(table.columns[column].size() - first) / static_cast<double>(cases.rows);
  };
  for (std::size_t i = 0; i < cases.columns.size(); ++i)
    if (formula.reads[i]) cost.read += bytes(kernel.input, cases, i);
  Table const outputs = blank_outputs(kernel.input, kernel.output, cases, 0);
  for (std::size_t i = 0; i < outputs.columns.size(); ++i)
    if (wanted[i]) cost.written += bytes(kernel.output, outputs, i);
  return cost;
}

double operations_in_time(Operations const& operations, Peak const& peak) {
  return std::max((operations.additions + operations.multiplications) / peak.sums,
                  operations.divisions / peak.divisions + operations.roots / peak.roots);
}

Bound bound_of(CaseCost const& cost, MachineLimits const& limits, Level level, std::size_t count, bool streaming) {
  Bandwidth const* place = &limits.memory;
  if (!streaming) {
    double const bytes = cost.bytes() * static_cast<double>(count);
    auto const fits = [bytes](Bandwidth const& cache) { return bytes <= static_cast<double>(cache.bytes); };
    auto const found = std::find_if(limits.caches.begin(), limits.caches.end(), fits);
    if (found != limits.caches.end()) place = &*found;
  }
  Bound bound{cost.read / place->read + cost.written / place->written, true, false};
  Peak const& peak = limits.peaks[static_cast<std::size_t>(level)];
  bound.counted = cost.operations && peak.sums > 0;
  if (!bound.counted) return bound;
  double const computed = operations_in_time(*cost.operations, peak);
  if (computed > bound.nanoseconds) bound = {computed, false, true};
  return bound;
}

}  // namespace demeter::bench

#endif
