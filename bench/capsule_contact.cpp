// Comparison routines for the timings of capsule_contact.

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

}  // namespace demeter::capsule_contact::bench
