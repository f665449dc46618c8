#include "fast/family/nonsmooth/solvers.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/family/nonsmooth/solvers.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/lanes.hpp"

// What the levels share. Rows come in blocks of eight at every level, so that sums over them have one order.
#ifndef DEMETER_FAST_FAMILY_NONSMOOTH_SOLVERS
#define DEMETER_FAST_FAMILY_NONSMOOTH_SOLVERS

namespace demeter::nonsmooth::fast {
namespace {

constexpr std::size_t block = 8;

/// Contacts in rows.
struct Rows {
  std::size_t count;  // a multiple of the block
  std::int32_t const *i, *j;
  double const *normal_x, *normal_y, *meeting, *inverse, *delassus, *mass_i, *mass_j;
  double* velocity;  // x, y of each body
};

/// Bodies in rows, with their contacts.
struct Stars {
  std::size_t blocks;
  std::size_t const* slots;
  std::int32_t const* contact;
  double const *push_x, *push_y;
  double const *from_x, *from_y;  // the velocities to which impulses are added
  double *kept_x, *kept_y;        // the sums, where they are wanted as columns
  double* velocity;
};

/// The factors of a step of the optimised gradient: those of the gradient, and for the next step those of the way from
/// the gradient's point and from the projection's.
struct Factors {
  double gradient, way, projection;
};

/// One level's passes.
struct Passes {
  void (*coloured)(Rows const*, double* impulse);
  double (*accelerate)(Rows const*, double const* impulse, double* history, double* next, Factors const*);
  void (*project)(Rows const*, double const* impulse, double* next);
  double (*correct)(Rows const*, double* impulse, double* added);
  void (*move)(Stars const*, double const* impulse);
  double (*residual)(Rows const*, double const* impulse);
};

}  // namespace
}  // namespace demeter::nonsmooth::fast

#endif

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

// Two loads of 16 bytes for each body's pair are several times faster than gathers of x and of y.
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

/// x and y of consecutive bodies, alternately.
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

/// w of the contacts in the rows from k on.
template <class Number>
HWY_INLINE Number normal_velocity(Rows const& rows, std::size_t k) {
  auto const a = load_pairs<Number>(rows.velocity, rows.i + k);
  auto const b = load_pairs<Number>(rows.velocity, rows.j + k);
  return fma(a.y - b.y, load_as<Number>(rows.normal_y + k),
             fma(a.x - b.x, load_as<Number>(rows.normal_x + k), load_as<Number>(rows.meeting + k)));
}

/// One sum for each place in a block, so that every level adds the same numbers in the same order.
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

/// A sweep of Gauss-Seidel: the contacts of a block share no body of finite mass.
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

/// A step of the optimised gradient from `impulse` to `next`. `history` is what the steps before add to it, and what
/// this one will add to the next. Returns w.(next - impulse).
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

/// The projected step from `impulse`.
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

/// What the documented sweep adds to each contact, and the sum of that. Returns the greatest correction.
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
      lost.parts[part] = fma(w, zero, lost.parts[part]);  // not 0 once a velocity is infinite or none
    }
  }
  return lost.total() == 0 ? most.greatest() : std::numeric_limits<double>::infinity();
}

/// The velocities of all bodies under the impulses.
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

// One contact after the other is the same code at every level.

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

/// The velocities under the impulses.
HWY_INLINE void push_all_as(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies,
                            double const* impulses) {
  for (std::size_t k = 0; k < count; ++k) push(contacts[k], impulses[k], bodies[contacts[k].i], bodies[contacts[k].j]);
}

void sequential(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies, double* impulses) {
  fast_core::call_fused<sequential_as>(contacts, count, bodies, impulses);
}
double documented(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies, double* impulses) {
  return fast_core::call_fused<documented_as>(contacts, count, bodies, impulses);
}
void push_all(Workspace::Contact const* contacts, std::size_t count, Workspace::Body* bodies, double const* impulses) {
  fast_core::call_fused<push_all_as>(contacts, count, bodies, impulses);
}

#endif

}  // namespace demeter::nonsmooth::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace demeter::nonsmooth::fast {
namespace {

constexpr std::size_t rounded_up(std::size_t n) { return (n + block - 1) / block * block; }

std::size_t index(std::int32_t k) { return static_cast<std::size_t>(k); }
std::int32_t number(std::size_t k) { return static_cast<std::int32_t>(k); }

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

double delassus(Problem const& problem, std::size_t k) {
  return problem.inverse_mass[index(problem.i[k])] + problem.inverse_mass[index(problem.j[k])];
}
double inverse_or_zero(double a) { return a > 0 ? 1 / a : 0; }

/// The natural residual, for the velocities of `body_at`.
template <class BodyAt>
double residual_of(Problem const& problem, std::span<double const> impulses, BodyAt const& body_at) {
  double most = 0, lost = 0;
  for (std::size_t k = 0; k < impulses.size(); ++k) {
    auto const a = body_at(index(problem.i[k])), b = body_at(index(problem.j[k]));
    double const w = (a.x - b.x) * problem.normal_x[k] + (a.y - b.y) * problem.normal_y[k] + problem.meeting[k];
    most = std::max(most, std::abs(std::min(delassus(problem, k) * impulses[k], w)));
    lost += w * 0;  // not 0 once a velocity is infinite or none
  }
  return lost == 0 ? most : std::numeric_limits<double>::infinity();
}

/// After how many sweeps the residual is looked at again: often at first, later where it costs a few per cent.
std::int64_t next_look(std::int64_t sweeps, std::int64_t last) {
  return sweeps + std::min({last - sweeps, std::int64_t{20}, 1 + sweeps / 16});
}

/// Sweeps until a look finds the residual at the tolerance.
template <class Sweep, class Residual>
Outcome iterate(Limits const& limits, Sweep const& sweep, Residual const& residual) {
  Outcome outcome;
  for (;;) {
    outcome.residual = residual();
    if (outcome.residual <= limits.tolerance) return outcome;
    if (outcome.sweeps >= limits.sweeps) break;
    std::int64_t const look = next_look(outcome.sweeps, limits.sweeps);
    for (; outcome.sweeps < look; ++outcome.sweeps) sweep();
  }
  outcome.capped = true;
  return outcome;
}

// ------------------------------------------------------------------------------------------ one contact after the
// other

void lay_out_in_order(Problem const& problem, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size(), contacts = problem.i.size();
  workspace.bodies.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b)
    workspace.bodies[b] = {problem.velocity_x[b], problem.velocity_y[b], problem.inverse_mass[b]};
  workspace.contacts.resize(contacts);
  for (std::size_t k = 0; k < contacts; ++k)
    workspace.contacts[k] = {problem.i[k],        problem.j[k],       problem.normal_x[k],
                             problem.normal_y[k], problem.meeting[k], inverse_or_zero(delassus(problem, k))};
}

Outcome solve_in_order(Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
                       Workspace& workspace) {
  lay_out_in_order(problem, workspace);
  auto* const bodies = workspace.bodies.data();
  auto const* const contacts = workspace.contacts.data();
  if (method == Method::nlgs) {
    HWY_NAMESPACE::push_all(contacts, impulses.size(), bodies, impulses.data());
    return iterate(
        limits, [&] { HWY_NAMESPACE::sequential(contacts, impulses.size(), bodies, impulses.data()); },
        [&] { return residual_of(problem, impulses, [bodies](std::size_t b) { return bodies[b]; }); });
  }
  std::fill(impulses.begin(), impulses.end(), 0.0);
  Outcome outcome;
  outcome.residual = std::numeric_limits<double>::infinity();
  while (outcome.sweeps < limits.sweeps && !(outcome.residual <= limits.tolerance)) {
    outcome.residual = HWY_NAMESPACE::documented(contacts, impulses.size(), bodies, impulses.data());
    ++outcome.sweeps;
  }
  outcome.capped = !(outcome.residual <= limits.tolerance);
  return outcome;
}

// ------------------------------------------------------------------------------------------------------------ in rows

/// Columns for `rows` contacts, none of which is one yet: those have no effect on the body `nobody`.
void clear_rows(std::size_t rows, std::int32_t nobody, Workspace& workspace) {
  for (auto* column : {&workspace.normal_x, &workspace.normal_y, &workspace.meeting, &workspace.inverse,
                       &workspace.delassus, &workspace.mass_i, &workspace.mass_j, &workspace.impulse})
    column->assign(rows, 0.0);
  workspace.i.assign(rows, nobody);
  workspace.j.assign(rows, nobody);
}

/// Contact k in its row, for bodies at i and j.
void put_in_row(Problem const& problem, std::size_t k, std::size_t row, std::int32_t i, std::int32_t j,
                Workspace& workspace) {
  workspace.i[row] = i;
  workspace.j[row] = j;
  workspace.normal_x[row] = problem.normal_x[k];
  workspace.normal_y[row] = problem.normal_y[k];
  workspace.meeting[row] = problem.meeting[k];
  workspace.delassus[row] = delassus(problem, k);
  workspace.inverse[row] = inverse_or_zero(workspace.delassus[row]);
}

Rows rows_of(Workspace& workspace) {
  return {workspace.i.size(),        workspace.i.data(),       workspace.j.data(),       workspace.normal_x.data(),
          workspace.normal_y.data(), workspace.meeting.data(), workspace.inverse.data(), workspace.delassus.data(),
          workspace.mass_i.data(),   workspace.mass_j.data(),  workspace.velocity.data()};
}

// ------------------------------------------------------------------------------------------------------------- colours

/// The row of each contact such that the contacts of a block share no body of finite mass: those of a colour together,
/// each with the first colour that neither body has. What finds none of 64 stands in a block of its own.
std::size_t colour(Problem const& problem, Workspace& workspace) {
  constexpr std::size_t colours = 64;
  std::size_t const contacts = problem.i.size();
  auto& marks = workspace.marks;
  auto& row_of_contact = workspace.row_of_contact;
  marks.assign(problem.inverse_mass.size(), 0);
  row_of_contact.resize(contacts);
  std::array<std::size_t, colours> count{};
  for (std::size_t k = 0; k < contacts; ++k) {
    std::size_t const i = index(problem.i[k]), j = index(problem.j[k]);
    auto const of_both = marks[i] | marks[j];
    auto const free = static_cast<std::size_t>(std::countr_one(of_both));
    row_of_contact[k] = number(free);
    if (free == colours) continue;
    ++count[free];
    if (problem.inverse_mass[i] > 0) marks[i] |= std::uint64_t{1} << free;
    if (problem.inverse_mass[j] > 0) marks[j] |= std::uint64_t{1} << free;
  }
  std::array<std::size_t, colours> next{};
  std::size_t rows = 0;
  for (std::size_t each = 0; each < colours; ++each) {
    next[each] = rows;
    rows += rounded_up(count[each]);
  }
  for (auto& row : row_of_contact) {
    auto const of = index(row);
    row = number(of == colours ? rows : next[of]++);
    if (of == colours) rows += block;
  }
  return rows;
}

Outcome solve_coloured(Passes const& passes, Problem const& problem, Limits const& limits, std::span<double> impulses,
                       Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size(), contacts = problem.i.size();
  clear_rows(colour(problem, workspace), number(bodies), workspace);
  workspace.velocity.assign(2 * bodies + 2, 0.0);
  // Walls have +0 for -0: contacts of a block may add zeros of either sign to one of them.
  for (std::size_t b = 0; b < bodies; ++b) {
    workspace.velocity[2 * b] = problem.velocity_x[b] + 0.0;
    workspace.velocity[2 * b + 1] = problem.velocity_y[b] + 0.0;
  }
  for (std::size_t k = 0; k < contacts; ++k) {
    std::size_t const row = index(workspace.row_of_contact[k]);
    put_in_row(problem, k, row, problem.i[k], problem.j[k], workspace);
    workspace.mass_i[row] = problem.inverse_mass[index(problem.i[k])];
    workspace.mass_j[row] = problem.inverse_mass[index(problem.j[k])];
    workspace.impulse[row] = impulses[k];
    double* const a = &workspace.velocity[2 * index(problem.i[k])];
    double* const b = &workspace.velocity[2 * index(problem.j[k])];
    double const of_a = impulses[k] * workspace.mass_i[row], of_b = impulses[k] * workspace.mass_j[row];
    a[0] += of_a * problem.normal_x[k];
    a[1] += of_a * problem.normal_y[k];
    b[0] -= of_b * problem.normal_x[k];
    b[1] -= of_b * problem.normal_y[k];
  }
  Rows const rows = rows_of(workspace);
  auto const outcome = iterate(
      limits, [&] { passes.coloured(&rows, workspace.impulse.data()); },
      [&] { return passes.residual(&rows, workspace.impulse.data()); });
  for (std::size_t k = 0; k < contacts; ++k) impulses[k] = workspace.impulse[index(workspace.row_of_contact[k])];
  return outcome;
}

// --------------------------------------------------------------------------------------------------- all contacts at
// once

/// Bodies in rows, those of about as many contacts together, and their contacts in slots.
void lay_out_stars(Problem const& problem, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size(), contacts = problem.i.size();
  auto& count = workspace.count;
  count.assign(bodies, 0);
  for (std::size_t k = 0; k < contacts; ++k)
    for (auto const b : {problem.i[k], problem.j[k]})
      if (problem.inverse_mass[index(b)] > 0) ++count[index(b)];

  // Within windows, so that neighbours stay near each other in memory.
  constexpr std::size_t window = 512;
  auto& body_of_row = workspace.body_of_row;
  body_of_row.resize(bodies);
  for (std::size_t b = 0; b < bodies; ++b) body_of_row[b] = number(b);
  for (std::size_t first = 0; first < bodies; first += window) {
    auto const from = body_of_row.begin() + static_cast<std::ptrdiff_t>(first);
    auto const to = body_of_row.begin() + static_cast<std::ptrdiff_t>(std::min(first + window, bodies));
    std::sort(from, to, [&count](std::int32_t a, std::int32_t b) {
      return count[index(a)] != count[index(b)] ? count[index(a)] < count[index(b)] : a < b;
    });
  }
  workspace.row_of_body.resize(bodies);
  for (std::size_t row = 0; row < bodies; ++row) workspace.row_of_body[index(body_of_row[row])] = number(row);

  std::size_t const blocks = rounded_up(bodies + 1) / block;  // one row at least is nobody
  workspace.slots.resize(blocks + 1);
  workspace.slots[0] = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    std::int32_t most = 0;
    for (std::size_t row = b * block; row < std::min(bodies, b * block + block); ++row)
      most = std::max(most, count[index(body_of_row[row])]);
    workspace.slots[b + 1] = workspace.slots[b] + index(most);
  }
  std::size_t const places = workspace.slots[blocks] * block;
  workspace.contact.assign(places, 0);
  workspace.push_x.assign(places, 0.0);
  workspace.push_y.assign(places, 0.0);

  clear_rows(rounded_up(contacts), number(bodies), workspace);
  workspace.next_impulse.assign(rounded_up(contacts), 0.0);
  workspace.history.assign(rounded_up(contacts), 0.0);
  std::fill(count.begin(), count.end(), 0);
  for (std::size_t k = 0; k < contacts; ++k) {
    for (bool const first : {true, false}) {
      std::size_t const b = index(first ? problem.i[k] : problem.j[k]);
      if (!(problem.inverse_mass[b] > 0)) continue;
      std::size_t const row = index(workspace.row_of_body[b]);
      std::size_t const at = (workspace.slots[row / block] + index(count[b]++)) * block + row % block;
      workspace.contact[at] = number(k);
      double const push = first ? problem.inverse_mass[b] : -problem.inverse_mass[b];
      workspace.push_x[at] = push * problem.normal_x[k];
      workspace.push_y[at] = push * problem.normal_y[k];
    }
    put_in_row(problem, k, k, workspace.row_of_body[index(problem.i[k])], workspace.row_of_body[index(problem.j[k])],
               workspace);
  }

  std::size_t const rows = blocks * block;
  workspace.free_x.assign(rows, 0.0);
  workspace.free_y.assign(rows, 0.0);
  for (std::size_t row = 0; row < bodies; ++row) {
    workspace.free_x[row] = problem.velocity_x[index(body_of_row[row])];
    workspace.free_y[row] = problem.velocity_y[index(body_of_row[row])];
  }
  workspace.velocity.assign(2 * rows, 0.0);
}

/// D of every contact, for a step that cannot overshoot: c_i/m_i + c_j/m_j.
void split_masses(Problem const& problem, Workspace& workspace) {
  for (std::size_t k = 0; k < problem.i.size(); ++k) {
    double D = 0;
    for (auto const b : {problem.i[k], problem.j[k]})
      D += static_cast<double>(workspace.count[index(b)]) * problem.inverse_mass[index(b)];
    workspace.inverse[k] = inverse_or_zero(D);
  }
}

/// Of each body of finite mass the greatest eigenvalue of the sum of n n^T over its contacts.
void find_eigenvalues(Problem const& problem, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size();
  auto& tensor = workspace.tensor;
  tensor.assign(3 * bodies, 0.0);
  for (std::size_t k = 0; k < problem.i.size(); ++k) {
    double const x = problem.normal_x[k], y = problem.normal_y[k];
    for (auto const b : {problem.i[k], problem.j[k]}) {
      double* const of = &tensor[3 * index(b)];
      of[0] += x * x;
      of[1] += x * y;
      of[2] += y * y;
    }
  }
  workspace.eigenvalue.assign(bodies, 0.0);
  for (std::size_t b = 0; b < bodies; ++b) {
    if (!(problem.inverse_mass[b] > 0)) continue;
    double const* const of = &tensor[3 * b];
    double const half = (of[0] - of[2]) / 2;
    workspace.eigenvalue[b] = (of[0] + of[2]) / 2 + std::sqrt(half * half + of[1] * of[1]);
  }
}

/// D of every contact, e_i/m_i + e_j/m_j.
void split_by_eigenvalues(Problem const& problem, Workspace& workspace) {
  for (std::size_t k = 0; k < problem.i.size(); ++k) {
    double D = 0;
    for (auto const b : {problem.i[k], problem.j[k]})
      D += workspace.eigenvalue[index(b)] * problem.inverse_mass[index(b)];
    workspace.inverse[k] = inverse_or_zero(D);
  }
}

/// How fast the optimised gradient goes: theta grows by half a step.
struct Pace {
  double theta = 1, projection = 1;

  /// 1 is best for the slow modes, but a mode of the greatest eigenvalue would change little but its sign in a step.
  static constexpr double overshoot = 0.8;

  static double after(double theta) { return (1 + std::sqrt(1 + 4 * theta * theta)) / 2; }

  /// The factors of the next step.
  Factors factors() const {
    double const next = after(theta), after_next = after(next), over = theta > 1 ? overshoot * theta : 0;
    return {1 + (theta - 1 + over) / next, (next - 1) / after_next, (next - 1) / (after_next * next_projection())};
  }
  double next_projection() const {
    double const next = after(theta);
    return (2 * theta + next - 1) / next;
  }
  void advance() { *this = {after(theta), next_projection()}; }
  /// From half the pace on: from rest it would take as long again.
  void restart() { *this = {std::max(1.0, after(theta) / 2), 1}; }
};

Outcome solve_at_once(Passes const& passes, Method method, Problem const& problem, Limits const& limits,
                      std::span<double> impulses, Workspace& workspace) {
  lay_out_stars(problem, workspace);
  Rows const rows = rows_of(workspace);
  Stars stars{workspace.slots.size() - 1,
              workspace.slots.data(),
              workspace.contact.data(),
              workspace.push_x.data(),
              workspace.push_y.data(),
              workspace.free_x.data(),
              workspace.free_y.data(),
              nullptr,
              nullptr,
              workspace.velocity.data()};
  double* impulse = workspace.impulse.data();
  double* next = workspace.next_impulse.data();
  if (method != Method::documented_jacobi) std::copy(impulses.begin(), impulses.end(), impulse);
  passes.move(&stars, impulse);
  auto const residual = [&] { return passes.residual(&rows, impulse); };

  Outcome outcome;
  if (method == Method::documented_jacobi) {
    stars.kept_x = workspace.free_x.data();
    stars.kept_y = workspace.free_y.data();
    outcome.residual = std::numeric_limits<double>::infinity();
    while (outcome.sweeps < limits.sweeps && !(outcome.residual <= limits.tolerance)) {
      outcome.residual = passes.correct(&rows, impulse, next);
      passes.move(&stars, next);
      ++outcome.sweeps;
    }
    outcome.capped = !(outcome.residual <= limits.tolerance);
  } else if (method == Method::apgd) {
    find_eigenvalues(problem, workspace);
    split_by_eigenvalues(problem, workspace);
    double* const history = workspace.history.data();
    Pace pace;
    auto const sweep = [&] {
      Factors const factors = pace.factors();
      if (passes.accelerate(&rows, impulse, history, next, &factors) > 0) {
        passes.project(&rows, impulse, next);
        std::fill(workspace.history.begin(), workspace.history.end(), 0.0);
        pace.restart();
      } else {
        pace.advance();
      }
      std::swap(impulse, next);
      passes.move(&stars, impulse);
    };
    outcome = iterate(limits, sweep, residual);
  } else {
    if (method == Method::mass_splitting_jacobi) {
      split_masses(problem, workspace);
    } else {
      find_eigenvalues(problem, workspace);
      double const omega = 1.9 / *std::max_element(workspace.eigenvalue.begin(), workspace.eigenvalue.end());
      for (auto& inverse : workspace.inverse) inverse *= omega;
    }
    auto const sweep = [&] {
      passes.project(&rows, impulse, impulse);
      passes.move(&stars, impulse);
    };
    outcome = iterate(limits, sweep, residual);
  }
  std::copy(impulse, impulse + impulses.size(), impulses.begin());
  return outcome;
}

}  // namespace

Outcome solve(Level level, Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
              std::span<double> velocity_x, std::span<double> velocity_y, Workspace& workspace) {
  std::size_t const bodies = problem.inverse_mass.size();
  if (problem.i.empty()) {
    std::copy(problem.velocity_x.begin(), problem.velocity_x.end(), velocity_x.begin());
    std::copy(problem.velocity_y.begin(), problem.velocity_y.end(), velocity_y.begin());
    return {};
  }
  Passes const& passes = passes_at(level);
  Outcome outcome;
  auto const hand_out = [&](auto const& velocity_of) {
    for (std::size_t b = 0; b < bodies; ++b) {
      bool const moves = problem.inverse_mass[b] > 0;
      auto const [x, y] = velocity_of(b);
      velocity_x[b] = moves ? x : problem.velocity_x[b];
      velocity_y[b] = moves ? y : problem.velocity_y[b];
    }
  };
  using Reached = std::array<double, 2>;
  if (method == Method::nlgs || method == Method::documented) {
    outcome = solve_in_order(method, problem, limits, impulses, workspace);
    hand_out([&](std::size_t b) { return Reached{workspace.bodies[b].x, workspace.bodies[b].y}; });
  } else if (method == Method::coloured) {
    outcome = solve_coloured(passes, problem, limits, impulses, workspace);
    hand_out([&](std::size_t b) { return Reached{workspace.velocity[2 * b], workspace.velocity[2 * b + 1]}; });
  } else {
    outcome = solve_at_once(passes, method, problem, limits, impulses, workspace);
    hand_out([&](std::size_t b) {
      std::size_t const row = index(workspace.row_of_body[b]);
      return Reached{workspace.velocity[2 * row], workspace.velocity[2 * row + 1]};
    });
  }
  return outcome;
}

Outcome solve(Method method, Problem const& problem, Limits const& limits, std::span<double> impulses,
              std::span<double> velocity_x, std::span<double> velocity_y, Workspace& workspace) {
  return solve(best_level(), method, problem, limits, impulses, velocity_x, velocity_y, workspace);
}

double natural_residual(Problem const& problem, std::span<double const> impulses, std::span<double const> velocity_x,
                        std::span<double const> velocity_y) {
  return residual_of(problem, impulses, [&](std::size_t b) {
    return Workspace::Body{velocity_x[b], velocity_y[b], problem.inverse_mass[b]};
  });
}

}  // namespace demeter::nonsmooth::fast

#endif
