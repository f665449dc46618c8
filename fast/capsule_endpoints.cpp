#include "fast/capsule_endpoints.hpp"

#include <cstddef>

// One translation unit holds both SIMD levels: Highway includes this file once per target. Everything else Highway
// could target is disabled, but what the compiler's own baseline gives must stay in the list.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/capsule_endpoints.cpp"
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_endpoints::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Lanes`: a type with the arithmetic of one vector of doubles (or of one double).

/// The half-shaft along one axis, and its share of the ends and the box.
template <class Lanes>
struct Coordinate {
  typename Lanes::Value half, end0, end1, box_low, box_high;
};

template <class Lanes>
HWY_INLINE Coordinate<Lanes> along(typename Lanes::Value position, typename Lanes::Value half,
                                   typename Lanes::Value radius) {
  auto const reach = Lanes::absolute(half);
  // Both terms of a bound point the same way, so that neither sum overflows unless the bound does.
  return {half, Lanes::subtract(position, half), Lanes::add(position, half),
          Lanes::subtract(Lanes::subtract(position, reach), radius), Lanes::add(Lanes::add(position, reach), radius)};
}

/// Column k of the input is load(k), column k of the answer goes to put(k, value).
template <class Lanes, class Load, class Put>
HWY_INLINE void endpoints(Load const& load, Put const& put) {
  auto const w_given = load(3);
  auto const x_given = load(4);
  auto const y_given = load(5);
  auto const z_given = load(6);
  // Brought to 2 <= max < 4 (or, if subnormal, to more than 2^-52), no square overflows, and those that underflow are
  // beyond all rounding. Everything after is the same for 2^k q.
  auto const greatest = Lanes::maximum(Lanes::maximum(Lanes::absolute(w_given), Lanes::absolute(x_given)),
                                       Lanes::maximum(Lanes::absolute(y_given), Lanes::absolute(z_given)));
  auto const factor = Lanes::twice_inverse(Lanes::power_of_two(greatest));
  auto const w = Lanes::multiply(w_given, factor);
  auto const x = Lanes::multiply(x_given, factor);
  auto const y = Lanes::multiply(y_given, factor);
  auto const z = Lanes::multiply(z_given, factor);

  auto const kept = Lanes::multiply_add(w, w, Lanes::multiply(x, x));
  auto const turned = Lanes::multiply_add(y, y, Lanes::multiply(z, z));
  auto const inverse = Lanes::divide(Lanes::set(1.0), Lanes::add(kept, turned));
  auto const share_x = Lanes::multiply(Lanes::multiply(Lanes::set(0.5), Lanes::subtract(kept, turned)), inverse);
  auto const share_y = Lanes::multiply(Lanes::multiply_add(x, y, Lanes::multiply(w, z)), inverse);
  auto const share_z = Lanes::multiply(Lanes::multiply_subtract(x, z, Lanes::multiply(w, y)), inverse);

  auto const radius = load(7);
  auto const shaft = load(8);
  auto const put_coordinate = [&](std::size_t k, typename Lanes::Value share) HWY_ATTR {
    auto const at = along<Lanes>(load(k), Lanes::multiply(shaft, share), radius);
    put(k, at.half);
    put(3 + k, at.end0);
    put(6 + k, at.end1);
    put(9 + k, at.box_low);
    put(12 + k, at.box_high);
  };
  put_coordinate(0, share_x);
  put_coordinate(1, share_y);
  put_coordinate(2, share_z);
  put(15, Lanes::multiply_add(Lanes::set(0.5), shaft, radius));
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

constexpr std::size_t columns_in = 9, columns_out = 16;

HWY_INLINE void evaluate_vector(double const* const in[], double* const out[], std::size_t i) {
  endpoints<Simd>([in, i](std::size_t k) HWY_ATTR { return Simd::load(in[k] + i); },
                  [out, i](std::size_t k, Simd::Value value) HWY_ATTR {
                    if (out[k] != nullptr) Simd::store(value, out[k] + i);
                  });
}

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  // Copies that no store can change: otherwise every vector would load the pointers again.
  double const* from[columns_in];
  double* to[columns_out];
  for (std::size_t k = 0; k < columns_in; ++k) from[k] = in[k];
  for (std::size_t k = 0; k < columns_out; ++k) to[k] = out[k];
  std::size_t const full = n - n % Simd::width;
  for (std::size_t i = 0; i < full; i += Simd::width) evaluate_vector(from, to, i);
  if (full == n) return;
  // The rest, in a vector of its own, filled up with the last row.
  double rows[columns_in][Simd::width];
  double results[columns_out][Simd::width];
  for (std::size_t k = 0; k < columns_in; ++k) {
    for (std::size_t j = 0; j < Simd::width; ++j) rows[k][j] = in[k][full + j < n ? full + j : n - 1];
    from[k] = rows[k];
  }
  for (std::size_t k = 0; k < columns_out; ++k) to[k] = results[k];
  evaluate_vector(from, to, 0);
  for (std::size_t k = 0; k < columns_out; ++k) {
    if (out[k] == nullptr) continue;
    for (std::size_t j = 0; full + j < n; ++j) out[k][full + j] = results[k][j];
  }
}

#endif

#if HWY_ONCE

template <class Load, class Put>
HWY_INLINE void all_rows(std::size_t n, Load const& load, Put const& put) {
  for (std::size_t i = 0; i < n; ++i)
    endpoints<Scalar>([&](std::size_t k) { return load(k, i); },
                      [&](std::size_t k, double value) { put(k, i, value); });
}

HWY_INLINE void rows(std::size_t n, double const* const in[], double* const out[]) {
  all_rows(
      n, [in](std::size_t k, std::size_t i) { return in[k][i]; },
      [out](std::size_t k, std::size_t i, double value) {
        if (out[k] != nullptr) out[k][i] = value;
      });
}

void rows_portable(std::size_t n, double const* const in[], double* const out[]) { rows(n, in, out); }

/// The same code where the CPU has FMA: the baseline would call the library.
__attribute__((target("fma"))) void rows_fma(std::size_t n, double const* const in[], double* const out[]) {
  rows(n, in, out);
}

#endif

}  // namespace demeter::capsule_endpoints::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::capsule_endpoints::fast {

namespace {

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  static bool const fused = available(Level::avx2);
  if (fused) return HWY_NAMESPACE::rows_fma(n, in, out);
  HWY_NAMESPACE::rows_portable(n, in, out);
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  Output<double> answer;
  double const* const from[] = {&in.position[0],    &in.position[1],    &in.position[2],
                                &in.orientation[0], &in.orientation[1], &in.orientation[2],
                                &in.orientation[3], &in.radius,         &in.shaft};
  double* const to[] = {&answer.half[0],     &answer.half[1],     &answer.half[2],     &answer.end0[0],
                        &answer.end0[1],     &answer.end0[2],     &answer.end1[0],     &answer.end1[1],
                        &answer.end1[2],     &answer.box_low[0],  &answer.box_low[1],  &answer.box_low[2],
                        &answer.box_high[0], &answer.box_high[1], &answer.box_high[2], &answer.bounding_radius};
  evaluate_rows(1, from, to);
  return answer;
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  switch (level) {
    case Level::avx512:
      return N_AVX3::evaluate(n, in, out);
    case Level::avx2:
      return N_AVX2::evaluate(n, in, out);
    case Level::scalar:
      return evaluate_rows(n, in, out);
  }
}

}  // namespace demeter::capsule_endpoints::fast

#endif
