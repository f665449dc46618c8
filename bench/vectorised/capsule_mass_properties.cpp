// Compiled once per level, with the compiler flags of the level. DEMETER_LEVEL is its name. No template and no inline
// function of a shared header may be used here. Otherwise the linker could pick the copy of this level for a CPU that
// cannot run it.
#include "bench/vectorised/capsule_mass_properties.hpp"

#include <immintrin.h>

#include <cstdint>
#include <cstring>

namespace demeter::capsule_mass_properties::bench::DEMETER_LEVEL {
namespace {

#ifdef __AVX512F__
using Vector = __m512d;
Vector load(double const* from) { return _mm512_loadu_pd(from); }
void store(double* to, Vector x) { _mm512_storeu_pd(to, x); }
void store_past_the_cache(double* to, Vector x) { _mm512_stream_pd(to, x); }
#else
using Vector = __m256d;
Vector load(double const* from) { return _mm256_loadu_pd(from); }
void store(double* to, Vector x) { _mm256_storeu_pd(to, x); }
void store_past_the_cache(double* to, Vector x) { _mm256_stream_pd(to, x); }
#endif

constexpr std::size_t lanes = sizeof(Vector) / sizeof(double);

// From this number of rows on, the columns do not fit into the cache. Streaming stores then take 0.7 of the time of
// ordinary stores.
constexpr std::size_t rows_past_the_cache = std::size_t(1) << 19;

// Copies row by row, because any routine that computes with these columns reads and writes them in this way. This loop
// takes 0.29 ns per row in cache on Zen 5. Loops with 2 and 4 vectors per iteration, and copies column by column in
// blocks of 64 and 512, take 0.29 to 0.48 ns.
void copy_rows(std::size_t n, double const* const in[], double* const out[]) {
  double const *a = in[0], *b = in[1], *c = in[2];
  double *w = out[0], *x = out[1], *y = out[2], *z = out[3];
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    Vector const first = load(a + i), second = load(b + i), third = load(c + i);
    store(w + i, first);
    store(x + i, second);
    store(y + i, third);
    store(z + i, first);
  }
  for (; i < n; ++i) {
    double const first = a[i], second = b[i], third = c[i];
    w[i] = first;
    x[i] = second;
    y[i] = third;
    z[i] = first;
  }
}

void copy_rows_past_the_cache(std::size_t n, double const* const in[], double* const out[]) {
  std::size_t const misaligned = reinterpret_cast<std::uintptr_t>(out[0]) % sizeof(Vector) / sizeof(double);
  std::size_t const first_aligned = misaligned == 0 ? 0 : lanes - misaligned;
  double const* const rest_in[3] = {in[0] + first_aligned, in[1] + first_aligned, in[2] + first_aligned};
  double* const rest_out[4] = {out[0] + first_aligned, out[1] + first_aligned, out[2] + first_aligned,
                               out[3] + first_aligned};
  copy_rows(first_aligned, in, out);
  std::size_t const rest = n - first_aligned, whole = rest - rest % lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    Vector const first = load(rest_in[0] + i), second = load(rest_in[1] + i), third = load(rest_in[2] + i);
    store_past_the_cache(rest_out[0] + i, first);
    store_past_the_cache(rest_out[1] + i, second);
    store_past_the_cache(rest_out[2] + i, third);
    store_past_the_cache(rest_out[3] + i, first);
  }
  _mm_sfence();
  double const* const tail_in[3] = {rest_in[0] + whole, rest_in[1] + whole, rest_in[2] + whole};
  double* const tail_out[4] = {rest_out[0] + whole, rest_out[1] + whole, rest_out[2] + whole, rest_out[3] + whole};
  copy_rows(rest - whole, tail_in, tail_out);
}

bool equally_aligned(double* const out[]) {
  std::uintptr_t const first = reinterpret_cast<std::uintptr_t>(out[0]) % sizeof(Vector);
  for (std::size_t k = 1; k < 4; ++k) {
    if (reinterpret_cast<std::uintptr_t>(out[k]) % sizeof(Vector) != first) return false;
  }
  return first % sizeof(double) == 0;
}

// Computes Woo's sums, term by term, for the compiler to vectorise.
void printed_rows(std::size_t n, double const* __restrict radius, double const* __restrict shaft,
                  double const* __restrict density, double* __restrict volume, double* __restrict mass,
                  double* __restrict ixx, double* __restrict iyy, double* __restrict bounding_radius) {
  constexpr double pi = 3.14159265358979323846;
  for (std::size_t i = 0; i < n; ++i) {
    double const r = radius[i], a = shaft[i], rho = density[i];
    double const caps = 4.0 / 3 * pi * (r * r * r), cylinder = pi * (r * r) * a;
    double const arm = a / 2 + 3.0 / 8 * r;
    volume[i] = caps + cylinder;
    mass[i] = rho * (caps + cylinder);
    ixx[i] = rho * (2.0 / 5 * caps * (r * r) + 1.0 / 2 * cylinder * (r * r));
    iyy[i] = rho * (83.0 / 320 * caps * (r * r) + caps * (arm * arm) + 1.0 / 12 * cylinder * (3 * (r * r) + a * a));
    bounding_radius[i] = r + a / 2;
  }
}

}  // namespace

void copy(std::size_t n, double const* const in[], double* const out[]) {
  bool const first_four = out[0] != nullptr && out[1] != nullptr && out[2] != nullptr && out[3] != nullptr;
  if (first_four && n >= rows_past_the_cache && equally_aligned(out)) {
    copy_rows_past_the_cache(n, in, out);
  } else if (first_four) {
    copy_rows(n, in, out);
  }
  for (std::size_t k = first_four ? 4 : 0; k < 5; ++k) {
    if (out[k] != nullptr) std::memcpy(out[k], in[k % 3], n * sizeof(double));
  }
}

void printed(std::size_t n, double const* const in[], double* const out[]) {
  constexpr std::size_t block = 512;
  double unwanted[5][block];  // stays in the first-level cache
  for (std::size_t i = 0; i < n; i += block) {
    double* to[5];
    for (std::size_t k = 0; k < 5; ++k) to[k] = out[k] != nullptr ? out[k] + i : unwanted[k];
    std::size_t const count = n - i < block ? n - i : block;
    printed_rows(count, in[0] + i, in[1] + i, in[2] + i, to[0], to[1], to[2], to[3], to[4]);
  }
}

}  // namespace demeter::capsule_mass_properties::bench::DEMETER_LEVEL
