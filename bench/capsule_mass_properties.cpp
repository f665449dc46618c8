// What capsule_mass_properties is timed beside: copies of its columns and the printed sums as the compiler vectorises.
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

constexpr demeter::bench::Promise kept[] = {
    {"at most 1.25 times a copy of the columns (AVX-512, in cache)",
     {"fast@avx512", "cache", "typical", four},
     {"copy@avx512", "cache", "typical", four},
     false,
     1.25},
    {"at most 1.6 times a copy of the columns (AVX2, in cache)",
     {"fast@avx2", "cache", "typical", four},
     {"copy@avx2", "cache", "typical", four},
     false,
     1.6},
    {"at most 1.05 times a copy of the columns (AVX-512, streaming)",
     {"fast@avx512", "streaming", "typical", four},
     {"copy@avx512", "streaming", "typical", four},
     false,
     1.05},
    {"at most 1.05 times a copy of the columns (AVX2, streaming)",
     {"fast@avx2", "streaming", "typical", four},
     {"copy@avx2", "streaming", "typical", four},
     false,
     1.05},
    {"a certified verdict in at most 1,000 ns: 1,000,000 a second",
     {"judge", "cache", "typical", "all"},
     {},
     false,
     1000},
};

}  // namespace

/// Columns as in the C ABI: radius, shaft, density in; volume, mass, ixx, iyy, bounding_radius out.
std::span<demeter::bench::Baseline const> baselines() { return all; }

std::span<demeter::bench::Promise const> promises() { return kept; }

}  // namespace demeter::capsule_mass_properties::bench
