// Comparison routines for the timings of segment_distance.

#include "bench/vectorised/segment_distance.hpp"
#include "kernels/baseline.hpp"

#include <span>

namespace demeter::segment_distance::bench {

std::span<demeter::bench::Baseline const> baselines() {
  static constexpr std::string_view everything = "it computes nothing",
                                    loads = "12 columns read, their sum written: no routine is faster";
  static constexpr demeter::bench::Baseline list[] = {
      {.name = "textbook_vectorised",
       .level = "avx512",
       .doc = "Ericson's routine with selects, vectorised by the compiler at 64 bytes",
       .run = &avx512::textbook_vectorised,
       .outputs = "distance",
       .judged_as = "textbook@double"},
      {.name = "textbook_vectorised",
       .level = "avx2",
       .doc = "Ericson's routine with selects, vectorised by the compiler at 32 bytes",
       .run = &avx2::textbook_vectorised,
       .outputs = "distance",
       .judged_as = "textbook@double"},
      {.name = "load_floor",
       .level = "avx512",
       .doc = loads,
       .run = &avx512::load_floor,
       .outputs = "distance",
       .leaves_out = everything},
      {.name = "load_floor",
       .level = "avx2",
       .doc = loads,
       .run = &avx2::load_floor,
       .outputs = "distance",
       .leaves_out = everything},
  };
  return list;
}

}  // namespace demeter::segment_distance::bench
