#include "fast/family/nonsmooth/passes.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/family/nonsmooth/passes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::nonsmooth::fast::HWY_NAMESPACE {

using namespace demeter::lanes::HWY_NAMESPACE;

template <class Number>
constexpr std::size_t width_of = sizeof(Number) / sizeof(double);

template <class Number>
struct Pair {
  Number x, y;
};

#if HWY_TARGET == HWY_AVX3

// For each body, x and y are loaded together. These loads of 16 bytes are several times faster than gathers of x and y.
HWY_INLINE __m512d four_pairs(double const* from, std::int32_t const* at) {
  auto const pair = [from, at](std::size_t k) HWY_ATTR { return from + 2 * static_cast<std::size_t>(at[k]); };
  __m256d const low = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(pair(0))), _mm_loadu_pd(pair(2)), 1);
  __m256d const high = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(pair(4))), _mm_loadu_pd(pair(6)), 1);
  return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}
template <class Number>
HWY_INLINE Pair<Register> load_pairs(double const* from, std::int32_t const* at) {
  __m512d const even = four_pairs(from, at), odd = four_pairs(from, at + 1);
  return {Register{_mm512_unpacklo_pd(even, odd)}, Register{_mm512_unpackhi_pd(even, odd)}};
}
HWY_INLINE void store_four_pairs(__m512d pairs, double* to, std::int32_t const* at) {
  auto const pair = [to, at](std::size_t k) HWY_ATTR { return to + 2 * static_cast<std::size_t>(at[k]); };
  _mm_storeu_pd(pair(0), _mm512_castpd512_pd128(pairs));
  _mm_storeu_pd(pair(2), _mm512_extractf64x2_pd(pairs, 1));
  _mm_storeu_pd(pair(4), _mm512_extractf64x2_pd(pairs, 2));
  _mm_storeu_pd(pair(6), _mm512_extractf64x2_pd(pairs, 3));
}
HWY_INLINE void store_pairs(Pair<Register> const& pairs, double* to, std::int32_t const* at) {
  store_four_pairs(_mm512_unpacklo_pd(pairs.x.raw, pairs.y.raw), to, at);
  store_four_pairs(_mm512_unpackhi_pd(pairs.x.raw, pairs.y.raw), to, at + 1);
}
template <class Number>
HWY_INLINE Register load_at(double const* from, std::int32_t const* at) {
  auto const two = [from, at](std::size_t k)
                       HWY_ATTR { return _mm_loadh_pd(_mm_load_sd(from + at[k]), from + at[k + 1]); };
  __m256d const low = _mm256_insertf128_pd(_mm256_castpd128_pd256(two(0)), two(2), 1);
  __m256d const high = _mm256_insertf128_pd(_mm256_castpd128_pd256(two(4)), two(6), 1);
  return Register{_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1)};
}

#elif HWY_TARGET == HWY_AVX2

HWY_INLINE __m256d two_pairs(double const* from, std::int32_t const* at) {
  auto const pair = [from, at](std::size_t k) HWY_ATTR { return from + 2 * static_cast<std::size_t>(at[k]); };
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(pair(0))), _mm_loadu_pd(pair(2)), 1);
}
template <class Number>
HWY_INLINE Pair<Register> load_pairs(double const* from, std::int32_t const* at) {
  __m256d const even = two_pairs(from, at), odd = two_pairs(from, at + 1);
  return {Register{_mm256_unpacklo_pd(even, odd)}, Register{_mm256_unpackhi_pd(even, odd)}};
}
HWY_INLINE void store_two_pairs(__m256d pairs, double* to, std::int32_t const* at) {
  auto const pair = [to, at](std::size_t k) HWY_ATTR { return to + 2 * static_cast<std::size_t>(at[k]); };
  _mm_storeu_pd(pair(0), _mm256_castpd256_pd128(pairs));
  _mm_storeu_pd(pair(2), _mm256_extractf128_pd(pairs, 1));
}
HWY_INLINE void store_pairs(Pair<Register> const& pairs, double* to, std::int32_t const* at) {
  store_two_pairs(_mm256_unpacklo_pd(pairs.x.raw, pairs.y.raw), to, at);
  store_two_pairs(_mm256_unpackhi_pd(pairs.x.raw, pairs.y.raw), to, at + 1);
}
template <class Number>
HWY_INLINE Register load_at(double const* from, std::int32_t const* at) {
  auto const two = [from, at](std::size_t k)
                       HWY_ATTR { return _mm_loadh_pd(_mm_load_sd(from + at[k]), from + at[k + 1]); };
  return Register{_mm256_insertf128_pd(_mm256_castpd128_pd256(two(0)), two(2), 1)};
}

#elif HWY_ONCE

template <class Number>
HWY_INLINE Pair<double> load_pairs(double const* from, std::int32_t const* at) {
  auto const pair = 2 * static_cast<std::size_t>(*at);
  return {from[pair], from[pair + 1]};
}
HWY_INLINE void store_pairs(Pair<double> const& pairs, double* to, std::int32_t const* at) {
  auto const pair = 2 * static_cast<std::size_t>(*at);
  to[pair] = pairs.x;
  to[pair + 1] = pairs.y;
}
template <class Number>
HWY_INLINE double load_at(double const* from, std::int32_t const* at) {
  return from[*at];
}

#endif

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

/// Stores x and y of consecutive bodies alternately.
HWY_INLINE void store_alternately(Pair<Register> const& pairs, double* to) {
  hn::StoreInterleaved2(pairs.x, pairs.y, Tag(), to);
}

#elif HWY_ONCE

HWY_INLINE void store_alternately(Pair<double> const& pairs, double* to) {
  to[0] = pairs.x;
  to[1] = pairs.y;
}

#endif

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_ONCE

/// Returns w of the contacts in the rows from k on.
template <class Number>
HWY_INLINE Number normal_velocity(Rows const& rows, std::size_t k) {
  auto const a = load_pairs<Number>(rows.velocity, rows.i + k);
  auto const b = load_pairs<Number>(rows.velocity, rows.j + k);
  return fma(a.y - b.y, load_as<Number>(rows.normal_y + k),
             fma(a.x - b.x, load_as<Number>(rows.normal_x + k), load_as<Number>(rows.meeting + k)));
}

/// One partial sum for each position in a block. Every level then adds the same numbers in the same order.
template <class Number>
struct Sums {
  Number parts[block / width_of<Number>];

  HWY_INLINE Sums() {
    for (auto& part : parts) part = set<Number>(0.0);
  }
  HWY_INLINE double total() const {
    double lanes[block];
    for (std::size_t part = 0; part < block / width_of<Number>; ++part)
      store(parts[part], lanes + part * width_of<Number>);
    return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  }
  HWY_INLINE double greatest() const {
    double lanes[block], most = 0;
    for (std::size_t part = 0; part < block / width_of<Number>; ++part)
      store(parts[part], lanes + part * width_of<Number>);
    for (double const lane : lanes) most = std::max(most, lane);
    return most;
  }
};

/// Performs one sweep of Gauss-Seidel. The contacts of a block share no body of finite mass.
template <class Number>
HWY_INLINE void coloured_as(Rows const* of, double* impulse) {
  Rows const rows = *of;
  auto const zero = set<Number>(0.0);
  for (std::size_t k = 0; k < rows.count; k += width_of<Number>) {
    auto a = load_pairs<Number>(rows.velocity, rows.i + k);
    auto b = load_pairs<Number>(rows.velocity, rows.j + k);
    auto const normal_x = load_as<Number>(rows.normal_x + k), normal_y = load_as<Number>(rows.normal_y + k);
    auto const w = fma(a.y - b.y, normal_y, fma(a.x - b.x, normal_x, load_as<Number>(rows.meeting + k)));
    auto const before = load_as<Number>(impulse + k);
    auto const after = maximum(subtract_product(before, w, load_as<Number>(rows.inverse + k)), zero);
    store(after, impulse + k);
    auto const change = after - before;
    auto const of_a = change * load_as<Number>(rows.mass_i + k), of_b = change * load_as<Number>(rows.mass_j + k);
    a.x = fma(of_a, normal_x, a.x);
    a.y = fma(of_a, normal_y, a.y);
    b.x = subtract_product(b.x, of_b, normal_x);
    b.y = subtract_product(b.y, of_b, normal_y);
    store_pairs(a, rows.velocity, rows.i + k);
    store_pairs(b, rows.velocity, rows.j + k);
  }
}

/// Performs one step of the optimised gradient method from `impulse` to `next`. `history` contains the contribution of
/// earlier steps and is updated for the next step. Returns w.(next - impulse).
template <class Number>
HWY_INLINE double accelerate_as(Rows const* of, double const* impulse, double* history, double* next,
                                Factors const* factors) {
  Rows const rows = *of;
  auto const zero = set<Number>(0.0);
  auto const of_gradient = set<Number>(factors->gradient), of_way = set<Number>(factors->way),
             of_projection = set<Number>(factors->projection);
  Sums<Number> uphill;
  for (std::size_t k = 0; k < rows.count; k += block) {
    for (std::size_t part = 0; part < block / width_of<Number>; ++part) {
      auto const at = k + part * width_of<Number>;
      auto const w = normal_velocity<Number>(rows, at);
      auto const before = load_as<Number>(impulse + at);
      auto const gradient = (zero - w) * load_as<Number>(rows.inverse + at);
      auto const ahead = before + fma(gradient, of_gradient, load_as<Number>(history + at));
      auto const after = maximum(ahead, zero);
      store(after, next + at);
      store(fma(of_way, after - (before + gradient), of_projection * (ahead - after)), history + at);
      uphill.parts[part] = fma(w, after - before, uphill.parts[part]);
    }
  }
  return uphill.total();
}

/// Performs one projected gradient step from `impulse` to `next`.
template <class Number>
HWY_INLINE void project_as(Rows const* of, double const* impulse, double* next) {
  Rows const rows = *of;
  auto const zero = set<Number>(0.0);
  for (std::size_t k = 0; k < rows.count; k += width_of<Number>) {
    auto const w = normal_velocity<Number>(rows, k);
    store(maximum(subtract_product(load_as<Number>(impulse + k), w, load_as<Number>(rows.inverse + k)), zero),
          next + k);
  }
}

/// Performs one sweep of documented_jacobi. It adds an impulse to each contact, all at once. `added` receives these
/// impulses. Returns the largest correction.
template <class Number>
HWY_INLINE double correct_as(Rows const* of, double* impulse, double* added) {
  Rows const rows = *of;
  auto const zero = set<Number>(0.0);
  Sums<Number> most, lost;
  for (std::size_t k = 0; k < rows.count; k += block) {
    for (std::size_t part = 0; part < block / width_of<Number>; ++part) {
      auto const at = k + part * width_of<Number>;
      auto const w = normal_velocity<Number>(rows, at);
      auto const correction = maximum(zero - w, zero);
      auto const of_contact = correction * load_as<Number>(rows.inverse + at);
      store(of_contact, added + at);
      store(load_as<Number>(impulse + at) + of_contact, impulse + at);
      most.parts[part] = maximum(correction, most.parts[part]);
      lost.parts[part] = fma(w, zero, lost.parts[part]);  // becomes NaN if a velocity is infinite or NaN
    }
  }
  return lost.total() == 0 ? most.greatest() : std::numeric_limits<double>::infinity();
}

/// Computes the velocities of all bodies from the impulses.
template <class Number>
HWY_INLINE void move_as(Stars const* of, double const* impulse) {
  Stars const stars = *of;
  constexpr std::size_t parts = block / width_of<Number>;
  for (std::size_t b = 0; b < stars.blocks; ++b) {
    std::size_t const row = b * block;
    Number x[parts], y[parts];
    for (std::size_t part = 0; part < parts; ++part) {
      x[part] = load_as<Number>(stars.from_x + row + part * width_of<Number>);
      y[part] = load_as<Number>(stars.from_y + row + part * width_of<Number>);
    }
    for (std::size_t slot = stars.slots[b]; slot < stars.slots[b + 1]; ++slot) {
      for (std::size_t part = 0; part < parts; ++part) {
        std::size_t const at = slot * block + part * width_of<Number>;
        auto const p = load_at<Number>(impulse, stars.contact + at);
        x[part] = fma(load_as<Number>(stars.push_x + at), p, x[part]);
        y[part] = fma(load_as<Number>(stars.push_y + at), p, y[part]);
      }
    }
    for (std::size_t part = 0; part < parts; ++part) {
      std::size_t const at = row + part * width_of<Number>;
      store_alternately(Pair<Number>{x[part], y[part]}, stars.velocity + 2 * at);
      if (stars.kept_x == nullptr) continue;
      store(x[part], stars.kept_x + at);
      store(y[part], stars.kept_y + at);
    }
  }
}

template <class Number>
HWY_INLINE double residual_as(Rows const* of, double const* impulse) {
  Rows const rows = *of;
  auto const zero = set<Number>(0.0);
  Sums<Number> most, lost;
  for (std::size_t k = 0; k < rows.count; k += block) {
    for (std::size_t part = 0; part < block / width_of<Number>; ++part) {
      auto const at = k + part * width_of<Number>;
      auto const w = normal_velocity<Number>(rows, at);
      auto const off = minimum(load_as<Number>(rows.delassus + at) * load_as<Number>(impulse + at), w);
      most.parts[part] = maximum(abs(off), most.parts[part]);
      lost.parts[part] = fma(w, zero, lost.parts[part]);
    }
  }
  return lost.total() == 0 ? most.greatest() : std::numeric_limits<double>::infinity();
}

#endif

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

void coloured(Rows const* rows, double* impulse) { coloured_as<Register>(rows, impulse); }
double accelerate(Rows const* rows, double const* impulse, double* history, double* next, Factors const* factors) {
  return accelerate_as<Register>(rows, impulse, history, next, factors);
}
void project(Rows const* rows, double const* impulse, double* next) { project_as<Register>(rows, impulse, next); }
double correct(Rows const* rows, double* impulse, double* added) { return correct_as<Register>(rows, impulse, added); }
void move(Stars const* stars, double const* impulse) { move_as<Register>(stars, impulse); }
double residual(Rows const* rows, double const* impulse) { return residual_as<Register>(rows, impulse); }

constexpr Passes passes{coloured, accelerate, project, correct, move, residual};

#elif HWY_ONCE

void coloured(Rows const* rows, double* impulse) { fast_core::call_fused<coloured_as<double> >(rows, impulse); }
double accelerate(Rows const* rows, double const* impulse, double* history, double* next, Factors const* factors) {
  return fast_core::call_fused<accelerate_as<double> >(rows, impulse, history, next, factors);
}
void project(Rows const* rows, double const* impulse, double* next) {
  fast_core::call_fused<project_as<double> >(rows, impulse, next);
}
double correct(Rows const* rows, double* impulse, double* added) {
  return fast_core::call_fused<correct_as<double> >(rows, impulse, added);
}
void move(Stars const* stars, double const* impulse) { fast_core::call_fused<move_as<double> >(stars, impulse); }
double residual(Rows const* rows, double const* impulse) {
  return fast_core::call_fused<residual_as<double> >(rows, impulse);
}

constexpr Passes passes{coloured, accelerate, project, correct, move, residual};

HWY_INLINE double velocity_of(Workspace::Contact const& contact, Workspace::Body const& a, Workspace::Body const& b) {
  return fma(a.y - b.y, contact.normal_y, fma(a.x - b.x, contact.normal_x, contact.meeting));
}

HWY_INLINE void push(Workspace::Contact const& contact, double impulse, Workspace::Body& a, Workspace::Body& b) {
  double const of_a = impulse * a.inverse_mass, of_b = impulse * b.inverse_mass;
  a.x = fma(of_a, contact.normal_x, a.x);
  a.y = fma(of_a, contact.normal_y, a.y);
  b.x = subtract_product(b.x, of_b, contact.normal_x);
  b.y = subtract_product(b.y, of_b, contact.normal_y);
}

HWY_INLINE void sequential_as(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies,
                              double* impulses) {
  for (std::size_t k = 0; k < count; ++k) {
    auto const& contact = contacts[k];
    auto& a = bodies[contact.i];
    auto& b = bodies[contact.j];
    double const before = impulses[k];
    double const after = maximum(subtract_product(before, velocity_of(contact, a, b), contact.inverse), 0.0);
    impulses[k] = after;
    push(contact, after - before, a, b);
  }
}

HWY_INLINE double documented_as(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies,
                                double* impulses) {
  double most = 0;
  for (std::size_t k = 0; k < count; ++k) {
    auto const& contact = contacts[k];
    auto& a = bodies[contact.i];
    auto& b = bodies[contact.j];
    double const correction = maximum(0.0 - velocity_of(contact, a, b), 0.0);
    most = maximum(correction, most);
    double const added = correction * contact.inverse;
    impulses[k] += added;
    push(contact, added, a, b);
  }
  return most;
}

/// Adds to the bodies the velocities that the impulses cause.
HWY_INLINE void push_all_as(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies,
                            double const* impulses) {
  for (std::size_t k = 0; k < count; ++k) push(contacts[k], impulses[k], bodies[contacts[k].i], bodies[contacts[k].j]);
}

#endif

}  // namespace demeter::nonsmooth::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::nonsmooth::fast {

Passes const& passes_at(Level level) {
  switch (level) {
    case Level::avx512:
      return N_AVX3::passes;
    case Level::avx2:
      return N_AVX2::passes;
    case Level::scalar:
      break;
  }
  return HWY_NAMESPACE::passes;
}

void sweep_in_order(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies, double* impulses) {
  fast_core::call_fused<HWY_NAMESPACE::sequential_as>(contacts, count, bodies, impulses);
}
double sweep_as_documented(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies,
                           double* impulses) {
  return fast_core::call_fused<HWY_NAMESPACE::documented_as>(contacts, count, bodies, impulses);
}
void push_all(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies, double const* impulses) {
  fast_core::call_fused<HWY_NAMESPACE::push_all_as>(contacts, count, bodies, impulses);
}

}  // namespace demeter::nonsmooth::fast

#endif
