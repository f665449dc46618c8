// Routines timed beside the subjects of capsule_contact.

#include "bench/vectorised/capsule_contact.hpp"
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::capsule_contact::bench {

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr demeter::bench::Baseline list[] = {
      {"geometric_vectorised", "avx512", "closest pair and lens point, vectorised by the compiler at 64 bytes",
       &avx512::geometric_vectorised},
      {"geometric_vectorised", "avx2", "closest pair and lens point, vectorised by the compiler at 32 bytes",
       &avx2::geometric_vectorised},
      {"copy_floor", "avx512", "14 columns read, 8 written: no routine is faster", &avx512::copy_floor},
      {"copy_floor", "avx2", "14 columns read, 8 written: no routine is faster", &avx2::copy_floor},
  };
  return list;
}

// Against Woo's own formula and the geometric one, one pair after the other, in the same run.
std::span<demeter::bench::Promise const> promises() {
  static constexpr demeter::bench::Timed avx512{"fast@avx512", "cache", "typical", "all"};
  static constexpr demeter::bench::Timed avx2{"fast@avx2", "cache", "typical", "all"};
  static constexpr demeter::bench::Timed woo{"woo@double", "cache", "typical", "all"};
  static constexpr demeter::bench::Timed one{"fast@scalar", "cache", "typical", "all"};
  static constexpr demeter::bench::Promise list[] = {
      {"one pair at a time in the geometric formula's time or less (in cache)",
       {"geometric@double", "cache", "typical", "all"},
       one,
       true,
       1},
      {"at least 10 times faster than Woo's formula in double (AVX-512, in cache)", woo, avx512, true, 10},
      {"at least 6 times faster than Woo's formula in double (AVX2, in cache)", woo, avx2, true, 6},
  };
  return list;
}

}  // namespace demeter::capsule_contact::bench
