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
      {"the slowest regime of scenes at most 3 times the typical one (AVX2, in cache)",
       {"fast@avx2", "cache", "*scenes", "all"},
       avx2,
       false,
       3},
      // A row of mixed_scale takes 265 instructions for 103 of a typical one (counted by valgrind): it is brought to a
      // unit of its own, and what may be in doubt is solved in more digits. Subnormal numbers take 9 ns of the 45
      // besides.
      {"the slowest regime of extreme numbers at most 4.5 times the typical one (AVX2, in cache)",
       {"fast@avx2", "cache", "*extreme", "all"},
       avx2,
       false,
       4.5},
  };
  return list;
}

}  // namespace demeter::capsule_contact::bench
