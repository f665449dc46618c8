// Comparison routines for the timings of capsule_mass_properties: copies of the columns, and the printed sums
// vectorised by the compiler.
#include "bench/vectorised/capsule_mass_properties.hpp"
#include "kernels/baseline.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace demeter::capsule_mass_properties::bench {
namespace {

void copy_by_column(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t k = 0; k < 5; ++k) {
    if (out[k] != nullptr) std::memcpy(out[k], in[k % 3], n * sizeof(double));
  }
}

constexpr std::string_view four = "volume,mass,ixx,iyy";

constexpr std::string_view row_by_row =
    "3 columns in, 4 out, row by row; stores past the cache where the rows do not fit it";
constexpr std::string_view woo_sums = "Woo's sums without pow, vectorised by the compiler";
constexpr std::string_view everything = "it computes nothing";

constexpr demeter::bench::Baseline all[] = {
    {.name = "copy",
     .level = "avx512",
     .doc = row_by_row,
     .run = avx512::copy,
     .outputs = four,
     .leaves_out = everything},
    {.name = "copy", .level = "avx2", .doc = row_by_row, .run = avx2::copy, .outputs = four, .leaves_out = everything},
    {.name = "copy_by_column",
     .level = "scalar",
     .doc = "memcpy of one column after the other (microcode: rep movsb)",
     .run = copy_by_column,
     .outputs = four,
     .leaves_out = everything},
    {.name = "printed_vectorised",
     .level = "avx512",
     .doc = woo_sums,
     .run = avx512::printed,
     .outputs = four,
     .judged_as = "documented@double"},
    {.name = "printed_vectorised",
     .level = "avx2",
     .doc = woo_sums,
     .run = avx2::printed,
     .outputs = four,
     .judged_as = "documented@double"},
};

}  // namespace

/// Columns are in the order of the C ABI. In: radius, shaft, density. Out: volume, mass, ixx, iyy, bounding_radius.
std::span<demeter::bench::Baseline const> baselines() { return all; }

}  // namespace demeter::capsule_mass_properties::bench
