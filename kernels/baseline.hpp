// Comparison routines of a kernel's benchmark, for example a plain copy of the columns, or a textbook loop that the
// compiler vectorises. They are timed beside the subjects and are not judged.
#pragma once

#include <cstddef>
#include <string_view>

namespace demeter::bench {

/// A comparison routine. `in` and `out` are columns in the order of the C ABI (fields() order, flattened); a null
/// output column is not written. `level` is the instruction set that the routine needs: "scalar", "avx2" or "avx512".
/// `outputs` names the outputs that the routine writes while it is timed, for example "distance" or "volume,mass". The
/// batch forms are also timed with only these outputs. Empty: all outputs.
struct Baseline {
  std::string_view name;
  std::string_view level;
  std::string_view doc;
  void (*run)(std::size_t n, double const* const in[], double* const out[]);
  std::string_view outputs = "";
  /// Modifies a copy of the cases before they are timed, for example to start a search at another point. Null: no
  /// change.
  void (*prepare)(std::size_t n, double* const in[]) = nullptr;
  /// The reason why the routine may be faster than the batch forms. The report prints the reason if the routine is
  /// faster. At least one of `judged_as` and `leaves_out` must be set. `judged_as`: the name of a subject that computes
  /// the same results, except for rounding and extreme numbers. The verdict of this subject then applies to the
  /// routine. A test compares the two. `leaves_out`: a part that the batch forms compute and this routine does not, for
  /// example "without the principal axes".
  std::string_view judged_as = "";
  std::string_view leaves_out = "";
};

}  // namespace demeter::bench
