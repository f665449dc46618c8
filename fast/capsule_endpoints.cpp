#include "fast/capsule_endpoints.hpp"

#include <cstddef>

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/capsule_endpoints.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::capsule_endpoints::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

// The algorithm, for any `Number`: a SIMD vector of doubles, or one double. The functions for both are in
// fast/core/lanes.hpp.

/// One coordinate of the half-shaft vector, of both ends of the axis and of both corners of the box.
template <class Number>
struct Coordinate {
  Number half, end0, end1, box_low, box_high;
};

template <class Number>
HWY_INLINE Coordinate<Number> along(Number position, Number half, Number radius) {
  auto const reach = abs(half);
  // `reach` and `radius` have the same sign in a bound. A partial sum therefore overflows only if the bound overflows.
  return {half, position - half, position + half, (position - reach) - radius, (position + reach) + radius};
}

/// Computes all outputs. load(k) returns input column k; put(k, value) stores output column k.
template <class Number>
HWY_INLINE void endpoints(LoadColumn<Number> const& load, StoreColumn<Number> const& put) {
  auto const w_given = load(3);
  auto const x_given = load(4);
  auto const y_given = load(5);
  auto const z_given = load(6);
  // The quaternion is scaled so that its largest component is in [2, 4). (If all components are subnormal, the largest
  // one is above 2^-52.) No square then overflows, and squares that underflow are below all rounding errors. All later
  // operations give the same bits for 2^k q.
  auto const greatest = maximum(maximum(abs(w_given), abs(x_given)), maximum(abs(y_given), abs(z_given)));
  auto const factor = twice_inverse(power_of_two(greatest));
  auto const w = w_given * factor;
  auto const x = x_given * factor;
  auto const y = y_given * factor;
  auto const z = z_given * factor;

  auto const kept = fma(w, w, x * x);
  auto const turned = fma(y, y, z * z);
  auto const inverse = 1.0 / (kept + turned);
  auto const share_x = 0.5 * (kept - turned) * inverse;
  auto const share_y = fma(x, y, w * z) * inverse;
  auto const share_z = multiply_subtract(x, z, w * y) * inverse;

  auto const radius = load(7);
  auto const shaft = load(8);
  auto const put_coordinate = [&](std::size_t k, Number share) HWY_ATTR {
    auto const at = along(load(k), shaft * share, radius);
    put(k, at.half);
    put(3 + k, at.end0);
    put(6 + k, at.end1);
    put(9 + k, at.box_low);
    put(12 + k, at.box_high);
  };
  put_coordinate(0, share_x);
  put_coordinate(1, share_y);
  put_coordinate(2, share_z);
  put(15, fma(0.5, shaft, radius));
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  solve_vectors<9, 16, endpoints<Register>>(n, in, out);
}

#endif

#if HWY_ONCE

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  fast_core::call_fused<solve_rows<endpoints<double>>>(n, in, out);
}

#endif

}  // namespace demeter::capsule_endpoints::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::capsule_endpoints::fast {

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<HWY_NAMESPACE::evaluate_rows, Output<double>>(in);
}

void evaluate(Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate_rows, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::capsule_endpoints::fast

#endif
