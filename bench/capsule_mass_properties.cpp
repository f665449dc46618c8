// What capsule_mass_properties is timed beside: copies of its columns and the printed sums as the compiler vectorises.
#include "bench/core/baseline.hpp"
#include "bench/vectorised/capsule_mass_properties.hpp"

#include <cstddef>
#include <cstring>
#include <span>

namespace demeter::capsule_mass_properties::bench {
namespace {

void copy_by_column(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t k = 0; k < 5; ++k) {
    if (out[k] != nullptr) std::memcpy(out[k], in[k % 3], n * sizeof(double));
  }
}

constexpr demeter::bench::Baseline all[] = {
    {"copy", "avx512", "3 columns in, 4 out, row by row; stores past the cache where the rows do not fit it",
     avx512::copy},
    {"copy", "avx2", "3 columns in, 4 out, row by row; stores past the cache where the rows do not fit it", avx2::copy},
    {"copy_by_column", "scalar", "memcpy of one column after the other (microcode: rep movsb)", copy_by_column},
    {"printed_vectorised", "avx512", "the seed's sums without pow, vectorised by the compiler", avx512::printed},
    {"printed_vectorised", "avx2", "the seed's sums without pow, vectorised by the compiler", avx2::printed},
};

}  // namespace

/// Columns as in the C ABI: radius, shaft, density in; volume, mass, ixx, iyy, bounding_radius out.
std::span<demeter::bench::Baseline const> baselines() { return all; }

}  // namespace demeter::capsule_mass_properties::bench
