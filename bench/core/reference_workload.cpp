#include "bench/core/reference_workload.hpp"

#include <cmath>
#include <cstddef>
#include <ctime>

namespace demeter::bench {
namespace {

constexpr std::size_t few = 512;  // 4 KiB

double processor_nanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

/// Prevents the compiler from assuming anything about `x`. The compiler can then not vectorise, fold or remove the
/// computation of `x`. So the work is the same for every compiler and option.
inline void opaque(double& x) {
#if defined(__x86_64__)
  asm volatile("" : "+x"(x));
#else
  asm volatile("" : "+r"(x));
#endif
}

/// Computes four independent chains of products and sums, with a root and a quotient per 64 numbers. The execution
/// units are always busy, as in batches of contact code. One chain alone would wait for latencies.
double arithmetic(std::vector<double> const& data) {
  double a = 1, b = 1, c = 1, d = 1;
  for (int pass = 0; pass < 1200; ++pass) {
    for (std::size_t i = 0; i < few; i += 64) {
      for (std::size_t k = i; k < i + 64; k += 4) {
        a = a * 0.5 + data[k];
        b = b * 0.5 + data[k + 1];
        c = c * 0.5 + data[k + 2];
        d = d * 0.5 + data[k + 3];
        opaque(a), opaque(b), opaque(c), opaque(d);
      }
      a = std::sqrt(b / (c + d));
      opaque(a);
    }
  }
  return a + b + c + d;
}

}  // namespace

ReferenceWorkload::ReferenceWorkload() : data_(few, 1.25) {}

double ReferenceWorkload::measure() {
  double const begin = processor_nanoseconds();
  double result = arithmetic(data_);
  opaque(result);
  return processor_nanoseconds() - begin;
}

}  // namespace demeter::bench
