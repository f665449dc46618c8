// Routines timed beside the subjects of capsule_contact.

#include "bench/vectorised/capsule_contact.hpp"
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::capsule_contact::bench {

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr std::string_view everything = "it computes nothing",
                                    copies = "14 columns read, 8 written: no routine is faster";
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "geometric_vectorised",
       .level = "avx512",
       .doc = "closest pair and lens point, vectorised by the compiler at 64 bytes",
       .run = &avx512::geometric_vectorised,
       .judged_as = "geometric@double"},
      {.name = "geometric_vectorised",
       .level = "avx2",
       .doc = "closest pair and lens point, vectorised by the compiler at 32 bytes",
       .run = &avx2::geometric_vectorised,
       .judged_as = "geometric@double"},
      {.name = "copy_floor", .level = "avx512", .doc = copies, .run = &avx512::copy_floor, .leaves_out = everything},
      {.name = "copy_floor", .level = "avx2", .doc = copies, .run = &avx2::copy_floor, .leaves_out = everything},
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
