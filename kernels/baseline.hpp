// What a kernel's benchmark adds to the subjects: comparison routines. They are timed beside the subjects and are not
// judged, for example a plain copy of the columns, or a textbook loop that the compiler vectorises.
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

}  // namespace demeter::bench
