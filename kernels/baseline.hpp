// What a kernel's benchmark adds to the subjects: routines that are not subjects but floors and yardsticks (a copy, a
// compiler-vectorised textbook loop), and the promises that its timings are held against.
#pragma once

#include <cstddef>
#include <string_view>

namespace demeter::bench {

/// `in` and `out` are columns in the C ABI's order (fields() order, flattened); an output column may be null, and is
/// then not wanted. `level` is the instruction set the routine needs: "scalar", "avx2" or "avx512". `outputs` are the
/// columns it is timed with, "distance" or "volume,mass": the batch forms are timed with the same ones beside it.
/// Empty: all.
struct Baseline {
  std::string_view name;
  std::string_view level;
  std::string_view doc;
  void (*run)(std::size_t n, double const* const in[], double* const out[]);
  std::string_view outputs = "";
  /// Alters the cases before they are timed, in a copy: another start of a search, say. Null: they stay.
  void (*prepare)(std::size_t n, double* const in[]) = nullptr;
  /// Why it may be ahead of the batch forms, which the report says where it is. `judged_as`: a subject that computes
  /// the same but for roundings and extreme numbers, so that its verdict holds here; a test compares the two.
  /// `leaves_out`: what the batch forms do and this does not, "without the principal axes". One of them at least.
  std::string_view judged_as = "";
  std::string_view leaves_out = "";
};

/// One timing: who, "cache" or "streaming", the regime ("*": the slowest of all; "*extreme": of that profile;
/// "*scenes": of the other two), the outputs ("all", or as above).
struct Timed {
  std::string_view subject;
  std::string_view setting;
  std::string_view regime;
  std::string_view outputs;
};

/// The time of `over` divided by that of `under` is at least (or at most) `bound`; without an `under` its nanoseconds
/// are, on a machine whose yardstick takes `promised_yardstick`. Void where one was not timed. The subject "oracle" is
/// the certified truth.
struct Promise {
  std::string_view text;
  Timed over, under;
  bool at_least;
  double bound;
};

}  // namespace demeter::bench
