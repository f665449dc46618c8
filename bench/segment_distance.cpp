// Routines timed beside the subjects of segment_distance.

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

// The distance alone is what a broad contact search asks for; what s and t add is in the table beside it.
std::span<demeter::bench::Promise const> promises() {
  static constexpr demeter::bench::Timed avx512{"fast@avx512", "cache", "typical", "distance"};
  static constexpr demeter::bench::Timed avx2{"fast@avx2", "cache", "typical", "distance"};
  static constexpr demeter::bench::Timed ode{"ode", "cache", "typical", "all"};
  static constexpr demeter::bench::Timed one{"fast@scalar", "cache", "typical", "all"};
  static constexpr demeter::bench::Timed judge{"judge", "cache", "typical", "all"};
  static constexpr demeter::bench::Promise list[] = {
      {"one pair at a time in a third of the plain textbook routine's time (in cache)",
       {"textbook@double", "cache", "typical", "all"},
       one,
       true,
       3},
      {"at least 12 times faster than ODE's closest points (AVX-512, in cache)", ode, avx512, true, 12},
      {"at least 8 times faster than ODE's closest points (AVX2, in cache)", ode, avx2, true, 8},
      {"at least 1.5 times faster than the vectorised textbook routine (AVX-512, in cache)",
       {"textbook_vectorised@avx512", "cache", "typical", "distance"},
       avx512,
       true,
       1.5},
      {"at least 1.2 times faster than the vectorised textbook routine (AVX2, in cache)",
       {"textbook_vectorised@avx2", "cache", "typical", "distance"},
       avx2,
       true,
       1.2},
      {"the slowest regime at most 3 times the typical one (AVX-512, in cache)",
       {"fast@avx512", "cache", "*", "distance"},
       avx512,
       false,
       3},
      {"the slowest regime of scenes at most 3 times the typical one (AVX2, in cache)",
       {"fast@avx2", "cache", "*scenes", "distance"},
       avx2,
       false,
       3},
      // A row of mixed_scale takes 122 instructions and one of global_scale 111, for 44 of a typical one (counted by
      // valgrind): it is brought to a unit of its own, and every third is solved again by cross products. Subnormal
      // numbers take 1.3 ns of the 16 besides.
      {"the slowest regime of extreme numbers at most 4 times the typical one (AVX2, in cache)",
       {"fast@avx2", "cache", "*extreme", "distance"},
       avx2,
       false,
       4},
      {"within 10 % of the load floor (AVX-512, streaming)",
       {"fast@avx512", "streaming", "typical", "distance"},
       {"load_floor@avx512", "streaming", "typical", "distance"},
       false,
       1.1},
      // Not within 10 % of the load floor: with half the lanes the 44 instructions of a row take longer than its bytes.
      {"streaming at most 1.5 times the time in cache (AVX2)",
       {"fast@avx2", "streaming", "typical", "distance"},
       avx2,
       false,
       1.5},
      {"a certified verdict in at most 5,000 ns: 200,000 a second", judge, {}, false, 5000},
      {"an exact distance in at most 30,000 ns", {"oracle", "cache", "typical", "all"}, {}, false, 30000},
      {"an exact distance of mixed scale in at most 60,000 ns",
       {"oracle", "cache", "mixed_scale", "all"},
       {},
       false,
       60000},
  };
  return list;
}

}  // namespace demeter::segment_distance::bench
